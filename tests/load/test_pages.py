"""Many open pages cost Slurm nothing, and the portal little."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import aiohttp

from tests.demo_site import API, DemoSite
from tests.person import Person

PAGES = 100
READINGS = 8
MOST_PROGRAMS_A_MINUTE = 30
MOST_REQUESTS_EACH = 3  # what one of Slurm's programs asks of slurmctld
#: Python 3.13 and newer take a sixth more for the same modules.
MOST_MEMORY_MIB = 300 if sys.version_info < (3, 13) else 350


def metric(site: DemoSite, name: str) -> float:
    text = site.metrics()
    match = re.search(rf"^{re.escape(name)} ([\d.e+]+)$", text, re.MULTILINE)
    return float(match[1]) if match else 0.0


def programs_run(site: DemoSite) -> int:
    """Slurm's programs that the portal has run, every kind, for whatever purpose."""
    text = site.metrics()
    return sum(
        int(float(value)) for value in re.findall(r"^portal_slurm_command_seconds_count{.*} (\S+)$", text, re.MULTILINE)
    )


def requests_by_the_portal(site: DemoSite) -> int:
    """What slurmctld itself counts of the portal's account."""
    match = re.search(r"^\s*portal\s*\(\s*\d+\) count:(\d+)", site.run("sdiag"), re.MULTILINE)
    return int(match[1]) if match else 0


def test_portal_and_hub_are_small(site: DemoSite) -> None:
    """At rest, so this comes first: `./dev bench load` says what sessions and pages add."""
    resident = 0
    for service in ("portal", "hub"):
        status = site.run("cat", f"/proc/{site.service(service)['pid']}/status")
        match = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert match
        resident += int(match[1]) // 1024
    assert resident < MOST_MEMORY_MIB


def test_slurm_is_asked_no_more_often_for_a_hundred_open_pages(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    alice.ready(gpus=0)
    headers = [{"Authorization": f"token {each.token}"} for each in (alice, person("bob"))]

    async def watch() -> tuple[int, int, float, list[int]]:
        connector = aiohttp.TCPConnector(limit=0)
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(aiohttp.ClientSession(headers=headers[0], connector=connector))
            pages = [
                await stack.enter_async_context(client.get(f"{site.url}{API}/events", headers=headers[number % 2]))
                for number in range(PAGES)  # more than one person may have open
            ]
            assert metric(site, "portal_event_readers") >= PAGES
            programs, requests, readings, began = (
                programs_run(site),
                requests_by_the_portal(site),
                metric(site, 'portal_slurm_calls_total{part="jobs"}'),
                time.monotonic(),
            )
            answers = []
            while metric(site, 'portal_slurm_calls_total{part="jobs"}') < readings + READINGS:
                for path in ("/sessions", "/options", "/site"):
                    async with client.get(f"{site.url}{API}{path}") as answer:
                        answers.append(answer.status)
            took_s = time.monotonic() - began
            status = [page.status for page in pages]
            return programs_run(site) - programs, requests_by_the_portal(site) - requests, took_s, answers + status

    programs, requests, took_s, statuses = asyncio.run(asyncio.wait_for(watch(), 120))
    assert set(statuses) == {200}
    assert len(statuses) > PAGES + 20
    assert READINGS <= programs <= MOST_PROGRAMS_A_MINUTE * took_s / 60 + 3  # the window's edges may cut a round in two
    assert READINGS <= requests <= MOST_REQUESTS_EACH * programs, "slurmctld counts what the portal says it did."
