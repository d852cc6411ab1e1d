"""Parses Slurm's notations for times, sizes and trackable resources. Nothing here raises on odd text: an unreadable
value is absent, since one strange job must not hide all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

from portal.shared_gres import SHARED_GRES, SharedGres
from portal.slurm import hostlist

_NOTHING = frozenset({"", "(null)", "N/A", "n/a", "None", "NONE", "Unknown", "UNLIMITED", "NOT_SET", "INVALID"})
_MIB_PER = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2, "P": 1024**3}
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)[nc]?")
_DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)")
_CPU = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)")
_GRES = {name: re.compile(rf"(?:^|[,:/]){name}(?::([^:=,()]+))?[:=](\d+)") for name in ("gpu", "shard", "mps")}
_PAIR = re.compile(r"([^\s=]+)=(\S*)")
_FREE_TEXT = re.compile(r" (?=(?:Comment|AdminComment|Extra|Reason)=)")
_REASON = re.compile(r"(?:^|\s)Reason=(.*)", re.S)
_SHARED = {
    name: re.compile(rf"(?:^|,){name}(?::([^:=,()]+))?:(\d+)(?:\((?:IDX:([0-9,-]+|N/A)|([0-9/,]+))\))?")
    for name in SHARED_GRES
}
_GPU_INDICES = re.compile(r"(?:^|,)gpu(?::([^:=,()]+))?:\d+\(IDX:([0-9,-]+)\)")


def text(value: str) -> str:
    """Return `value`, or an empty string where Slurm prints a placeholder for none."""
    return "" if value in _NOTHING else value


def number(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() else None


@lru_cache(maxsize=100_000)
def when(value: str) -> datetime | None:
    """Parse a time printed with TZ=UTC and SLURM_TIME_FORMAT=standard."""
    if value in _NOTHING:
        return None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    except ValueError:
        return None


@lru_cache(maxsize=10_000)
def duration_s(value: str) -> int | None:
    """Parse `[days-][[hours:]minutes:]seconds`; None for no limit and for unreadable text."""
    match = _DURATION.fullmatch(value)
    if not match:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def cpu_s(value: str) -> float | None:
    """Parse a time such as TotalCPU's: `[days-][[hours:]minutes:]seconds[.fraction]`."""
    match = _CPU.fullmatch(value)
    if not match:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def memory_mib(value: str) -> int | None:
    """Parse a size such as `4000M`, `62.50G`, `418928K`; a bare number is MiB."""
    match = _MEMORY.fullmatch(value)
    return round(float(match[1]) * _MIB_PER[match[2] or "M"]) if match else None


def names(value: str) -> tuple[str, ...]:
    return tuple(part for part in text(value).split(",") if part)


def tres(value: str) -> dict[str, str]:
    """Parse `cpu=4,mem=8G,gres/gpu=2,gres/gpu:v100=2`."""
    return dict(part.split("=", 1) for part in value.split(",") if "=" in part)


def gpu_counts(value: str) -> dict[str, int]:
    """Count GPUs by type in a list of GRES."""
    return gres_counts(value, "gpu")


def gres_counts(value: str, name: Literal["gpu", "shard", "mps"]) -> dict[str, int]:
    """Count one GRES by type in a list of them, in the notation of any version.

    `gpu:v100:4(S:0-1)`, `gres:gpu:2`, `gres/gpu:v100:2`, `gpu:v100:2(IDX:0,3),gpu:a100:1`; no type is the empty string.
    """
    counts: dict[str, int] = {}
    for match in _GRES[name].finditer(re.sub(r"\([^)]*\)", "", value)):
        kind = match[1] or ""
        counts[kind] = counts.get(kind, 0) + int(match[2])
    return counts


def gpu_indices(value: str) -> dict[str, tuple[int, ...]]:
    """Parse which GPUs are used, by type, from `gpu:v100:3(IDX:0-1,3)`."""
    return {match[1] or "": hostlist.indices(match[2]) for match in _GPU_INDICES.finditer(value)}


def shared_gpus(value: str, name: SharedGres, totals: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Parse which GPUs are in use by shards, or by MPS, by type.

    Slurm 22.05 prints the GPUs (`shard:v100:1(IDX:0)`), later versions the parts of each in use
    (`shard:v100:3(0/8,3/8)`). Where it prints neither, the first GPU of the type counts.
    """
    shared: dict[str, set[int]] = {}
    for kind, count, ranges, parts in _SHARED[name].findall(value):
        used = list(hostlist.indices(ranges)) or [
            index for index, part in enumerate(parts.split(",")) if part and not part.startswith("0/")
        ]
        if int(count) and not used:
            used = [0]
        whole = kind if kind in totals or len(totals) != 1 else next(iter(totals))
        shared.setdefault(whole, set()).update(used)
    return {kind: tuple(sorted(indices)) for kind, indices in shared.items() if indices}


def parts_used(value: str, name: SharedGres) -> dict[str, int]:
    """Count used parts by type where Slurm prints those of each GPU: `shard:v100:3(0/8,3/8)`."""
    return {
        kind: sum(int(part.partition("/")[0] or 0) for part in parts.split(","))
        for kind, _, _, parts in _SHARED[name].findall(value)
        if parts
    }


class Records:
    """Splits the output of `scontrol -o`, piece by piece: one record a line, each line starting with `key`.

    Free text (a reason, a comment) comes last and may contain anything, including newlines; a line that it breaks is
    joined again.
    """

    def __init__(self, key: str) -> None:
        self._begins = re.compile(rf"{key}=\S+ .*\bState=\S")
        self._line = ""
        self._open: str | None = None

    def take(self, piece: str) -> list[str]:
        """Return the records that this piece completes."""
        *lines, self._line = (self._line + piece).split("\n")
        return self._read(lines)

    def end(self) -> list[str]:
        """Return what is left after the last piece."""
        records = self._read(self._line.splitlines())
        return records if self._open is None else [*records, self._open]

    def _read(self, lines: list[str]) -> list[str]:
        records: list[str] = []
        for line in lines:
            if self._begins.match(line):
                if self._open is not None:
                    records.append(self._open)
                self._open = line
            elif self._open is not None:
                self._open += f"\n{line}"
        return records


def fields(record: str) -> dict[str, str]:
    """Parse a record's `Key=value` pairs. Nothing in its free text is taken for a field."""
    head, *tail = _FREE_TEXT.split(record, maxsplit=1)
    # Only the operating system's name contains blanks, and nobody needs it. Of duplicate fields, the first counts.
    fields = dict(reversed(_PAIR.findall(head)))
    reason = _REASON.search(tail[0]) if tail else None
    if reason:
        fields["Reason"] = reason[1]
    return fields


def one_liners(output: str, key: str) -> Iterator[dict[str, str]]:
    """Parse a complete output of `scontrol -o`."""
    records = Records(key)
    for record in [*records.take(output), *records.end()]:
        yield fields(record)
