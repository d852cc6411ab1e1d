"""Confinement of jobs by the machine's cgroups: detect whether it works, and clean up at the end."""

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
    """Find which of Slurm's plugins should work here, by creating a group where Slurm will create its own."""
    if (root / "cgroup.controllers").exists():
        return Plugin.V2 if "memory" in (_controllers_of_new_group(root / SLICE) or ()) else None
    for hierarchy in (root / controller for controller in CONTROLLERS):
        if not (hierarchy / "release_agent").exists() or _controllers_of_new_group(hierarchy) is None:
            return None
    return Plugin.V1


def cgroup_conf(plugin: Plugin | None, version: tuple[int, int], root: Path = ROOT) -> str:
    """Return Slurm's cgroup.conf; with no plugin, one that keeps slurmd from looking for cgroups that it cannot use."""
    if plugin is None:
        # Without a file, slurmd from 23.11 on detects a plugin itself and exits where that fails.
        return "CgroupPlugin=disabled\n" if version >= (23, 11) else ""
    lines = [f"CgroupPlugin={plugin}", f"CgroupMountpoint={root}"]
    if version < (23, 11):
        lines.append("CgroupAutomount=no")
    if plugin is Plugin.V2:
        lines.append("IgnoreSystemd=yes")
    return "\n".join([*lines, "ConstrainDevices=yes", "ConstrainRAMSpace=yes", "ConstrainCores=no"]) + "\n"


def slurmd_argv(node: str, plugin: Plugin | None, root: Path = ROOT) -> list[str]:
    """Return the command of a node's slurmd.

    With cgroup/v2, slurmd refuses to start in a group that also has processes outside its PID namespace, such as the
    shell that started the site, so each gets a group of its own.
    """
    argv = ["slurmd", "-D", "-N", node]
    if plugin is not Plugin.V2:
        return argv
    enter = 'mkdir -p "$0" && echo $$ > "$0/cgroup.procs" && exec "$@"'
    return ["sh", "-c", enter, str(root / SLICE / f"{node}_slurmd.scope"), *argv]


def remove_left(nodes: list[str], root: Path = ROOT) -> None:
    """Remove the empty groups that slurmd leaves behind."""
    for node in nodes:
        # Under v2, a slurmd that is in a group of its own makes the slice for its jobs beside it, within SLICE.
        names = f"*/slurm_{node}", f"{SLICE}/{node}_slurm*.scope", f"{SLICE}/{SLICE}/{node}_slurm*.scope"
        for top in [path for name in names for path in root.glob(name)]:
            for folder, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(folder)
                except OSError:
                    continue  # still in use; harmless, and found again next time


def _controllers_of_new_group(folder: Path) -> list[str] | None:
    """Create a group and remove it; return the controllers it had (none in v1), or None if no group can be created."""
    probe = folder / f"portal-demo.{os.getpid()}"
    try:
        probe.mkdir()
    except OSError:
        return None
    try:
        return (probe / "cgroup.controllers").read_text().split()
    except FileNotFoundError:
        return []
    finally:
        probe.rmdir()
