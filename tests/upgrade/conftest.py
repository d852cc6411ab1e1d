"""One site of the earlier version, upgraded once while its users are at work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.demo_site import keep_logs
from tests.fillers import fill
from tests.person import Kernel, Live, Person
from tests.upgrade.site_before import SiteBefore, site_before

SMALL = {"gpus": 1, "cpus": 2, "memory_mib": 4096}


@dataclass(frozen=True)
class AtWork:
    """What users had before the upgrade, each session with its state then."""

    lab: Live
    kernel: Kernel
    terminal: Live
    spare: Live
    queued: Live
    browser: httpx2.Client
    batch_job: int
    then: dict[str, dict[str, Any]]
    addresses: dict[str, str]
    fillers: list[str]


@pytest.fixture(scope="session")
def shared_site(request: pytest.FixtureRequest) -> Iterator[SiteBefore]:
    with site_before() as site:
        yield site
        if request.session.testsfailed:
            print(f"\nThe site's logs are in {keep_logs(site)}")


@pytest.fixture(scope="session")
def at_work(shared_site: SiteBefore, person: Callable[[str], Person]) -> Iterator[AtWork]:
    """Start work on the earlier version, and upgrade the site."""
    with shared_site.browser("alice") as browser:
        before = begin_work(shared_site, person("alice"), person("bob"), browser)
        shared_site.upgrade()
        yield before
        shared_site.tidy()


def begin_work(site: SiteBefore, alice: Person, bob: Person, browser: httpx2.Client) -> AtWork:
    fillers = fill(site, nodes=3)
    lab = alice.start("Lab", **SMALL)
    terminal = alice.open("terminal", name="Shell", resources={**SMALL, "gpus": 0})
    spare = bob.start("Spare", **SMALL)
    for live in (lab, terminal, spare):
        live.until("ready")
    kernel = lab.kernel()
    kernel.run("kept = 41 + 1")
    script = "#!/bin/bash\n#SBATCH --time=10\n#SBATCH --mem=100\nsleep 600\n"
    submitted = bob.api("POST", "/jobs", json={"script": script})
    assert submitted.status_code < 300, submitted.text
    queued = bob.start("Queued", gpus=4)
    queued.until("queued")
    running = (lab, terminal, spare)
    then = {live.id: live.now() for live in (*running, queued)}
    browser.get(lab.url).raise_for_status()
    addresses = {live.id: live.address for live in running}
    return AtWork(lab, kernel, terminal, spare, queued, browser, submitted.json()["id"], then, addresses, fillers)
