"""Times and sizes as sbatch reads and writes them (sbatch(1), --time and --mem)."""

from __future__ import annotations

import re

_CLOCK = re.compile(r"(?:([0-9]{1,9})-)?([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
_SIZE = re.compile(r"([0-9]{1,12})([KMGT]?)B?", re.I)
_MIB = {"": 1, "M": 1, "G": 1024, "T": 1024 * 1024}


def read_time(text: str) -> int | None:
    """Parse `minutes`, `minutes:seconds`, `hours:minutes:seconds` or `days-hours[:minutes[:seconds]]`, in seconds."""
    match = _CLOCK.fullmatch(text.strip())
    if not match:
        return None
    days, first, second, third = (int(part or 0) for part in match.groups())
    if match[1] is not None:
        return ((days * 24 + first) * 60 + second) * 60 + third
    if match[4] is not None:
        return (first * 60 + second) * 60 + third
    return first * 60 + second


def write_time(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    days, minutes = divmod(minutes, 24 * 60)
    clock = f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}"
    return f"{days}-{clock}" if days else clock


def read_memory(text: str) -> int | None:
    """Parse a size, in MiB; None if it is not a size, or is less than 1 MiB."""
    match = _SIZE.fullmatch(text.strip())
    if not match:
        return None
    if match[2].upper() == "K":
        return int(match[1]) // 1024 or None
    return int(match[1]) * _MIB[match[2].upper()] or None


def write_memory(mib: int) -> str:
    return f"{mib // 1024}G" if mib % 1024 == 0 else f"{mib}M"
