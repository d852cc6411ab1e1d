"""Many open pages cost Slurm nothing, and the portal little."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import aiohttp
import httpx2

from tests.demo_site import API, DemoSite
from tests.person import Person

PAGES = 100
READINGS = 8
MOST_CALLS_A_MINUTE = 30
MOST_MEMORY_MB = 300


def metric(site: DemoSite, name: str) -> float:
    text = httpx2.get(f"{site.url}/services/portal/metrics").text
    found = re.search(rf"^{re.escape(name)} ([\d.e+]+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def calls_by_the_portal(site: DemoSite) -> int:
    """What slurmctld itself counts of the portal's account."""
    found = re.search(r"^\s*portal\s*\(\s*\d+\) count:(\d+)", site.run("sdiag"), re.MULTILINE)
    return int(found[1]) if found else 0


def test_slurm_is_asked_no_more_often_for_a_hundred_open_pages(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    alice.ready(gpus=0)

    async def watch() -> tuple[int, float, list[int]]:
        headers = {"Authorization": f"token {alice.token}"}
        connector = aiohttp.TCPConnector(limit=0)
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(aiohttp.ClientSession(headers=headers, connector=connector))
            pages = [await stack.enter_async_context(client.get(f"{site.url}{API}/events")) for _ in range(PAGES)]
            assert metric(site, "portal_event_readers") >= PAGES
            calls, readings, began = (
                calls_by_the_portal(site),
                metric(site, 'portal_slurm_calls_total{part="jobs"}'),
                time.monotonic(),
            )
            answers = []
            while metric(site, 'portal_slurm_calls_total{part="jobs"}') < readings + READINGS:
                for path in ("/sessions", "/options", "/site"):
                    async with client.get(f"{site.url}{API}{path}") as answer:
                        answers.append(answer.status)
            told = [page.status for page in pages]
            return calls_by_the_portal(site) - calls, time.monotonic() - began, answers + told

    calls, took_s, statuses = asyncio.run(asyncio.wait_for(watch(), 120))
    assert set(statuses) == {200}
    assert len(statuses) > PAGES + 20
    assert calls <= MOST_CALLS_A_MINUTE * took_s / 60 + 3  # the edges of the window may cut a round in two
    assert calls >= READINGS, "slurmctld counts what the portal says it did."


def test_portal_and_hub_are_small(site: DemoSite) -> None:
    resident = 0
    for service in ("portal", "hub"):
        status = site.run("cat", f"/proc/{site.service(service)['pid']}/status")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        resident += int(found[1]) // 1024
    assert resident < MOST_MEMORY_MB
