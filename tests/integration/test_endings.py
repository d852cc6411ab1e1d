"""Every way a session can end, provoked for real: each is explained, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.demo_site import DemoSite
from tests.person import Live, Person

TAKE_TOO_MUCH = """
import subprocess, sys
print(subprocess.run([sys.executable, "-c", "bytearray(1500 * 2**20)"]).returncode)
"""


@pytest.fixture(scope="module")
def short(kept_site: DemoSite, person: Callable[[str], Person]) -> Live:
    """A session of one minute, begun before the other tests of this module, to be over after them."""
    return person("dave").ready("One minute", gpus=0, walltime_s=60)


@pytest.fixture(scope="module")
def robbed(kept_site: DemoSite, person: Callable[[str], Person]) -> Live:
    """A session whose every process is killed at once, before the other tests of this module; noticed after them."""
    admin = person("admin")
    asked = {"app": "jupyterlab", "resources": {"gpus": 1}}
    # Placed at once, it has no batch script with which Slurm would end the job.
    kept_site.wait_for(
        lambda: admin.api("POST", "/sessions/check", json=asked).json()["starts"] == "now",
        "the portal to know the nodes",
    )
    live = admin.ready("Robbed", gpus=1)
    kept_site.run("pkill", "-KILL", "-u", "admin")
    return live


def gone(site: DemoSite, session: dict) -> bool:
    return str(session["job_id"]) not in [job["id"] for job in site.jobs()]


def test_session_is_told_cancelled_when_its_job_is_cancelled_from_outside(
    kept_site: DemoSite, person: Callable[[str], Person], short: Live, robbed: Live
) -> None:
    live = person("alice").ready(gpus=1)
    kept_site.run("scancel", str(live.now()["job_id"]), user="alice")
    session = live.ended(timeout_s=20)
    assert session["end"]["code"] == "slurm_cancelled"
    assert "Slurm" in session["reason"]
    assert session["end"]["advice"]


def test_queued_session_is_told_cancelled_when_its_job_is_cancelled_from_outside(
    kept_site: DemoSite, person: Callable[[str], Person], short: Live
) -> None:
    live = person("alice").start(gpus=1, partition="debug", walltime_s=600)
    kept_site.run(
        "scontrol", "hold", str(live.until("queued", "allocated", "starting", "ready")["job_id"]), check=False
    )
    kept_site.run("scancel", str(live.now()["job_id"]))
    assert live.ended(timeout_s=20)["end"]["code"] == "slurm_cancelled"


def test_session_is_finished_when_jupyter_is_shut_down_from_inside(
    kept_site: DemoSite, person: Callable[[str], Person], short: Live
) -> None:
    live = person("bob").ready(gpus=1)
    assert live.owner.web.post(f"{live.address}api/shutdown").status_code == 200
    session = live.ended(timeout_s=20)
    assert (session["end"]["code"], session["end"]["exit_code"]) == ("finished", 0)
    assert gone(kept_site, session)


def test_session_tells_that_its_app_failed_when_the_app_is_killed(
    kept_site: DemoSite, person: Callable[[str], Person], short: Live
) -> None:
    live = person("bob").ready(gpus=0)
    kernel = live.kernel()
    parent = kernel.value("__import__('os').getppid()")
    kept_site.run("bash", "-c", f"kill -KILL {parent}", user="bob")
    session = live.ended(timeout_s=20)
    assert session["end"]["code"] == "app_failed"
    assert session["end"]["exit_code"] == 128 + 9
    assert "SIGKILL" in session["end"]["text"]
    assert gone(kept_site, session)
    assert kept_site.run("pgrep", "-u", "bob", check=False) == "", "The kernel of a dead server lives on."


def test_session_tells_that_memory_ran_out_when_a_notebook_takes_too_much(
    kept_site: DemoSite, person: Callable[[str], Person], short: Live
) -> None:
    if "proctrack/cgroup" not in kept_site.run("scontrol", "show", "config"):
        pytest.skip("This machine's cgroups cannot confine memory.")
    live = person("carol").ready(gpus=0, memory_mib=1024)
    kernel = live.kernel()
    with live.follow() as frames:
        assert kernel.run(TAKE_TOO_MUCH) == "-9\n"
        message = next(data["message"] for kind, data in frames if kind == "progress" and "memory" in data["message"])
        assert "ran out of memory" in message
        uses = (data["usage"] or {} for kind, data in frames if kind == "session")
        use = next(use for use in uses if use.get("memory_kills"))
    assert use["memory_kills"] == 1
    assert use["memory_killed_at"] <= use["at"]
    assert kernel.value("1 + 1") == 2, "Only the process that took too much is ended."
    live.stop()
    assert live.ended()["end"]["code"] in ("stopped", "oom")


def test_session_ends_by_itself_when_its_time_is_up(kept_site: DemoSite, short: Live) -> None:
    """Slurm looks at limits twice a minute: 1:00 to 1:30 after the start, then KillWait."""
    session = short.ended(timeout_s=120)
    assert session["end"]["code"] == "time_limit"
    assert session["end"]["advice"]
    assert gone(kept_site, session)
    warned = [event["message"] for event in short.events() if "end" in event["message"].lower()]
    assert any("minute" in message or "second" in message for message in warned), warned


def test_session_whose_processes_were_killed_gives_its_resources_back(
    kept_site: DemoSite, person: Callable[[str], Person], robbed: Live
) -> None:
    """Last of this module: nobody on the node can tell, so the portal has to find out, and it is slow to conclude."""
    session = robbed.ended(timeout_s=240)
    assert (session["end"]["code"], session["started_at"] is not None) == ("step_gone", True)
    assert session["end"]["advice"]
    kept_site.wait_for(lambda: gone(kept_site, session), "the allocation to be given back")
