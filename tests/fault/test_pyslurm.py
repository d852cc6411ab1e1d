"""The child that pyslurm runs in is ended or frozen under the portal, and slurmctld under the child: the portal reads
on by Slurm's commands, says so, loses no session, and reads by pyslurm again.

On sites that read by it: ./dev test --client pyslurm fault
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

import pytest

from tests.demo_site import DemoSite
from tests.person import Person

pytestmark = pytest.mark.skipif(
    os.environ.get("DSP_DEMO_CLIENT") != "pyslurm",
    reason="without ./dev test --client pyslurm: tests/unit/slurm/test_library.py does the same to a child of its own",
)
STARTED = re.compile(r"slurm\.pyslurm\.started.*\bpid\W+(\d+)")
#: The first pause, and what a reading may take that fails.
BACK_WITHIN_S = 40


def child(site: DemoSite) -> str:
    """Return the process that pyslurm runs in, as the site's processes number theirs."""
    return STARTED.findall(site.log("portal"))[-1]


def away(site: DemoSite) -> str:
    """Return what the log last reported about it."""
    return next((line for line in reversed(site.log("portal").splitlines()) if "slurm.pyslurm.away" in line), "")


def reads_by(admin: Person) -> str:
    parts = admin.api("GET", "/admin/health").json()["parts"]
    return str(next(part["message"] for part in parts if part["name"] == "watcher"))


def by_pyslurm_again(site: DemoSite, admin: Person, before: str, within_s: float = BACK_WITHIN_S) -> None:
    site.wait_for(lambda: child(site) != before, "another child", within_s)
    site.wait_for(lambda: "by pyslurm 2" in reads_by(admin), "Health to say that pyslurm reads", within_s)


@pytest.mark.parametrize(("signal", "trouble"), [("KILL", "ended by signal 9"), ("STOP", "did not answer within")])
def test_child_that_dies_or_hangs_is_replaced_and_meanwhile_the_commands_read(
    site: DemoSite, person: Callable[[str], Person], signal: str, trouble: str
) -> None:
    admin, alice, bob = person("admin"), person("alice"), person("bob")
    live = alice.ready(gpus=1)
    before = child(site)
    site.run("sh", "-c", f"kill -{signal} {before}")
    new = bob.ready(gpus=1)
    site.wait_for(lambda: trouble in away(site), "the portal to tell that pyslurm is away", BACK_WITHIN_S)
    by_pyslurm_again(site, admin, before)
    assert site.process("sh", "-c", f"kill -0 {before}").returncode, "What hung is ended."
    assert [live.now()["state"] for live in (live, new)] == ["ready", "ready"]
    new.stop()
    assert new.ended()["end"]


def test_slurmctld_that_comes_back_is_read_by_pyslurm_at_once(site: DemoSite, person: Callable[[str], Person]) -> None:
    """However long it was away: that pyslurm heard nothing of it meanwhile is no fault of pyslurm's."""
    admin, alice = person("admin"), person("alice")
    live = alice.ready(gpus=1)
    live.saved()
    site.kill("slurmctld")
    site.wait_for(lambda: alice.api("GET", "/site").json()["slurm"]["state"] == "down", "the portal to see it", 60)
    down_at = time.monotonic()
    site.wait_for(lambda: time.monotonic() > down_at + 45, "it to be down for some readings", 50)
    site.start("slurmctld")
    site.wait_for(lambda: alice.api("GET", "/site").json()["slurm"]["state"] == "up", "the portal to see it", 60)
    site.wait_for(lambda: "by pyslurm 2" in reads_by(admin), "Health to say that pyslurm reads", BACK_WITHIN_S)
    assert live.now()["state"] == "ready"
