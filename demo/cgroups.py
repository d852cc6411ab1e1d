"""Confinement of jobs by the machine's cgroups: whether it can be had, and what is left of it at the end."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
CONTROLLERS = ("devices", "freezer", "memory")
SLICE = "system.slice"
"""Where Slurm's cgroup/v2 makes its groups when it is told to leave systemd alone."""


class Plugin(StrEnum):
    V1 = "cgroup/v1"
    V2 = "cgroup/v2"


def usable(root: Path = ROOT) -> Plugin | None:
    """Tell which of Slurm's plugins should work here, by making a group where it will make its own."""
    if (root / "cgroup.controllers").exists():
        known = (root / "cgroup.controllers").read_text().split()
        return Plugin.V2 if "memory" in known and _can_make_groups(root / SLICE) else None
    hierarchies = [root / controller for controller in CONTROLLERS]
    ours = all((hierarchy / "release_agent").exists() and _can_make_groups(hierarchy) for hierarchy in hierarchies)
    return Plugin.V1 if ours else None


def cgroup_conf(plugin: Plugin, version: tuple[int, int], root: Path = ROOT) -> str:
    lines = [f"CgroupPlugin={plugin}", f"CgroupMountpoint={root}"]
    if version < (23, 11):
        lines.append("CgroupAutomount=no")
    if plugin is Plugin.V2:
        lines.append("IgnoreSystemd=yes")
    return "\n".join([*lines, "ConstrainDevices=yes", "ConstrainRAMSpace=yes", "ConstrainCores=no"]) + "\n"


def remove_left(nodes: list[str], root: Path = ROOT) -> None:
    """Remove the empty groups that slurmd leaves behind."""
    for node in nodes:
        for top in [*root.glob(f"*/slurm_{node}"), *root.glob(f"{SLICE}/{node}_slurmstepd.scope")]:
            for folder, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(folder)
                except OSError:
                    continue  # something lives in it still; harmless, and found again next time


def _can_make_groups(folder: Path) -> bool:
    probe = folder / f"portal-demo.{os.getpid()}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return True
