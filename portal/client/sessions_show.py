"""What `portal sessions show` prints about a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from portal.client.announcements import clock
from portal.client.terminal import table
from portal.policy import formatting


def lines(session: dict[str, Any]) -> Iterator[str]:
    """Yield its state and measured use, and what is wrong with its GPUs."""
    where = f" on {session['node']}" if session["node"] else ""
    yield f"{session['name']} ({session['app_title']}) of {session['owner']}: {session['state']}{where}"
    if session["reason"]:
        yield str(session["reason"])
    if session["ends_at"]:
        yield f"Ends at {clock(session['ends_at'])}."
    if (idle := session.get("idle")) is not None:
        end = (
            f" It will be ended at {clock(idle['ends_at'])}: portal sessions snooze {session['id']}"
            if idle["ends_at"]
            else ""
        )
        yield f"Idle since {clock(idle['since'])}.{end}"
    usage = session["usage"]
    if usage is None:
        return
    if usage["cpu_percent"] is not None:
        yield f"CPU: {usage['cpu_percent'] / 100:.1f} of {formatting.plural(session['resources']['cpus'], 'core')}"
    if usage["memory_mib"] is not None:
        whole = formatting.memory(session["resources"]["memory_mib"])
        yield f"Memory: {formatting.memory(usage['memory_mib'])} of {whole}"
    yield from map(gpu_line, usage["gpus"])
    yield from usage.get("gpu_problems", ())


def gpu_line(gpu: dict[str, Any]) -> str:
    memory = _memory(gpu["memory_used_mib"])
    return f"GPU {gpu['index']}: {_percent(gpu['utilization'])}, {memory} of memory, {gpu['name']}{_counted(gpu)}"


def processes(session: dict[str, Any]) -> Any:
    """Return a table of its processes on GPUs; None if there are none."""
    return gpu_processes((session["usage"] or {}).get("gpus", ()))


def gpu_processes(gpus: Iterable[dict[str, Any]]) -> Any:
    found = [(gpu["index"], process) for gpu in gpus for process in gpu.get("processes", ())]
    if not found:
        return None
    rows = table("GPU", "PID", "PROCESS", "GPU MEMORY", figures=("PID", "GPU MEMORY"))
    for index, process in found:
        rows.add_row(str(index), str(process["pid"]), process["name"], _memory(process["memory_mib"]))
    return rows


def _counted(gpu: dict[str, Any]) -> str:
    """Return what the GPU's performance counters say; empty without them."""
    parts = [
        f"{name} {gpu[field]:.0f} %"
        for field, name in (("sm_percent", "SMs busy"), ("bandwidth_percent", "memory bandwidth"))
        if gpu.get(field) is not None
    ]
    parts += [
        f"{name} {formatting.memory(gpu[field])}/s"
        for field, name in (("pcie_mib_s", "PCIe"), ("nvlink_mib_s", "NVLink"))
        if (gpu.get(field) or 0) >= 1
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _percent(value: float | None) -> str:
    return "use unknown" if value is None else f"{value:.0f} %"


def _memory(mib: int | None) -> str:
    return "unknown" if mib is None else formatting.memory(mib)
