"""What a waiting session asks for is changed while the portal or slurmctld is killed at each step: there is always a
job, and never two that could start.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import httpx2
import pytest

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
STATE = "/run/portal-demo/slurm/state"


@pytest.fixture(scope="module", autouse=True)
def restarted_slurmctld(shared_site: DemoSite) -> None:
    """Slurm 22.05 that was killed while a job ended, as in an earlier module, counts GPUs wrongly until a restart."""
    shared_site.restart("slurmctld")


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


@contextmanager
def watched(site: DemoSite, lives: list[Live]) -> Iterator[Watch]:
    watch = Watch(site, {f"dsp-{live.id}" for live in lives})
    watch.start()
    try:
        yield watch
    finally:
        watch.end()


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
    lives = waiting(site, person, STEPS)
    with held_commands(site) as folder, watched(site, lives) as watch, ThreadPoolExecutor(len(lives)) as pool:
        reach(site, pool, folder, dict(zip(lives, STEPS, strict=True)))
        site.kill("portal")
        site.run("sh", "-c", f"rm {folder}/s*.before.* {folder}/s*.after.*")
        site.start("portal")
        settled(site, lives)
    never_none_and_never_two(site, lives, watch)


@pytest.mark.parametrize("forgotten", ["nothing", "the old job's end"])
def test_there_is_one_job_at_whatever_step_slurmctld_is_killed(
    site: DemoSite, person: Callable[[str], Person], forgotten: str
) -> None:
    """slurmctld saves its state within 5 s: a killed one has forgotten what came after. Here it comes back with the
    last state, or with the one before the old jobs left.
    """
    steps = [*STEPS, ("scancel", "answered")]
    lives = waiting(site, person, steps)
    at = dict(zip(lives, steps, strict=True))
    names = {live: in_state(live) for live in lives}
    late = [live for live, (program, _) in at.items() if program == "scancel"]
    with held_commands(site) as folder, watched(site, lives) as watch, ThreadPoolExecutor(len(lives)) as pool:
        asked = reach(site, pool, folder, {live: ("scancel", "before") if live in late else at[live] for live in at})
        site.wait_for(lambda: all(in_state(live) > names[live] for live in late), "slurmctld to save the new jobs")
        keep_state(site)
        before, after, answered = late
        site.run("touch", f"{folder}/{hold_of(after, 'scancel', 'after')}")
        site.run("rm", *(f"{folder}/{hold_of(live, 'scancel', 'before')}" for live in (after, answered)))
        reached(site, folder, {hold_of(after, "scancel", "after")})
        asked[answered].result(60)
        kill_slurmctld(site, folder, forgets=forgotten != "nothing")
        settled(site, lives)
    assert before.now()["resources"]["gpus"] == 1
    never_none_and_never_two(site, lives, watch)


def test_there_is_one_job_when_slurmctld_forgets_what_it_had_not_saved(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    steps = [*STEPS[:4], ("scontrol", "answered")]
    lives = waiting(site, person, steps)
    with held_commands(site) as folder, watched(site, lives) as watch, ThreadPoolExecutor(len(lives)) as pool:
        keep_state(site)
        asked = pool.submit(change, lives[-1], new_job=False)
        reach(site, pool, folder, dict(zip(lives[:-1], steps, strict=False)))
        asked.result(60)
        assert lives[-1].now()["resources"]["gpus"] == 1
        kill_slurmctld(site, folder, forgets=True)
        settled(site, lives)
    assert lives[-1].now()["resources"]["gpus"] == 2, "it says that the change is lost"
    never_none_and_never_two(site, lives, watch)


def kill_slurmctld(site: DemoSite, folder: str, *, forgets: bool) -> None:
    """Kill it, let what was held go on meanwhile, and start it with its last state, or with the one that was kept."""
    site.kill("slurmctld")
    if forgets:
        site.run("sh", "-c", f"rm -r {STATE} && cp -a {STATE}.kept {STATE}")
    site.run("sh", "-c", f"rm {folder}/s*.before.* {folder}/s*.after.*")
    site.start("slurmctld")


def waiting(site: DemoSite, person: Callable[[str], Person], steps: list[tuple[str, str]]) -> list[Live]:
    """Return a session of 2 GPUs that waits in Slurm's queue, for each of these steps."""
    fill(site)
    people = [person(name) for name in ("alice", "bob", "carol")]
    lives = [people[at % 3].start(f"Change {program} {when}", gpus=2) for at, (program, when) in enumerate(steps)]
    for live in lives:
        live.until("queued")
        live.saved()
    return lives


def in_state(live: Live) -> int:
    """Return how often the state that slurmctld has saved names the session's jobs."""
    look = ("grep", "--text", "--only-matching", f"dsp-{live.id}", f"{STATE}/job_state")
    return len(live.site.process(*look).stdout.split())


def keep_state(site: DemoSite) -> None:
    site.run("sh", "-c", f"rm -rf {STATE}.kept && cp -a {STATE} {STATE}.kept")


def reach(
    site: DemoSite, pool: ThreadPoolExecutor, folder: str, at: dict[Live, tuple[str, str]]
) -> dict[Live, Future[None]]:
    """Ask for the changes, and wait until each is at its step."""
    holds = {hold_of(live, *step) for live, step in at.items()}
    site.run("touch", *(f"{folder}/{hold}" for hold in holds))
    asked = {live: pool.submit(change, live, new_job=step[0] != "scontrol") for live, step in at.items()}
    reached(site, folder, holds)
    return asked


def reached(site: DemoSite, folder: str, holds: set[str]) -> None:
    site.wait_for(lambda: set(site.run("ls", f"{folder}/reached").split()) >= holds, "changes to be at their steps", 60)


def settled(site: DemoSite, lives: list[Live]) -> None:
    site.wait_for(
        lambda: all(asked_of(site, live, "change") == "" for live in lives), "every change to be settled", SETTLED_S
    )
    site.wait_for(lambda: all(one_job(site, live) for live in lives), "every session to have one job", SETTLED_S)


def never_none_and_never_two(site: DemoSite, lives: list[Live], watch: Watch) -> None:
    for live in lives:
        session, job = live.now(), live.job()
        assert session["state"] == "queued", session
        assert session["resources"]["gpus"] in (1, 2)
        assert gpus_of(job) == session["resources"]["gpus"], session
    assert [name for name, jobs in watch.seen if not jobs] == []
    twice = [jobs for _, jobs in watch.seen if len([job for job in jobs if "unfulfilled" not in job]) > 1]
    assert twice == []
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
