"""Batch jobs as the laptop's program shows them."""

from __future__ import annotations

from typing import Any

import pytest

from agent.laptop import jobs
from agent.laptop.device import Device
from agent.laptop.errors import Failure

DEVICE = Device("https://portal.example.org", "alice", "secret")
JOB: dict[str, Any] = {
    "id": "17",
    "name": "train\x1b[2J",
    "state": "PENDING",
    "reason": "Waiting for 2 free V100s.",
    "gpus": 2,
    "gpu_type": "V100",
    "cpus": 16,
    "node_list": "",
    "array": None,
    "end": None,
}


@pytest.mark.parametrize("number", ["", "1/../../admin", "abc", "17_2", "٣"])
def test_only_a_number_gets_into_the_address(number: str) -> None:
    with pytest.raises(Failure, match="is not a job number"):
        jobs.job(DEVICE, number)


def test_a_list_shows_why_a_job_waits_and_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    jobs.print_list([JOB])
    shown = capsys.readouterr().out
    assert "17  train[2J  pending  2×V100 16 cores         Waiting for 2 free V100s." in shown
    assert "\x1b" not in shown


def test_an_array_shows_its_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    array = {"pending": 0, "running": 2, "done": 3, "failed": 1, "cancelled": 0}
    jobs.print_list([JOB | {"array": array}])
    assert "2 running, 3 done, 1 failed" in capsys.readouterr().out


def test_an_empty_list_says_where_ended_jobs_are(capsys: pytest.CaptureFixture[str]) -> None:
    jobs.print_list([])
    assert "portal jobs list --all" in capsys.readouterr().out
