"""What all benchmarks report: medians with their spread, and the JSON for `--json FILE`."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Spread:
    """Samples of one quantity, in the order they were taken."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    def __str__(self) -> str:
        return f"{self.median:6.2f}   {min(self.samples):.2f} – {max(self.samples):.2f}"

    def as_json(self) -> dict[str, Any]:
        return {
            "median": round(self.median, 3),
            "min": round(min(self.samples), 3),
            "max": round(max(self.samples), 3),
            "samples": [round(sample, 3) for sample in self.samples],
        }


def machine(load_before: Sequence[float]) -> dict[str, Any]:
    """Describe the machine, and how busy it was."""
    return {
        "cores": os.cpu_count(),
        "memory_mib": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20,
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_before": [round(value, 2) for value in load_before],
        "load_after": [round(value, 2) for value in os.getloadavg()],
    }


def write(path: Path | None, result: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(result, indent=2) + "\n")
        print(f"\nWritten to {path}")
