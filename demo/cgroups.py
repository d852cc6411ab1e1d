"""Confinement of jobs by the machine's cgroups: whether it can be had, and what is left of it at the end."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
CONTROLLERS = ("devices", "freezer", "memory")


def usable(root: Path = ROOT) -> bool:
    """Tell whether Slurm's cgroup/v1 will work here, by making a group in each hierarchy it needs."""
    for controller in CONTROLLERS:
        probe = root / controller / f"portal-demo.{os.getpid()}"
        try:
            if not (root / controller / "release_agent").exists():
                return False
            probe.mkdir()
            probe.rmdir()
        except OSError:
            return False
    return True


def cgroup_conf(version: tuple[int, int], root: Path = ROOT) -> str:
    lines = ["CgroupPlugin=cgroup/v1", f"CgroupMountpoint={root}"]
    if version < (23, 11):
        lines.append("CgroupAutomount=no")
    return "\n".join([*lines, "ConstrainDevices=yes", "ConstrainRAMSpace=yes", "ConstrainCores=no"]) + "\n"


def remove_left(nodes: list[str], root: Path = ROOT) -> None:
    """Remove the empty groups that slurmd leaves behind."""
    for node in nodes:
        for top in root.glob(f"*/slurm_{node}"):
            for folder, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(folder)
                except OSError:
                    continue  # something lives in it still; harmless, and found again next time
