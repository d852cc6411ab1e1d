"""What the cluster has, and what is free now."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import table
from .api import call
from .device import Device


def options(device: Device) -> Any:
    """Return what this user can request, and how much of it is free. Raises Failure."""
    return call(device, "/options")


def print_partitions(shown: Any) -> None:
    """Print a table of the partitions, and when Slurm said so."""
    rows = []
    for one in shown["partitions"]:
        gpus = ", ".join(f"{pool['free']} of {pool['total']} {pool['type'] or 'GPUs'}" for pool in one["gpus"])
        nodes, cpus = one["nodes"], one["cpus"]
        name = one["name"] + ("*" if one["default"] else "")
        state = "up" if one["available"] else one["reason"] or "down"
        free_cpus = f"{cpus['free']} of {cpus['total']}"
        rows.append([name, state, f"{nodes['up']} of {nodes['total']}", gpus, free_cpus, _limit(one)])
    table.show(["PARTITION", "STATE", "NODES UP", "GPUS FREE", "CORES FREE", "TIME LIMIT"], rows)
    at = datetime.fromisoformat(shown["as_of"].replace("Z", "+00:00")).astimezone() if shown["as_of"] else None
    print(f"\nAs of {at:%H:%M:%S}. * default partition" if at else "\nSlurm has not answered yet.")


def _limit(partition: Any) -> str:
    seconds = partition["max_walltime_s"]
    return f"{seconds // 3600} h {seconds % 3600 // 60:02} min" if seconds else ""
