"""The Cluster page's benchmark in parts: one that fails is named, and the others keep their figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import dashboard

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
