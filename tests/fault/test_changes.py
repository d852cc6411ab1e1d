"""What a waiting session asks for is changed while the portal is killed at each step: there is always a job, and never
two that could start.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import httpx2

from tests.demo_site import INSIDE, DemoSite
from tests.fillers import fill
from tests.integration.test_own_time import asked_of
from tests.person import Live, Person

#: The commands of a change in place and of a new job, each held before and after it has done its work.
STEPS = [(program, when) for program in ("scontrol", "sbatch", "scancel") for when in ("before", "after")]
#: Runs the real program; holds before and after it where the test says so, by one of its arguments.
WRAPPER = """#!/bin/sh
hold() {
    for one in "$@"; do
        [ -e "FOLDER/$name.$when.$one" ] || continue
        : > "FOLDER/reached/$name.$when.$one"
        while [ -e "FOLDER/$name.$when.$one" ]; do sleep 0.05; done
    done
}
name=${0##*/} when=before
hold "$@"
BIN/"$name" "$@"
code=$?
when=after
hold "$@"
exit $code
"""
SETTLED_S = 180


@contextmanager
def held_commands(site: DemoSite) -> Iterator[str]:
    """Let the door use wrappers that can be held; yield their folder."""
    config_file = str(INSIDE / "libexec" / "portal-door.json")
    config = json.loads(site.run("cat", config_file))
    folder = site.run("mktemp", "-d", "/run/held.XXXXXX").strip()
    bin_dir = config.get("bin_dir", "/usr/bin")
    site.run("mkdir", f"{folder}/reached")
    site.run(
        "sh",
        "-c",
        f"ln -s {bin_dir}/squeue {bin_dir}/srun {folder}/ && chmod 755 {folder} && chmod 1777 {folder}/reached",
    )
    for program in ("scontrol", "sbatch", "scancel"):
        text = WRAPPER.replace("FOLDER", folder).replace("BIN", bin_dir)
        site.run("sh", "-c", f"cat > {folder}/{program} && chmod 755 {folder}/{program}", stdin=text)
    changed = json.dumps(config | {"bin_dir": folder})
    site.run("sh", "-c", f"cat > {config_file}", stdin=changed)
    try:
        yield folder
    finally:
        site.run("sh", "-c", f"cat > {config_file}", stdin=json.dumps(config))
        site.run("rm", "-r", folder)


class Watch(threading.Thread):
    """Counts each session's jobs in Slurm, again and again, until told to stop."""

    def __init__(self, site: DemoSite, names: set[str]) -> None:
        super().__init__()
        self._site, self._names = site, names
        self._over = threading.Event()
        self.seen: list[tuple[str, list[str]]] = []

    def run(self) -> None:
        while not self._over.is_set():
            done = self._site.process("squeue", "--noheader", "--format=%j|%i|%T|%E")
            if done.returncode == 0:
                jobs = [line.split("|") for line in done.stdout.splitlines()]
                self.seen += [(name, [f"{i} {t} {r}" for n, i, t, r in jobs if n == name]) for name in self._names]
            self._over.wait(0.2)

    def end(self) -> None:
        self._over.set()
        self.join()


def test_there_is_one_job_at_whatever_step_the_portal_is_killed(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    fill(site)
    people = [person(name) for name in ("alice", "bob", "carol")]
    lives = [people[at % 3].start(f"Change {program} {when}", gpus=2) for at, (program, when) in enumerate(STEPS)]
    for live in lives:
        live.until("queued")
        live.saved()

    with held_commands(site) as folder:
        holds = [hold_of(live, *step) for live, step in zip(lives, STEPS, strict=True)]
        site.run("touch", *(f"{folder}/{hold}" for hold in holds))
        watch = Watch(site, {f"dsp-{live.id}" for live in lives})
        watch.start()
        with ThreadPoolExecutor(len(lives)) as pool:
            for live, (program, _) in zip(lives, STEPS, strict=True):
                pool.submit(change, live, new_job=program != "scontrol")
            reached = lambda: set(site.run("ls", f"{folder}/reached").split()) == set(holds)  # noqa: E731
            site.wait_for(reached, "each change to be at its step", 60)
            site.kill("portal")
            site.run("sh", "-c", f"rm {folder}/s*.before.* {folder}/s*.after.*")
            site.start("portal")
        site.wait_for(
            lambda: all(asked_of(site, live, "change") == "" for live in lives), "every change to be settled", SETTLED_S
        )
        watch.end()

    for live in lives:
        site.wait_for(lambda live=live: one_job(site, live), f"{live.now()['name']} to have one job", SETTLED_S)
        session, job = live.now(), live.job()
        assert session["state"] == "queued"
        assert session["resources"]["gpus"] in (1, 2)
        assert gpus_of(job) == session["resources"]["gpus"]
    twice = [(name, jobs) for name, jobs in watch.seen if len([job for job in jobs if "after" not in job]) > 1]
    assert not twice
    assert [name for name, jobs in watch.seen if not jobs] == []
    for live in lives:
        live.stop()
    for live in lives:
        live.ended()
    assert [job for job in site.jobs() if job["name"].startswith("dsp-")] == []


def change(live: Live, *, new_job: bool) -> None:
    body = {"resources": {"gpus": 1}, "new_job": new_job}
    with suppress(httpx2.TransportError):
        live.owner.api("PUT", f"/sessions/{live.id}/resources", json=body)


def hold_of(live: Live, program: str, when: str) -> str:
    argument = {
        "scontrol": f"jobid={live.now()['job_id']}",
        "sbatch": f"--job-name=dsp-{live.id}",
        "scancel": str(live.now()["job_id"]),
    }
    return f"{program}.{when}.{argument[program]}"


def one_job(site: DemoSite, live: Live) -> bool:
    jobs = [int(job["id"]) for job in site.jobs() if job["name"] == f"dsp-{live.id}"]
    return jobs == [live.now()["job_id"]]


def gpus_of(job: dict[str, Any]) -> int:
    wanted = job.get("TresPerNode", "")
    return int(wanted.rpartition(":")[2]) if wanted else 0
