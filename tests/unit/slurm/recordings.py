"""The recorded outputs of real Slurm versions (tests/recorded/record.py made them)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "recorded"
SERIES = ("22.05", "24.11", "26.05")


@dataclass(frozen=True)
class Recording:
    series: str
    version: str
    mark: str
    jobs: dict[str, int]
    readings: dict[str, dict[str, Any]]
    pyslurm: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, series: str) -> Recording:
        return cls(series, **json.loads((FOLDER / series / "readings.json").read_text()))

    def out(self, name: str) -> str:
        reading = self.readings[name]
        assert reading["code"] == 0, reading["stderr"]
        return str(reading["stdout"])

    def complaint(self, name: str) -> str:
        reading = self.readings[name]
        assert reading["code"] != 0
        return str(reading["stderr"])

    def lines(self, kind: str) -> list[str]:
        """Return what pyslurm said of these, line by line, without its beginning and end."""
        return [line for line in self.pyslurm[kind] if line.startswith("[")]
