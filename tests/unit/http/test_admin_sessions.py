"""Everybody's sessions by their routes: listed, acted on one by one with each result, each in the audit."""

from __future__ import annotations

import json
from datetime import timedelta

import httpx2
import pytest

from portal.auth.dependencies import User
from portal.events.bus import Event
from portal.operate.schemas import JobResult
from portal.slurm.nodes import GpuCount, Node, NodeState, Partition
from portal.slurm.snapshot import Reach, Snapshot
from portal.wiring import Portal, utcnow
from tests.unit.http.conftest import ADMIN, token
from tests.unit.http.rows import session_row

API = "/services/portal/api/admin/sessions"
HOSTILE = '<img src=x onerror="alert(1)">\u202e'


def known(snapshot: Snapshot) -> Snapshot:
    node = Node("node001", NodeState.IDLE, partitions=("sxm2",), cpus=40, gpus=(GpuCount("v100", 4, 0),))
    return Snapshot(
        serial=snapshot.serial + 1,
        state=Reach.UP,
        nodes=(node,),
        partitions=(Partition("sxm2", max_walltime_s=86_400),),
    )


@pytest.fixture
async def sessions(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One of alice that runs for an hour still, one of bob that waits, one that is over."""
    monkeypatch.setattr(portal.watcher, "_snapshot", known(portal.watcher.snapshot))
    now = utcnow()
    rows = [
        session_row("aaaaaaaaaaaa", owner="alice", at=now, state="ready", job_id=7, node="node001", name=HOSTILE,
                    started_at=now, ends_at=now + timedelta(hours=1)),
        session_row("bbbbbbbbbbbb", owner="bob", at=now - timedelta(seconds=1), state="queued", job_id=8),
        session_row("cccccccccccc", owner="bob", at=now - timedelta(hours=9), state="ended", job_id=5,
                    ended_at=now - timedelta(hours=8), end_code="finished"),
    ]  # fmt: skip
    for row in rows:
        await portal.sessions.store.add(row, "Asked.")
    return [row.id for row in rows]


async def test_all_sessions_are_listed_filtered_and_paged(sessions: list[str], http: httpx2.AsyncClient) -> None:
    async def ids(**params: str | int) -> list[str]:
        answer = await http.get(API, params=params, headers=ADMIN)
        assert answer.status_code == 200, answer.text
        return [item["id"] for item in answer.json()["items"]]

    assert await ids() == sessions[:2]
    assert await ids(state="all") == sessions
    assert await ids(state="all", query="BOB") == sessions[1:]
    assert await ids(query="node00") == sessions[:1]
    assert await ids(query="%") == []
    first = (await http.get(API, params={"state": "all", "limit": 2}, headers=ADMIN)).json()
    assert await ids(state="all", before=first["next"]) == sessions[2:]
    row = (await http.get(API, headers=ADMIN)).json()["items"][0]
    assert (row["name"], row["owner"], row["used_at"]) == (HOSTILE, "alice", None)


async def test_each_session_has_its_own_result_and_its_line_in_the_audit(
    portal: Portal, sessions: list[str], http: httpx2.AsyncClient
) -> None:
    asked = {"sessions": [*sessions, "zzzzzzzzzzzz"], "text": HOSTILE}
    refused = await http.post(f"{API}/message", json=asked, headers=ADMIN)
    assert refused.status_code == 422, "it would turn the text of the page around"
    asked["text"] = "Please be done by six. <b>Thanks</b>"
    results = (await http.post(f"{API}/message", json=asked, headers=ADMIN)).json()["results"]
    assert [result["ok"] for result in results] == [True, True, True, False]
    assert results[3]["message"] == "There is no session zzzzzzzzzzzz."
    items = (await http.get("/services/portal/api/messages", headers=token("bobs-token"))).json()["items"]
    assert {(value["session_id"], value["text"]) for value in items} == {
        (session, asked["text"]) for session in sessions[1:]
    }
    audit = (await http.get("/services/portal/api/audit", params={"action": "session.message"}, headers=ADMIN)).json()
    lines = {item["target"]: (item["actor"], item["result"], item["detail"].get("owner")) for item in audit["items"]}
    assert lines["bbbbbbbbbbbb"] == ("admin", "ok", "bob")
    assert lines["zzzzzzzzzzzz"] == ("admin", "not_found", None)


async def test_a_session_is_given_more_time_where_nothing_speaks_against_it_or_it_is_insisted(
    portal: Portal, sessions: list[str], http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[tuple[str, int, int]] = []

    async def time_limit(actor: str, job_id: int, walltime_s: int) -> JobResult:
        raised.append((actor, job_id, walltime_s))
        return JobResult(id=str(job_id), ok=job_id != 8, message="" if job_id != 8 else "Slurm says no.")

    monkeypatch.setattr(portal.operate.service, "time_limit", time_limit)

    async def extend(**asked: object) -> list[tuple[bool, str]]:
        body = {"sessions": sessions, "seconds": 3600, **asked}
        answer = await http.post(f"{API}/extend", json=body, headers=ADMIN)
        assert answer.status_code == 200, answer.text
        return [(result["ok"], result["message"]) for result in answer.json()["results"]]

    before = await portal.sessions.store.get("aaaaaaaaaaaa")
    (alice, bob, over) = await extend()
    assert alice[0]
    assert alice[1].startswith("Extended by 1 h: it ends at ")
    assert bob == (False, "Slurm says no.")
    assert over == (False, "The session has already ended.")
    assert ("admin", 7, 7200) in raised
    after = await portal.sessions.store.get("aaaaaaaaaaaa")
    assert before.ends_at is not None
    assert (after.walltime_s, after.ends_at) == (7200, before.ends_at + timedelta(hours=1))
    assert (
        "admin, an administrator, extended it by 1 h"
        in (await portal.sessions.store.events("aaaaaaaaaaaa"))[-1].message
    )

    raised.clear()
    assert (await extend(seconds=90_000))[0] == (False, "The partition “sxm2” allows 1 day at most.")
    await http.put("/services/portal/api/admin/limits/user/alice", json={"max_walltime_s": 7200}, headers=ADMIN)
    assert (await extend())[0] == (False, "A session of alice may last 2 h at most.")
    assert [value for value in raised if value[1] == 7] == []
    assert (await extend(beyond_limits=True))[0][0]
    assert ("admin", 7, 10_800) in raised
    audit = (await http.get("/services/portal/api/audit", params={"target": "aaaa"}, headers=ADMIN)).json()["items"]
    assert [(value["result"], value["detail"]["beyond_limits"]) for value in audit] == [
        ("ok", True), ("policy_refused", False), ("policy_refused", False), ("ok", False),
    ]  # fmt: skip


async def test_more_time_does_not_run_into_maintenance(
    portal: Portal, sessions: list[str], http: httpx2.AsyncClient
) -> None:
    begins = utcnow() + timedelta(hours=1, minutes=30)
    window = {"kind": "maintenance", "text": "New switches", "starts_at": begins.isoformat(),
              "ends_at": (begins + timedelta(hours=1)).isoformat()}  # fmt: skip
    made = await http.post("/services/portal/api/admin/announcements", json=window, headers=ADMIN)
    assert made.status_code == 201, made.text
    body = {"sessions": sessions[:1], "seconds": 3600}
    (result,) = (await http.post(f"{API}/extend", json=body, headers=ADMIN)).json()["results"]
    assert not result["ok"]
    assert "would run into maintenance" in result["message"]
    assert "New switches" in result["message"]


async def test_the_stream_tells_administrators_alone_of_anyones_sessions(
    portal: Portal, sessions: list[str], http: httpx2.AsyncClient
) -> None:
    for also in ("sessions", "queue", "nodes"):
        refused = await http.get("/services/portal/api/events", params={"also": also}, headers=token("alices-token"))
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    admin = User("admin", "Ada", True, (), "", None)
    streams = [portal.stream.follow(admin, frozenset(also)) for also in (("sessions", "queue"), ())]
    results = [[await anext(stream), await anext(stream)] for stream in streams]  # begun: from now on they hear all
    async with portal.sessions.store.change(sessions[1]) as draft:
        draft.set(reason="Because.")
    portal.bus.publish(Event("queue", "{}"))
    portal.bus.close()
    for frames, stream in zip(results, streams, strict=True):
        frames += [frame async for frame in stream]
    asking, not_asking = ([frame for frame in frames if "event: " in frame] for frames in results)
    begin = ["site", "missing", "here"]  # what every page is told first
    asked, unasked = ([frame.split("event: ")[1].split()[0] for frame in frames] for frames in (asking, not_asking))
    assert [kind for kind in asked if kind not in begin] == ["anyones", "queue"]
    assert json.loads(asking[asked.index("anyones")].split("data: ")[1])["owner"] == "bob"
    assert not set(unasked) - set(begin)
