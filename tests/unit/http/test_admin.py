"""The routes of limits and the audit log: limits are set and removed; the log is filtered, exported, never changed."""

from __future__ import annotations

import asyncio
import csv
import io

import httpx2
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN

API = "/services/portal/api"


async def test_a_limit_is_set_seen_and_removed(portal: Portal, http: httpx2.AsyncClient) -> None:
    url = f"{API}/admin/limits/group/GPU%20users"
    assert (await http.put(url, json={}, headers=ADMIN)).status_code == 422
    assert (await http.put(url, json={"max_gpus": 2, "partitions": []}, headers=ADMIN)).status_code == 200
    (row,) = (await http.get(f"{API}/admin/limits", headers=ADMIN)).json()["items"]
    assert (row["name"], row["max_gpus"], row["partitions"], row["changed_by"]) == ("GPU users", 2, [], "admin")
    (rule,) = await portal.limits.rules("alice", ["gpu users"])
    assert rule.partitions == frozenset(), "nothing allowed is not the same as nothing set"
    assert await portal.limits.rules("GPU users", []) == ()
    assert (await http.delete(url, headers=ADMIN)).json()["items"] == []
    assert (await http.delete(url, headers=ADMIN)).status_code == 404


async def test_of_two_administrators_who_change_one_limit_at_once_the_second_is_told(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    url = f"{API}/admin/limits/user/alice"

    async def put(gpus: int, version: int) -> int:
        answer = await http.put(url, json={"max_gpus": gpus}, headers={**ADMIN, "If-Match": f'"{version}"'})
        if answer.status_code != 200:
            assert answer.json()["error"]["code"] == "changed_meanwhile"
            assert "in the meantime; your change was not saved." in answer.json()["error"]["message"]
        return answer.status_code

    async def now() -> tuple[int, int]:
        (row,) = (await http.get(f"{API}/admin/limits", headers=ADMIN)).json()["items"]
        return row["max_gpus"], row["version"]

    assert sorted(await asyncio.gather(put(1, 0), put(2, 0))) == [200, 412], "both saw that nothing was set"
    gpus, version = await now()
    assert (gpus in (1, 2), version) == (True, 1)
    assert sorted(await asyncio.gather(put(3, 1), put(4, 1), put(5, 1))) == [200, 412, 412]
    assert (await now())[1] == 2
    refused = await http.delete(url, headers={**ADMIN, "If-Match": '"1"'})
    assert refused.status_code == 412
    assert (await now())[1] == 2, "nothing is lost"
    assert (await http.delete(url, headers={**ADMIN, "If-Match": '"2"'})).status_code == 200
    assert await put(6, 2) == 412, "it was removed meanwhile"
    assert (await http.put(url, json={"max_gpus": 7}, headers=ADMIN)).status_code == 200, "who names no version insists"


async def test_the_audit_is_filtered_and_leaves_as_text_that_no_spreadsheet_calculates(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    for actor, action, result in (("=cmd()", "session.start", "ok"), ("bob", "session.stop", "forbidden")):
        await portal.audit.record(actor=actor, action=action, target='x,\n"y"', result=result, note="@SUM(1)")
    refused = (await http.get(f"{API}/audit", params={"refused": "true"}, headers=ADMIN)).json()["items"]
    assert [value["actor"] for value in refused] == ["bob"]
    by_part = (await http.get(f"{API}/audit", params={"action": "session.", "target": "y"}, headers=ADMIN)).json()
    assert len(by_part["items"]) == 2
    assert (await http.get(f"{API}/audit", params={"target": "%"}, headers=ADMIN)).json()["items"] == []
    answer = await http.get(f"{API}/audit/csv", headers=ADMIN)
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert [row[1] for row in rows] == ["actor", "bob", "'=cmd()"]
    assert rows[1][3] == 'x,\n"y"'


@pytest.mark.parametrize("statement", ["DELETE FROM audit", "UPDATE audit SET actor = 'nobody'"])
async def test_the_database_itself_refuses_to_change_the_audit(portal: Portal, statement: str) -> None:
    await portal.audit.record(actor="alice", action="session.start", target="x")
    with pytest.raises(DBAPIError, match="append-only"):
        async with portal.work() as db:
            await db.execute(text(statement))
