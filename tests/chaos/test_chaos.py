"""Random faults while users work: after each, everything agrees again within a minute, and acknowledgements hold.

./dev test chaos --minutes 30 --seed 7
./dev test chaos --minutes 5 --fault "head node cut"
"""

from __future__ import annotations

import json
import os
import random
import secrets
import sqlite3
import statistics
import time
from collections import defaultdict
from typing import Any

import httpx2
import pytest

from tests.chaos.faults import NEWEST_MAY_END, faults
from tests.chaos.invariants import broken, look
from tests.chaos.users import User
from tests.demo_site import RESULTS, DemoSite
from tests.person import Person

RECOVERED_WITHIN_S = 60
#: How long Slurm may take to end jobs: it retries a node only minutes after a slurmctld died and missed the answer.
SLURM_S = 240
HELD_S = (4.0, 12.0)
REST_WITHIN_S = 60
NEW_S = 15
PEOPLE = ("alice", "bob", "carol", "dave")

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the site's disk of its own needs root")


def test_everything_agrees_again_after_each_fault(chaos_site: DemoSite, pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("--seed")
    seed = secrets.randbelow(10_000) if seed is None else seed
    chance = random.Random(seed)  # noqa: S311 - for variety, not for security
    print(f"--seed {seed}")
    users = [User(Person.of(chaos_site, name), chance.randrange(1 << 30)) for name in PEOPLE]
    for user in users:
        user.start()
    took: dict[str, list[tuple[float, float]]] = defaultdict(list)
    try:
        until = time.monotonic() + 60 * pytestconfig.getoption("--minutes")
        waiting: list[str] = []
        lost: set[str] = set()
        while time.monotonic() < until:
            if not waiting:
                waiting = sorted(pytestconfig.getoption("--fault") or faults(chaos_site))
                chance.shuffle(waiting)
            name = waiting.pop()
            time.sleep(chance.uniform(1, 3))
            broken_at = time.monotonic()
            with faults(chaos_site)[name](chaos_site):
                time.sleep(chance.uniform(*HELD_S))
            healed = time.monotonic()
            _rest(users)
            if name in NEWEST_MAY_END:  # also later ones: Slurm reuses the ids of the lost jobs
                lost |= _started(users, broken_at - NEW_S)
            for node in chaos_site.nodes:  # Slurm drains a node whose disk was full, until an administrator looks at it
                chaos_site.process("scontrol", "update", f"nodename={node}", "state=resume")
            slurm_done, last = _agree(chaos_site, users, lost, f"“{name}” (--seed {seed})")
            took[name].append((time.monotonic() - healed, max(slurm_done - healed, 0)))
            print(f"{name}: recovered within {took[name][-1][0]:.0f} s, Slurm {took[name][-1][1]:.0f} s; last: {last}")
            for user in users:
                user.calm.clear()
    finally:
        for user in users:
            user.over.set()
        _write(took, users, seed)
        for user in users:
            user.join(REST_WITHIN_S)
            user.person.close()


def _rest(users: list[User]) -> None:
    """Let all users finish their current step."""
    for user in users:
        user.calm.set()
    deadline = time.monotonic() + REST_WITHIN_S
    for user in users:
        assert user.resting.wait(deadline - time.monotonic()), f"{user.person.name} waits for an answer."
        assert user.failure is None, user.failure


def _started(users: list[User], since: float) -> set[str]:
    return {name for user in users for name, at in list(user.told.started.items()) if at > since}


def _agree(site: DemoSite, users: list[User], lost: set[str], after: str) -> tuple[float, str]:
    """Wait until all invariants hold; return when Slurm had ended the jobs it had to end, and the last violations."""
    began = time.monotonic()
    slurm_done = 0.0
    deadline = began + RECOVERED_WITHIN_S
    last = "nothing"
    while True:
        if site.jobs("--states=COMPLETING") and time.monotonic() < began + SLURM_S:
            slurm_done = time.monotonic()  # until then Slurm itself has not recovered
            deadline = slurm_done + RECOVERED_WITHIN_S
        try:
            wrong = list(broken(look(site, users), users, site, lost))
        except (httpx2.HTTPError, sqlite3.Error, AssertionError) as error:
            wrong = [f"No look at everything was possible: {error!r}"]
        if not wrong:
            return slurm_done, last
        last = "; ".join(wrong)
        assert time.monotonic() < deadline, f"{RECOVERED_WITHIN_S} s after {after}:\n" + "\n".join(wrong)
        time.sleep(1)


def _write(took: dict[str, list[tuple[float, float]]], users: list[User], seed: int) -> None:
    """Add this run to the earlier ones, and write the table of all for the documentation."""
    RESULTS.mkdir(exist_ok=True)
    readings = [user.told for user in users]
    run = {
        "seed": seed,
        "database": os.environ.get("DSP_DEMO_DATABASE") or "sqlite",
        "recovered_within_s": {name: [total for total, _ in each] for name, each in took.items()},
        "of_it_slurm_s": {name: [slurm for _, slurm in each] for name, each in took.items()},
        "sessions started": sum(len(reading.started) for reading in readings),
        "sessions stopped": sum(len(reading.stopped) for reading in readings),
        "jobs submitted": sum(len(reading.submitted) for reading in readings),
        "requests": sum(reading.requests for reading in readings),
        "requests refused or without an answer": sum(reading.refusals for reading in readings),
    }
    with (RESULTS / "chaos.jsonl").open("a") as file:
        file.write(json.dumps(run) + "\n")
    runs = [json.loads(line) for line in (RESULTS / "chaos.jsonl").read_text().splitlines()]
    (RESULTS / "chaos.md").write_text(table(runs))


def table(runs: list[dict[str, Any]]) -> str:
    """Return a Markdown table: fault, times, recovery time, and the users' actions."""
    all_of: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for run in runs:
        for name, each in run["recovered_within_s"].items():
            all_of[name] += zip(each, run["of_it_slurm_s"][name], strict=True)
    lines = [
        "| fault | times | recovered within, s | median, s | after Slurm's last ending job, s |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, each in sorted(all_of.items()):
        totals = [total for total, _ in each]
        ours = max(total - slurm for total, slurm in each)
        lines.append(f"| {name} | {len(each)} | {max(totals):.0f} | {statistics.median(totals):.0f} | {ours:.0f} |")
    figures = [name for name in runs[0] if name not in ("seed", "database", "recovered_within_s", "of_it_slurm_s")]
    lines += ["", f"| run | faults | {' | '.join(figures)} |", "|---|--:" + "|--:" * len(figures) + "|"]
    for run in runs:
        faults_made = sum(map(len, run["recovered_within_s"].values()))
        cells = [f"{run['database']}, `--seed {run['seed']}`", str(faults_made), *(str(run[name]) for name in figures)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
