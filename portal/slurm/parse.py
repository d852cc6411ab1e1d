"""Slurm's ways of writing times, sizes and trackable resources, as values. Nothing here raises on odd text:
a value that cannot be read is absent, since one strange job must not hide all others."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

from portal.slurm import hostlist

_NOTHING = frozenset({"", "(null)", "N/A", "n/a", "None", "NONE", "Unknown", "UNLIMITED", "NOT_SET", "INVALID"})
_MIB_PER = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2, "P": 1024**3}
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)[nc]?")
_DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)")
_GPU = re.compile(r"(?:^|[,:/])gpu(?::([^:=,()]+))?[:=](\d+)")
_PAIR = re.compile(r"([^\s=]+)=(\S*)")
_GPU_INDICES = re.compile(r"(?:^|,)gpu(?::([^:=,()]+))?:\d+\(IDX:([0-9,-]+)\)")


def text(value: str) -> str:
    """Return `value`, or nothing where Slurm writes that there is none."""
    return "" if value in _NOTHING else value


def number(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() else None


@lru_cache(maxsize=100_000)
def when(value: str) -> datetime | None:
    """Read a time printed with TZ=UTC and SLURM_TIME_FORMAT=standard."""
    if value in _NOTHING:
        return None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    except ValueError:
        return None


@lru_cache(maxsize=10_000)
def duration_s(value: str) -> int | None:
    """Read `[days-][[hours:]minutes:]seconds`; None for no limit, and for no answer."""
    found = _DURATION.fullmatch(value)
    if not found:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def memory_mib(value: str) -> int | None:
    """Read a size such as `4000M`, `62.50G`, `418928K`; a bare number is MiB."""
    found = _MEMORY.fullmatch(value)
    return round(float(found[1]) * _MIB_PER[found[2] or "M"]) if found else None


def names(value: str) -> tuple[str, ...]:
    return tuple(part for part in text(value).split(",") if part)


def tres(value: str) -> dict[str, str]:
    """Read `cpu=4,mem=8G,gres/gpu=2,gres/gpu:v100=2`."""
    return dict(part.split("=", 1) for part in value.split(",") if "=" in part)


def gpu_counts(value: str) -> dict[str, int]:
    """Count GPUs by type in a list of GRES, however a version writes it.

    `gpu:v100:4(S:0-1)`, `gres:gpu:2`, `gres/gpu:v100:2`, `gpu:v100:2(IDX:0,3),gpu:a100:1`; no type is the empty string.
    """
    counts: dict[str, int] = {}
    for found in _GPU.finditer(re.sub(r"\([^)]*\)", "", value)):
        kind = found[1] or ""
        counts[kind] = counts.get(kind, 0) + int(found[2])
    return counts


def gpu_indices(value: str) -> dict[str, tuple[int, ...]]:
    """Read which GPUs are used, by type, from `gpu:v100:3(IDX:0-1,3)`."""
    return {found[1] or "": hostlist.indices(found[2]) for found in _GPU_INDICES.finditer(value)}


@contextmanager
def many_values() -> Iterator[None]:
    """Let Python's search for cycles rest while many values are made that hold none: it takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def one_liners(output: str, key: str) -> Iterator[dict[str, str]]:
    """Read `scontrol -o`: `Key=value` pairs, one thing a line, each line beginning with `key`.

    Free text (a reason, a comment) comes last and may hold anything, newlines and things that look like pairs
    included; what stands there is never read as a field, and a line that it breaks is put together again.
    """
    begins = re.compile(rf"{key}=\S+ .*\bState=\S")
    records: list[str] = []
    for line in output.splitlines():
        if begins.match(line):
            records.append(line)
        elif records:
            records[-1] += f"\n{line}"
    for record in records:
        head, *tail = re.split(r" (?=(?:Comment|AdminComment|Extra|Reason)=)", record, maxsplit=1)
        # Only the operating system's name holds blanks, which nobody needs. Of two fields of a name the first counts.
        fields = dict(reversed(_PAIR.findall(head)))
        reason = re.search(r"(?:^|\s)Reason=(.*)", tail[0], re.S) if tail else None
        if reason:
            fields["Reason"] = reason[1]
        yield fields
