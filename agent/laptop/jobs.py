"""The user's batch jobs, to read: this machine's token may not submit or cancel any."""

from __future__ import annotations

from typing import Any

from . import table
from .api import call
from .device import Device
from .errors import Failure


def recent(device: Device, *, ended: bool) -> list[Any]:
    """Return batch jobs, newest first. Raises Failure."""
    return list(call(device, f"/jobs?state={'all' if ended else 'active'}&limit=100")["items"])


def job(device: Device, number: str) -> Any:
    """Return one job. Raises Failure."""
    if not (number.isascii() and number.isdigit()):
        raise Failure(f'"{number}" is not a job number. Find it with: portal jobs list')
    return call(device, f"/jobs/{number}")


def print_list(jobs: list[Any]) -> None:
    """Print a table."""
    if not jobs:
        print("No jobs. Ended ones: portal jobs list --all")
        return
    rows = [[one["id"], one["name"], _state(one), _resources(one), one["node_list"], _why(one)] for one in jobs]
    table.show(["ID", "NAME", "STATE", "RESOURCES", "NODES", "WHY / HOW IT ENDED"], rows)


def print_job(one: Any) -> None:
    """Print what a job asked for, where it runs, and how it ended."""
    rows = [
        ["name", one["name"]],
        ["state", _state(one)],
        ["why", _why(one)],
        ["resources", _resources(one)],
        ["partition", one["partition"]],
        ["nodes", one["node_list"]],
        ["submitted", one["submitted_at"]],
        ["started", one["started_at"]],
        ["ended", one["ended_at"]],
        ["output", one.get("stdout")],
    ]
    table.show(["JOB", one["id"]], [row for row in rows if row[1]])


def _state(one: Any) -> str:
    array = one["array"]
    if array is None:
        return str(one["state"]).lower()
    parts = [f"{array[name]} {name}" for name in ("pending", "running", "done", "failed", "cancelled") if array[name]]
    return ", ".join(parts) or str(one["state"]).lower()


def _resources(one: Any) -> str:
    gpus = f"{one['gpus']}×{one['gpu_type'] or 'gpu'} " if one["gpus"] else ""
    return f"{gpus}{one['cpus']} core{'' if one['cpus'] == 1 else 's'}"


def _why(one: Any) -> str:
    return str(one["end"]["text"] if one["end"] else one["reason"] or "")
