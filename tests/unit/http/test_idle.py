"""The idle policy by its routes: the owner's snooze, and the administrators' dry run over recorded samples."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from portal.gpus.schemas import GpuUse
from portal.idle.service import IdlePolicy
from portal.sessions.schemas import Activity, UsageOut
from portal.settings.idle import Idle
from portal.usage.models import UsageJob, UsageSample, UsageWhose
from portal.wiring import Portal, utcnow
from tests.unit.http.conftest import ADMIN, token
from tests.unit.http.rows import session_row

API = "/services/portal/api"
ALICE, BOB = token("alices-token"), token("bobs-token")
SESSION = "aaaaaaaaaaaa"
HOUR_S = 3600
QUIET: dict[str, Any] = {
    "kernel_busy_percent": 0,
    "programs": 0,
    "quiet_s": 9000,
    "disk_kib_s": 0,
    "network_kib_s": 0,
}


def sample(at_s: int, session_id: str = SESSION, **changes: Any) -> UsageSample:
    values = {"cpu_percent": 1, "gpus": 1, "gpu_percent": 0, "gpu_peak_percent": 0, **QUIET, **changes}
    return UsageSample(session_id=session_id, at_s=at_s, seconds=60, **values)


@pytest.fixture
async def idle_night(portal: Portal) -> int:
    """Alice's session worked for an hour and was idle for ten; bob's was busy all the time. Return their start."""
    began = utcnow().replace(microsecond=0) - timedelta(hours=12)
    began_s = int(began.timestamp())
    for session_id, owner in ((SESSION, "alice"), ("bbbbbbbbbbbb", "bob")):
        row = session_row(session_id, owner=owner, at=began, state="ready", job_id=7, gpus=1, started_at=began)
        await portal.sessions.store.add(row, "Asked.")
    async with portal.work() as db:
        for minute in range(11 * 60):
            at_s = began_s + 60 * minute
            db.add(sample(at_s, gpu_peak_percent=90 if minute < 60 else 0))
            db.add(sample(at_s, "bbbbbbbbbbbb", kernel_busy_percent=5))
    return began_s


async def report(http: httpx2.AsyncClient, **params: Any) -> dict[str, Any]:
    answer = await http.get(f"{API}/admin/idle/report", params=params, headers=ADMIN)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_the_dry_run_says_what_would_have_ended(idle_night: int, http: httpx2.AsyncClient) -> None:
    found = await report(http)
    assert (found["sessions"], found["warned"], found["ended"], found["came_back"]) == (2, 1, 1, 0)
    assert (found["gpu_hours"], found["gpu_hours_unknown"], found["gpu_hours_back"]) == (22.0, 0.0, 7.5)
    (end,) = found["ends"]
    assert (end["id"], end["owner"], end["worked_at"]) == (SESSION, "alice", None)
    assert found["owners"][0] == {
        "owner": "alice", "sessions": 1, "warned": 1, "ended": 1, "gpu_hours_back": 7.5, "came_back": 0,
    }  # fmt: skip


async def test_the_dry_run_tries_another_rule(idle_night: int, http: httpx2.AsyncClient) -> None:
    assert (await report(http, after_minutes=600))["ended"] == 0
    assert (await report(http, after_minutes=60))["gpu_hours_back"] == 8.5


@pytest.mark.parametrize(("owner", "ended"), [("alice", 0), ("bob", 1)])
async def test_the_dry_run_knows_when_others_waited(
    portal: Portal, idle_night: int, http: httpx2.AsyncClient, owner: str, ended: int
) -> None:
    assert (await report(http, while_others_wait=True))["ended"] == 0
    async with portal.work() as db:
        whose = UsageWhose(owner=owner, account="", partition="sxm2", gpu_type="")
        db.add(whose)
        await db.flush()
        zeros = dict.fromkeys(("gpu_known_s", "gpu_used_s", "cpu_known_s", "cpu_used_s"), 0)
        db.add(
            UsageJob(
                job_id=1, started_s=idle_night + 10 * HOUR_S, whose_id=whose.id, gpus=1, cpus=1,
                wait_s=9 * HOUR_S, settled=True, **zeros,
            )
        )  # fmt: skip
    assert (await report(http, while_others_wait=True))["ended"] == ended


async def test_samples_with_a_gap_in_the_measures_count_as_work(
    portal: Portal, idle_night: int, http: httpx2.AsyncClient
) -> None:
    async with portal.work() as db:
        for minute in range(0, 11 * 60, 60):
            await db.merge(sample(idle_night + 60 * minute, quiet_s=None))
    found = await report(http)
    assert (found["warned"], found["gpu_hours_unknown"]) == (0, 0.2)


async def test_the_dry_run_is_for_administrators(http: httpx2.AsyncClient) -> None:
    assert (await http.get(f"{API}/admin/idle/report", headers=ALICE)).status_code == 403


async def test_an_owner_snoozes_through_the_api(
    portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = portal.idle.policy
    monkeypatch.setattr(policy, "_rule", Idle(action="end", after_minutes=10, grace_minutes=5, snoozes=1))
    await policy.resume()
    row = session_row(SESSION, owner="alice", at=utcnow(), state="ready", job_id=7, gpus=1)
    await portal.sessions.store.add(row, "Asked.")
    path = f"{API}/sessions/{SESSION}"
    assert (await http.post(f"{path}/snooze", headers=ALICE)).status_code == 409
    await _idle(policy, portal)
    shown = (await http.get(path, headers=ALICE)).json()["idle"]
    assert (shown["snoozes_left"], shown["snooze_minutes"]) == (1, 120)
    assert (await http.post(f"{path}/snooze", headers=BOB)).status_code == 403
    answer = await http.post(f"{path}/snooze", headers=ALICE)
    assert (answer.status_code, answer.json()["idle"]) == (200, None)
    entries = (await http.get(f"{API}/audit", params={"action": "session.snooze"}, headers=ADMIN)).json()["items"]
    assert next((entry["actor"], entry["result"]) for entry in entries) == ("alice", "ok")
    metrics = (await http.get("/services/portal/metrics")).text
    assert 'portal_idle_sessions_total{outcome="snoozed"} 1.0' in metrics
    assert "portal_idle_sessions_warned 0.0" in metrics


async def _idle(policy: IdlePolicy, portal: Portal) -> None:
    at, record = utcnow(), await portal.sessions.store.get(SESSION)
    signs = Activity(kernels=1, kernels_busy=0, **QUIET)
    gpus = [GpuUse(index=0, utilization=0.0, utilization_peak=0.0)]
    for minute in range(12):
        use = UsageOut(at=at + timedelta(minutes=minute), cpu_percent=1.0, memory_mib=1, gpus=gpus, activity=signs)
        policy.note(record, use)
    while policy.acting:
        await asyncio.sleep(0.01)
