"""The partitions as the laptop's program shows them."""

from __future__ import annotations

import pytest

from agent.laptop import cluster

PARTITION = {
    "name": "sxm2",
    "default": True,
    "available": True,
    "reason": None,
    "max_walltime_s": 86400,
    "nodes": {"total": 4, "up": 3},
    "gpus": [{"type": "V100", "total": 16, "free": 5}],
    "cpus": {"total": 128, "free": 40},
}


def test_each_partition_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    down = PARTITION | {"name": "old", "default": False, "available": False, "reason": "Closed.", "gpus": []}
    cluster.print_partitions({"as_of": "2026-11-25T10:00:00Z", "partitions": [PARTITION, down]})
    heading, first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.split("  ")[0] == "sxm2*"
    assert "3 of 4" in first
    assert "5 of 16 V100" in first
    assert "40 of 128" in first
    assert first.endswith("24 h 00 min")
    assert "Closed." in second
    assert heading.startswith("PARTITION")


def test_numbers_of_no_snapshot_are_said_to_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    cluster.print_partitions({"as_of": None, "partitions": []})
    assert "Slurm has not answered yet." in capsys.readouterr().out
