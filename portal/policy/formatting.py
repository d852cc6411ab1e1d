"""Descriptions of resources."""

from __future__ import annotations

import math

from portal.plurals import plural as plural
from portal.policy.parts import GpuPart
from portal.policy.request import Resources


def gpus(count: int, gpu_type: str | None, part: GpuPart | None = None) -> str:
    if count == 0 and part:
        return f"{part.text} of a {gpu_type.upper() if gpu_type else 'GPU'}"
    if count == 0:
        return "no GPU"
    return f"{count} × {gpu_type.upper() if gpu_type else 'GPU'}"


def memory(mib: float) -> str:
    """`98304` → `96 GB`, `512` → `512 MB`, as in frontend/src/lib/size.ts. A GB is 1024 MiB here."""
    whole = math.floor(mib + 0.5)
    if whole < 1024:
        return f"{whole} MB"
    tenths = math.floor(whole / 1024 * 10 + 0.5)
    if whole >= 100 * 1024 or tenths % 10 == 0:
        return f"{math.floor(whole / 1024 + 0.5):,} GB"
    return f"{tenths / 10} GB"


def duration(seconds: int) -> str:
    """`28800` → `8 h`, `5400` → `1 h 30 min`, `172800` → `2 days`."""
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes = rest // 60
    parts = [plural(days, "day") if days else "", f"{hours} h" if hours else ""]
    parts.append(f"{minutes} min" if minutes else "")
    return " ".join(part for part in parts if part) or f"{seconds} s"


def licenses(asked: str) -> str:
    """`matlab:2,ansys` → `2 × matlab, 1 × ansys`."""
    parts = (part.partition(":") for part in asked.split(","))
    return ", ".join(f"{count or 1} × {name}" for name, _, count in parts)


def summary(resources: Resources) -> str:
    """`2 × V100, 16 cores, 96 GB for 8 h on sxm2`; features, licences and whole nodes after the memory."""
    cores = plural(resources.cpus, "core")
    nodes = f"{resources.nodes} nodes, each " if resources.nodes > 1 else ""
    more = [
        ("whole nodes" if resources.nodes > 1 else "whole node") if resources.exclusive else None,
        resources.constraint and resources.constraint.replace("&", ", "),
        resources.licenses and licenses(resources.licenses),
    ]
    held = gpus(resources.gpus, resources.gpu_type, resources.part)
    return (
        f"{', '.join(filter(None, (f'{nodes}{held}', cores, memory(resources.memory_mib), *more)))}"
        f" for {duration(resources.walltime_s)} on {resources.partition}"
    )
