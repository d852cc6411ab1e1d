"""The Cluster page's benchmark in parts: one that fails is named, and the others keep their figures. A small year."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import dashboard, year

SMALL = ("--nodes", "30", "--jobs", "60")


def test_a_part_that_fails_is_named_and_the_others_figures_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path, slurm: object) -> None:
        raise RuntimeError("The portal did not come up")

    monkeypatch.setattr(dashboard, "serving", broken)
    told = tmp_path / "told.json"
    assert dashboard.main([*SMALL, "--json", str(told), "--part", "drawn", "--part", "snapshot"]) == 1
    result = json.loads(told.read_text())
    assert result["failed"] == {"drawn": "RuntimeError: The portal did not come up"}
    assert "snapshot_cpu_s" in result
    assert "calls_per_min_1_viewer" not in result


def test_one_part_is_measured_by_itself(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    assert dashboard.main([*SMALL, "--json", str(told), "--part", "snapshot"]) == 0
    assert json.loads(told.read_text())["failed"] == {}


def test_a_small_year_is_written_read_and_deleted(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    small = ("--days", "5", "--sessions", "80", "--keep", "3", "--keep-events", "2", "-n", "1")
    assert year.main([*small, "--json", str(told)]) == 0
    result = json.loads(told.read_text())
    assert {name: result["rows"][name] for name in ("sessions", "session_events", "audit", "jobs", "usage_jobs")} == {
        "sessions": 400,
        "session_events": 2400,
        "audit": 2400,
        "jobs": 400,
        "usage_jobs": 800,
    }
    assert result["retention"]["rows"] == {"events": 1440, "sessions": 160, "audit": 960}
    assert set(result["lists_ms"]) == set(result["lists_after_ms"])
