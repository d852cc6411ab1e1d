"""The demo site that a benchmark runs on, and programs started inside it with minimal overhead."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo import commands
from demo.processes import KEPT_VARIABLES
from demo.site import CLONE, INSIDE
from tests.demo_site import DemoSite, demo_site

FOLDER = INSIDE / "bench"
"""Where benchmarks keep what they make, as the site's processes see it."""
QUIET_LOAD = 0.7


@dataclass(frozen=True)
class Resources:
    """The resources that every contestant requests from Slurm."""

    partition: str = "sxm2"
    gpus: int = 1
    cpus: int = 8
    memory_mib: int = 49_152
    walltime_s: int = 8 * 3600


@contextmanager
def testbed(folder: Path | None) -> Iterator[DemoSite]:
    """Yield the running site of `folder`, or (None) a fresh one that ends with the benchmark."""
    if folder is not None:
        yield DemoSite(folder.resolve())
        return
    print("Bringing up a demo site for the benchmark …", flush=True)
    with demo_site() as site:
        yield site


def outside(site: DemoSite, path: Path) -> Path:
    """Translate a path inside the site to the machine's."""
    return site.folder / path.relative_to(INSIDE)


def inside(site: DemoSite, *argv: str | Path, user: str = "root") -> list[str]:
    """Return the argv that runs a program inside the site."""
    words = [str(word) for word in argv]
    if os.geteuid() == 0:
        return commands.inside(site.folder, words, user=user)
    return ["env", f"DSP_DEMO_DIR={site.folder}", str(CLONE / "dev"), "exec", "--user", user, *words]


def run_inside(site: DemoSite, *argv: str | Path, user: str = "root", stdin: str | None = None) -> str:
    """Run a program inside the site and return its output. Raises RuntimeError if it fails."""
    done = subprocess.run(inside(site, *argv, user=user), input=stdin, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, argv[:4]))} … ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def jobs_left(site: DemoSite) -> list[str]:
    """Return the ids of the jobs that are still pending or running."""
    return run_inside(site, "squeue", "--noheader", "--format", "%A").split()


def registry_variables() -> list[str]:
    """Return this machine's settings for package registries, as arguments of env(1)."""
    environ: Mapping[str, str] = os.environ
    return [f"{name}={value}" for name, value in environ.items() if KEPT_VARIABLES.fullmatch(name)]


def warn_of_load() -> None:
    """Warn if the machine is busy with other work, which would distort the timings."""
    load = os.getloadavg()[0]
    cores = os.cpu_count() or 1
    if load > QUIET_LOAD * cores:
        print(f"! Load {load:.1f} on {cores} cores before the start: the timings will show it.", file=sys.stderr)
