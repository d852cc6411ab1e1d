"""Health over HTTP: as last seen, for administrators; what is missing, for everybody; never an error of its own."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx2
import pytest

from portal.app import start_loops
from portal.health.checks import PART_NAMES, hosts
from portal.health.view import HealthPublisher
from portal.loops import Loops, Run, resting
from portal.metrics import FAMILIES
from portal.settings import Settings
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN, token

PREFIX = "/services/portal"


async def test_administrators_see_each_part_and_others_only_what_they_miss(
    http: httpx2.AsyncClient, portal: Portal
) -> None:
    await portal.monitor.round()
    answer = await http.get(f"{PREFIX}/api/admin/health", headers=ADMIN)
    assert answer.status_code == 200
    parts = {part["name"]: part for part in answer.json()["parts"]}
    assert tuple(parts) == (*PART_NAMES, "background")
    assert (parts["database"]["state"], parts["hub"]["state"], parts["proxy"]["state"]) == ("ok", "down", "down")
    assert all(part["do"] for part in parts.values() if part["state"] == "down")
    assert (await http.get(f"{PREFIX}/api/admin/health", headers=token("bobs-token"))).status_code == 403
    site = (await http.get(f"{PREFIX}/api/site", headers=token("bobs-token"))).json()
    assert "hub" in [value["part"] for value in site["missing"]]
    assert "slurmctld" not in [value["part"] for value in site["missing"]], "told by the site's own state"


@pytest.mark.parametrize(
    ("hub", "state", "says"),
    [
        ({}, "off", "With one host name for everything"),
        ({"public_url": "https://jupyter.example.org"}, "off", "Without a wildcard name"),
        ({"public_url": "https://jupyter.example.org", "subdomains": True}, "ok", "have hosts of their own"),
    ],
)
async def test_health_says_what_a_site_without_a_host_for_each_user_gives_up(
    hub: dict[str, Any], state: str, says: str
) -> None:
    finding = await hosts(Settings.model_validate({"hub": hub}))()
    assert finding.state == state
    assert says in finding.message
    assert bool(finding.do) is (state == "off")


async def test_news_go_to_administrators_and_what_is_missing_to_all_once(portal: Portal) -> None:
    publisher = HealthPublisher(portal.health, portal.bus)
    with portal.bus.reader(lambda event: event.kind in ("health", "missing")) as reader:
        await portal.monitor.round()
        publisher()
        publisher()
        heard = [(await reader.next(1)) for _ in range(3)]
    assert [event.kind for event in heard if event] == ["health", "missing", "health"]


async def test_metrics_tell_what_they_name_and_stay_while_the_database_is_away(
    http: httpx2.AsyncClient, portal: Portal
) -> None:
    await portal.monitor.round()
    text = (await http.get(f"{PREFIX}/metrics")).text
    matches = set(re.findall(r"^# TYPE (\w+) ", text, re.M))
    named = {name for family in FAMILIES for name in (family.name, f"{family.name}_total")}
    assert matches <= named
    assert 'portal_part_up{part="database"} 1.0' in text
    assert 'portal_part_up{part="hub"} 0.0' in text

    through = {"X-Forwarded-For": "192.0.2.1"}
    assert (await http.get(f"{PREFIX}/metrics", headers=through)).status_code == 404, "Whoever comes through a proxy."

    class Away:
        async def active(self) -> list[object]:
            raise OSError("the database is away")

    object.__setattr__(portal, "store", Away())
    text = (await http.get(f"{PREFIX}/metrics")).text
    assert "portal_sessions{" not in text
    assert "portal_event_readers 0.0" in text


async def test_each_loop_of_the_portal_that_dies_is_started_again_and_health_says_so(
    http: httpx2.AsyncClient, portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused, again, go = asyncio.Semaphore(0), asyncio.Semaphore(0), asyncio.Event()

    async def sleep(seconds: float) -> None:
        paused.release()
        await go.wait()

    real, killed = Loops.start, set()

    def start(self: Loops, name: str, run: Run, **more: Any) -> None:
        async def dies_once() -> None:
            if name not in killed:
                killed.add(name)
                raise ValueError(f"{name} met what it did not expect")
            with resting():
                pass
            with resting():
                again.release()
                await asyncio.Event().wait()

        real(self, name, dies_once, **more)

    monkeypatch.setattr(Loops, "start", start)
    monkeypatch.setattr(portal.loops, "_sleep", sleep)
    start_loops(portal)
    try:
        names = {loop.name for loop in portal.loops.all}
        assert len(names) >= 18
        async with asyncio.timeout(10):
            for _ in names:
                await paused.acquire()
        answer = (await http.get(f"{PREFIX}/api/admin/health", headers=ADMIN)).json()
        parts = next(part for part in answer["parts"] if part["name"] == "background")
        assert (parts["state"], parts["since"] is not None) == ("down", True)
        assert all(f"{name} fails, once so far" in parts["message"] for name in names)
        text = (await http.get(f"{PREFIX}/metrics")).text
        assert all(f'portal_loop_up{{loop="{name}"}} 0.0' in text for name in names)

        go.set()
        async with asyncio.timeout(10):
            for _ in names:
                await again.acquire()
        answer = (await http.get(f"{PREFIX}/api/admin/health", headers=ADMIN)).json()
        parts = next(part for part in answer["parts"] if part["name"] == "background")
        assert parts["state"] == "ok"
        assert all(f"{name} failed once" in parts["message"] for name in names)
        text = (await http.get(f"{PREFIX}/metrics")).text
        assert all(f'portal_loop_failures_total{{loop="{name}"}} 1.0' in text for name in names)
    finally:
        await portal.loops.close()
