"""Announcements by their routes: who makes them, who sees them when, and that maintenance refuses at every door."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from portal.slurm.snapshot import Snapshot
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN, token
from tests.unit.sessions.conftest import Clock, FakeSlurm, FakeWatcher

API = "/services/portal/api"
ALICE = token("alices-token")


def soon(**later: float) -> str:
    return (datetime.now(UTC) + timedelta(**later)).isoformat()


async def make(http: httpx2.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await http.post(f"{API}/admin/announcements", json=body, headers=ADMIN)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def seen(http: httpx2.AsyncClient) -> list[str]:
    answer = await http.get(f"{API}/announcements", headers=ALICE)
    return [item["text"] for item in answer.json()["items"]]


async def test_everybody_sees_what_is_announced_until_it_is_ended(http: httpx2.AsyncClient) -> None:
    row = await make(http, text="Welcome")
    await make(http, text="Next year", shown_from=soon(days=300))
    assert await seen(http) == ["Welcome"]
    ended = await http.delete(f"{API}/admin/announcements/{row['id']}", headers=ADMIN)
    assert ended.json()["state"] == "over"
    assert await seen(http) == []
    again = await http.put(f"{API}/admin/announcements/{row['id']}", json={"text": "Back"}, headers=ADMIN)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")


async def test_an_announcement_is_changed_in_place(http: httpx2.AsyncClient) -> None:
    row = await make(http, text="Welcom")
    changed = await http.put(f"{API}/admin/announcements/{row['id']}", json={"text": "Welcome"}, headers=ADMIN)
    assert (changed.json()["id"], changed.json()["shown_from"]) == (row["id"], row["shown_from"])
    assert await seen(http) == ["Welcome"]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"text": " "}, "ust not be empty"),
        ({"text": "a\nb"}, "line breaks"),
        ({"text": "x", "kind": "maintenance"}, "start and an end"),
        (
            {"text": "x", "kind": "maintenance", "starts_at": soon(hours=2), "ends_at": soon(hours=1)},
            "end must be after",
        ),
        ({"text": "x", "starts_at": soon(hours=2)}, "Only maintenance"),
        ({"text": "x", "ends_at": soon(hours=-1)}, "already"),
        ({"text": "x", "partitions": ["a b"]}, "characters"),
    ],
)
async def test_what_makes_no_sense_is_refused_in_words(http: httpx2.AsyncClient, body: Any, value: str) -> None:
    answer = await http.post(f"{API}/admin/announcements", json=body, headers=ADMIN)
    assert answer.status_code == 422
    assert value in answer.json()["error"]["message"]


async def test_the_login_page_shows_only_what_is_meant_for_it(portal: Portal, http: httpx2.AsyncClient) -> None:
    await make(http, text="For all", on_login=True)
    await make(http, text="Inside", on_login=False)
    url = "/services/portal/internal/announcements"
    assert (await http.get(url)).status_code == 401
    answer = await http.get(url, headers={"Authorization": f"Bearer {portal.settings.secrets.hub_key}"})
    assert [item["text"] for item in answer.json()["items"]] == ["For all"]


async def test_every_action_and_every_refused_attempt_is_in_the_audit(http: httpx2.AsyncClient) -> None:
    row = await make(http, text="Welcome")
    await http.delete(f"{API}/admin/announcements/999", headers=ADMIN)
    refused = await http.post(f"{API}/admin/announcements", json={"text": "I rule"}, headers=ALICE)
    assert refused.status_code == 403
    records = (await http.get(f"{API}/audit", headers=ADMIN)).json()["items"]
    assert [(record["actor"], record["action"], record["target"], record["result"]) for record in records] == [
        ("alice", "admin.refused", "POST /api/admin/announcements", "forbidden"),
        ("admin", "announcement.end", "999", "not_found"),
        ("admin", "announcement.make", str(row["id"]), "ok"),
    ]


async def test_maintenance_refuses_at_the_form_and_says_when_there_is_none(
    portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    snapshot: Snapshot = FakeWatcher(FakeSlurm(clock), clock).snapshot
    monkeypatch.setattr(portal.watcher, "_snapshot", snapshot)

    async def nothing_missing(username: str, name: str, environment: object) -> None:
        return None

    monkeypatch.setattr(portal.images.environment_list, "missing", nothing_missing)
    body = {"kind": "maintenance", "text": "New switches", "partitions": ["sxm2"]}
    unknown = await http.post(
        f"{API}/admin/announcements",
        json=body | {"partitions": ["nowhere"], "starts_at": soon(hours=3), "ends_at": soon(hours=5)},
        headers=ADMIN,
    )
    assert "no partition “nowhere”" in unknown.json()["error"]["message"]
    ask = {"app": "jupyterlab", "resources": {"walltime_s": 8 * 3600}}

    async def problems() -> list[str]:
        answer = await http.post(f"{API}/sessions/check", json=ask, headers=ALICE)
        assert answer.status_code == 200, answer.text
        return [
            problem["message"] for problem in answer.json()["problems"] if problem["field"] == "resources.walltime_s"
        ]

    assert await problems() == []
    row = await make(http, **body, starts_at=soon(hours=3), ends_at=soon(hours=5))
    (text,) = await problems()
    assert "New switches" in text
    started = await http.post(f"{API}/sessions", json=ask, headers=ALICE)
    assert (started.status_code, started.json()["error"]["code"]) == (422, "policy_refused")
    await http.delete(f"{API}/admin/announcements/{row['id']}", headers=ADMIN)
    assert await problems() == []
