"""Bounds of the door on a real site: how many run, what a user can do to one, and what a full disk does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from demo.namespace import DOOR
from tests.demo_site import INSIDE, DemoSite
from tests.person import Person

LISTINGS = 300
#: Of each door: sudo, the half that is root's, the half that is the user's.
PROCESSES = 3
#: `slurm.doors.looks_per_user`, as it is by default.
PER_USER = 4


def doors(site: DemoSite, user: str | None = None) -> list[int]:
    of = ["-u", user] if user else []
    return [int(part) for part in site.run("pgrep", *of, "-f", f"{DOOR}$", check=False).split()]


def ask(site: DemoSite, verb: str, **fields: Any) -> dict[str, Any]:
    done = site.process("sudo", "-n", str(DOOR), user="portal", stdin=json.dumps({"verb": verb, **fields}))
    return dict(json.loads(done.stdout))


def test_hundreds_of_listings_at_once_are_few_doors_and_keep_nobody_else_waiting(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice, bob = person("alice"), person("bob")
    alice.api("GET", "/files"), bob.api("GET", "/files")
    most, waits, over = 0, [], threading.Event()

    def count() -> None:
        nonlocal most
        while not over.is_set():
            most = max(most, len(doors(site)))

    def list_as_bob() -> None:
        began = time.monotonic()
        assert bob.api("GET", "/files").status_code == 200
        waits.append(time.monotonic() - began)

    with ThreadPoolExecutor(LISTINGS + 1) as pool:
        counting = pool.submit(count)
        flood = [pool.submit(alice.api, "GET", "/files") for _ in range(LISTINGS)]
        while not all(future.done() for future in flood):
            list_as_bob()
        over.set()
        counting.result()
    answers = [future.result() for future in flood]
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert all(answer.headers["Retry-After"] for answer in answers if answer.status_code == 429)
    print(f"{most} processes of doors at the most; bob waited {sorted(waits)} s")
    assert PROCESSES < most <= (PER_USER + 1) * PROCESSES
    assert sorted(waits)[len(waits) // 2] < 1


@pytest.fixture
def silent_slurm(site: DemoSite) -> None:
    """Slurm does not answer, so that a door is at work for as long as it may be; the portal asks nothing."""
    site.pause("portal")
    site.pause("slurmctld")


def test_door_that_its_user_stops_is_answered_and_gone_at_its_deadline(site: DemoSite, silent_slurm: None) -> None:
    answers: list[dict[str, Any]] = []
    asking = threading.Thread(
        target=lambda: answers.append(ask(site, "cancel", user="alice", job_id=99_999, deadline_s=5))
    )
    began = time.monotonic()
    asking.start()
    site.wait_for(lambda: site.run("pgrep", "-u", "alice", "scancel", check=False), "the door to be at work")
    site.run("pkill", "-STOP", "-u", "alice", "-f", "portal-door", user="alice")
    site.run("pkill", "-STOP", "-u", "alice", "scancel", user="alice")
    asking.join(timeout=30)
    assert answers[0]["error"]["code"] == "timeout"
    assert time.monotonic() - began < 15
    site.wait_for(lambda: not doors(site), "the door to be gone")
    site.wait_for(lambda: not site.run("pgrep", "-u", "alice", "scancel", check=False), "its command to be gone")
    assert site.log("portal-door").splitlines()[-1].endswith("refused=timeout")


def test_door_that_its_user_kills_is_known_to_be(site: DemoSite, silent_slurm: None) -> None:
    answers: list[dict[str, Any]] = []
    asking = threading.Thread(
        target=lambda: answers.append(ask(site, "cancel", user="alice", job_id=99_999, deadline_s=20))
    )
    asking.start()
    site.wait_for(lambda: site.run("pgrep", "-u", "alice", "scancel", check=False), "the door to be at work")
    site.run("pkill", "-KILL", "-u", "alice", "-f", "portal-door", user="alice")
    asking.join(timeout=10)
    assert answers[0]["error"]["code"] == "ended"
    assert site.log("portal-door").splitlines()[-1].endswith("refused=ended")


@contextmanager
def full_log(site: DemoSite) -> Iterator[str]:
    """Put the audit log on a file system of its own that has no room left."""
    folder, config = f"{INSIDE}/full", f"{DOOR}.json"
    before = site.run("cat", config)
    site.run("mkdir", "-p", folder)
    site.run("mount", "-t", "tmpfs", "-o", "size=16k", "none", folder)
    try:
        site.run("sh", "-c", f"cat > {config}", stdin=json.dumps(json.loads(before) | {"log": f"{folder}/log"}))
        site.run("sh", "-c", f"head -c 20k /dev/zero > {folder}/fill; printf 'before\\n' > {folder}/log", check=False)
        yield folder
    finally:
        site.run("sh", "-c", f"cat > {config}", stdin=before)
        site.run("umount", folder)


def test_nothing_is_done_that_the_log_cannot_hold(site: DemoSite) -> None:
    site.pause("portal")
    request = {"user": "alice", "script": "#!/bin/sh\nsleep 60\n", "workdir": None, "partition": None}
    request |= {"token": None, "meter": None}
    with full_log(site) as folder:
        refused = ask(site, "job_submit", **request, deadline_s=10)
        assert refused["error"]["code"] == "configuration"
        assert "cannot be written: No space left on device" in refused["error"]["message"]
        assert site.jobs() == []
        site.run("rm", f"{folder}/fill")
        answer = ask(site, "job_submit", **request, deadline_s=10)
        assert answer["ok"]
        assert [job["id"] for job in site.jobs()] == [str(answer["job_id"])]
        lines = [line for line in site.run("cat", f"{folder}/log").splitlines() if line]
        assert [line.split()[-1] for line in lines[-2:]] == ["begins", "done"]
        assert f"script=(bytes={len(request['script'] or '')},sha256=" in lines[-1]
