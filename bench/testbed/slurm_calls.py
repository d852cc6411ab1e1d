"""Counts the Slurm programs that the portal and its door start, with wrappers placed where they look for them.

Each wrapper in this folder appends its name to a file and execs Slurm's program of the same name. So it counts
processes that were really started, whatever the portal's own metrics say; slurmctld's own count serves as a check.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from bench.testbed.site import FOLDER, outside, run_inside
from demo.namespace import DOOR, PORTAL_USER
from demo.site import INSIDE
from tests.demo_site import DemoSite

SLURM = Path("/usr/bin")
PROGRAMS = [
    "sacct",
    "sacctmgr",
    "salloc",
    "sbatch",
    "scancel",
    "scontrol",
    "sdiag",
    "sinfo",
    "sprio",
    "squeue",
    "srun",
    "sshare",
    "sstat",
    "strigger",
]
COUNTING = FOLDER / "slurm-bin"
STARTED = FOLDER / "slurm-calls"


class SlurmCalls:
    """Slurm calls counted so far; the difference between two readings is what happened in between."""

    def __init__(self, site: DemoSite) -> None:
        self._site = site
        self._file = outside(site, STARTED)

    def programs(self) -> Counter[str]:
        """Return how often each program was started."""
        return Counter(self._file.read_text().split())

    def requests(self) -> int:
        """Return how many requests slurmctld has received from the portal's account, by its own count (sdiag(1))."""
        match = re.search(rf"^\s*{PORTAL_USER}\s.*count:(\d+)", run_inside(self._site, "sdiag"), re.MULTILINE)
        return int(match[1]) if match else 0


def install(site: DemoSite) -> SlurmCalls:
    """Install the counting programs between Slurm and this site's portal and door."""
    run_inside(site, "mkdir", "-p", COUNTING)
    for program in PROGRAMS:
        script = f'#!/bin/sh\necho {program} >>{STARTED}\nexec {SLURM}/{program} "$@"\n'
        run_inside(site, "install", "-m", "755", "/dev/stdin", COUNTING / program, stdin=script)
    run_inside(site, "install", "-m", "666", "/dev/null", STARTED)

    settings = INSIDE / "portal" / "portal.toml"
    with_folder = f'[slurm]\nbin_dir = "{COUNTING}"'
    text, number = re.subn(r"^\[slurm\]$", with_folder, run_inside(site, "cat", settings), flags=re.MULTILINE)
    if number != 1:
        raise RuntimeError(f"{settings} has no [slurm] section to put bin_dir in.")
    run_inside(site, "tee", settings, stdin=text)

    door = DOOR.with_name(DOOR.name + ".json")
    config = json.loads(run_inside(site, "cat", door)) | {"bin_dir": str(COUNTING)}
    run_inside(site, "tee", door, stdin=json.dumps(config))
    site.restart("portal")
    return SlurmCalls(site)
