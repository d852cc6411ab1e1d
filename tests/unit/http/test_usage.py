"""Reports by their routes: mine to me, everybody's to administrators, as JSON and as CSV that is only text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from portal.gpus.schemas import GpuUse
from portal.health.monitor import State
from portal.sessions.schemas import UsageOut
from portal.settings.usage import GpuLabels
from portal.slurm.job_runs import SlurmRun
from portal.usage import ledger
from portal.usage.models import UsageSource
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN, token
from tests.unit.http.rows import session_row

API = "/services/portal/api"
ALICE, BOB = token("alices-token"), token("bobs-token")
BEGAN = datetime(2026, 10, 5, 8, tzinfo=UTC)
RANGE = {"from": "2026-10-01", "to": "2026-10-31"}


@pytest.fixture
async def used(portal: Portal) -> None:
    """Alice had two GPUs for an hour, a tenth of it used; bob, whose account is a formula, four was not measured."""
    hour = timedelta(hours=1)
    runs = [
        SlurmRun(1, "alice", "physics", "sxm2", "v100", 2, 8, 10, BEGAN, BEGAN + hour, gpu_percent=10.0),
        SlurmRun(2, "bob", "=cmd()", "sxm2", "", 4, 8, None, BEGAN, BEGAN + hour),
    ]
    now_s = int(datetime.now(UTC).timestamp())
    async with portal.work() as db:
        await ledger.take(db, runs, now_s=now_s)
        db.add(UsageSource(name="accounting", since_s=now_s - 10, read_to_s=now_s, failing_since_s=now_s - 5))


@pytest.mark.usefixtures("used")
async def test_everybody_sees_their_own_use_only(http: httpx2.AsyncClient) -> None:
    mine = (await http.get(f"{API}/usage", params=RANGE | {"by": "account"}, headers=ALICE)).json()
    assert [(row["key"], row["gpu_hours"], row["gpu_hours_unused"]) for row in mine["rows"]] == [("physics", 2.0, 1.8)]
    assert (mine["total"]["gpu_hours_unknown"], mine["total"]["wait_median_s"]) == (0.0, 10)
    assert mine["source"]["kind"] == "accounting"
    assert mine["source"]["failing_since"], "it says that the accounting is away, and shows what is kept"
    assert "10 %" in mine["advice"][0]["text"]
    assert [value["job_id"] for value in mine["wasteful"]] == [1]
    assert mine["allowance"] == {"gpu_hours_used": 0.0, "gpu_hours_promised": 0.0, "max_gpu_hours": None}
    theirs = (await http.get(f"{API}/usage", params=RANGE, headers=BOB)).json()
    assert theirs["wasteful"] == []
    assert "was not measured" in theirs["advice"][0]["text"]
    assert (await http.get(f"{API}/usage", params=RANGE | {"by": "user"}, headers=ALICE)).status_code == 422


@pytest.mark.usefixtures("used")
async def test_accounting_is_away_since_when_the_banner_says(
    portal: Portal, http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed = datetime.now(UTC) - timedelta(minutes=2)
    away = replace(portal.monitor.part("slurmdbd"), state=State.DOWN, since=noticed)
    monkeypatch.setitem(portal.monitor.by_name, "slurmdbd", away)
    [banner] = (await http.get(f"{API}/site", headers=ALICE)).json()["missing"]
    for path, who in (("/usage", ALICE), ("/admin/usage", ADMIN)):
        result = (await http.get(API + path, params=RANGE, headers=who)).json()
        assert result["source"]["failing_since"] == banner["since"]


@pytest.mark.usefixtures("used")
async def test_administrators_see_all_by_whatever_they_ask(http: httpx2.AsyncClient) -> None:
    for by, keys in (
        ("user", ["bob", "alice"]),
        ("account", ["=cmd()", "physics"]),
        ("partition", ["sxm2"]),
        ("gpu_type", ["", "v100"]),
        ("month", ["2026-10"]),
    ):
        answer = (await http.get(f"{API}/admin/usage", params=RANGE | {"by": by}, headers=ADMIN)).json()
        assert [row["key"] for row in answer["rows"]] == keys
        assert (answer["total"]["jobs"], answer["total"]["gpu_hours"], answer["step"]) == (2, 6.0, "day")
    (point,) = answer["series"]
    assert (point["at"], point["gpu_hours_unused"]) == ("2026-10-05", 1.8)
    narrow = await http.get(f"{API}/admin/usage", params=RANGE | {"user": "alice"}, headers=ADMIN)
    assert [value["gpu_percent"] for value in narrow.json()["wasteful"]] == [10.0]
    assert (await http.get(f"{API}/admin/usage", params=RANGE, headers=ALICE)).status_code == 403


@pytest.mark.usefixtures("used")
async def test_as_csv_it_is_only_text(http: httpx2.AsyncClient) -> None:
    answer = await http.get(f"{API}/admin/usage/csv", params=RANGE | {"by": "account"}, headers=ADMIN)
    head, *rows = csv.reader(io.StringIO(answer.text))
    assert head[:3] == ["account", "jobs", "gpu_hours"]
    assert [row[:3] for row in rows] == [["'=cmd()", "1", "4.0"], ["physics", "1", "2.0"]]
    mine = await http.get(f"{API}/usage/csv", params=RANGE, headers=ALICE)
    assert 'filename="usage-month-2026-10-01-2026-10-31.csv"' in mine.headers["content-disposition"]
    assert len(mine.text.splitlines()) == 2


@pytest.mark.parametrize(
    "params",
    [
        {"from": "2026-11-02", "to": "2026-11-01"},
        {"from": "1900-01-01"},
        {"from": "0001-01-01", "to": "0001-01-01"},
        {"from": "9999-12-31", "to": "9999-12-31"},
        {"from": "x"},
        {"by": "nodes"},
    ],
)
async def test_a_range_that_is_none_is_refused_in_words(http: httpx2.AsyncClient, params: dict[str, str]) -> None:
    answer = await http.get(f"{API}/usage", params=params, headers=ALICE)
    assert answer.status_code == 422
    assert answer.json()["error"]["hint"]


@pytest.mark.parametrize(("labels", "user"), [("off", None), ("jobs", ""), ("jobs and users", "alice")])
async def test_metrics_have_the_gpus_in_use_and_name_users_only_if_the_site_wants_it(
    portal: Portal, http: httpx2.AsyncClient, labels: GpuLabels, user: str | None
) -> None:
    record = session_row("abcdefghijkm", owner="alice", at=BEGAN)
    record.gpus, record.job_id, record.started_at, record.node = 1, 7, BEGAN, "node001"
    gpu = GpuUse(index=0, uuid="GPU-1", name="H100", utilization=50, memory_peak_mib=1, energy_j=900)
    portal.usage.sampler.note(record, UsageOut(at=BEGAN, cpu_percent=1, memory_mib=1, gpus=[gpu]))
    await portal.usage.sampler.write()
    text = (await replace(portal.metrics, gpu_labels=labels).exposition()).decode()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("portal_gpu_"))
    if user is None:
        assert lines == {}
        return
    which = f'{{gpu="GPU-1",job="7",name="H100",node="node001",user="{user}"}}'
    assert {name: float(value) for name, value in lines.items()} == {
        f"portal_gpu_measured_seconds_total{which}": 60,
        f"portal_gpu_busy_seconds_total{which}": 30,
        f"portal_gpu_slowed_seconds_total{which}": 0,
        f"portal_gpu_energy_joules_total{which}": 900,
        f"portal_gpu_memory_peak_bytes{which}": 1024 * 1024,
    }


async def test_before_anything_was_read_it_says_so(http: httpx2.AsyncClient) -> None:
    answer = (await http.get(f"{API}/usage", params=RANGE, headers=ALICE)).json()
    assert (answer["source"]["kind"], answer["rows"], answer["advice"]) == ("none", [], [])


async def test_a_sessions_use_is_its_owners_and_the_administrators(portal: Portal, http: httpx2.AsyncClient) -> None:
    url = f"{API}/sessions/abcdefghijkm/usage"
    record = session_row("abcdefghijkm", owner="alice", at=BEGAN)
    await portal.sessions.store.add(record, "Asked.")
    assert (await http.get(url, headers=ALICE)).json()["items"] == []
    gpu = GpuUse(index=0, utilization=40, memory_used_mib=900)
    portal.usage.sampler.note(record, UsageOut(at=BEGAN, cpu_percent=150, memory_mib=2000, gpus=[gpu]))
    await portal.usage.sampler.write()
    for headers in (ALICE, ADMIN):
        (point,) = (await http.get(url, headers=headers)).json()["items"]
        assert (point["cpu_percent"], point["gpu_percent"], point["gpu_memory_mib"]) == (150, 40, 900)
    assert (await http.get(url, headers=BOB)).status_code == 404
