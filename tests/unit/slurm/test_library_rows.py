"""What a real pyslurm said of a real cluster, against what that cluster's commands said at the same moment."""

from __future__ import annotations

import json

import pytest

from portal.slurm.jobs import JobState
from portal.slurm.library import child
from portal.slurm.library.rows import JobRow, read_job
from tests.unit.slurm.recordings import Recording
from tests.unit.slurm.snapshots_by_pyslurm import by_commands, by_pyslurm

RECORDING = Recording.of("25.11")


def test_lines_are_what_the_child_writes() -> None:
    assert JobRow._fields == (*child.JOB, "user_name", "allocated", "requested", "gres_per_node")
    assert json.loads(RECORDING.pyslurm["jobs"][0])["hello"] == RECORDING.version


@pytest.mark.parametrize("name", RECORDING.jobs)
def test_job_is_the_same_by_pyslurm_and_by_squeue_in_every_field(name: str) -> None:
    number = RECORDING.jobs[name]
    assert by_pyslurm(RECORDING)[0][number] == by_commands(RECORDING)[number]


def test_squeue_is_asked_only_for_what_pyslurm_loses() -> None:
    jobs = by_commands(RECORDING)
    for number, ended in by_pyslurm(RECORDING)[1]:
        job = jobs[number]
        assert (job.state.is_over and job.exit_code != 0) if ended else job.name == "by job"


def test_exit_code_of_pyslurm_is_not_believed() -> None:
    line = next(line for line in RECORDING.lines("jobs") if json.loads(line)[0] == RECORDING.jobs["ended with 130"])
    assert JobRow(*json.loads(line)).exit_code == 2, "what pyslurm makes of 130"
    job, phase = read_job(line)
    assert job is not None
    assert job.state is JobState.FAILED
    assert phase == (job.id, JobRow(*json.loads(line)).end_time)
    assert by_pyslurm(RECORDING)[0][job.id].exit_code == 130


def test_slurmctld_that_is_gone_is_an_error_and_not_an_empty_queue() -> None:
    last = json.loads(RECORDING.pyslurm["no slurmctld"][-1])
    assert "controller" in last["error"]
    assert not RECORDING.lines("no slurmctld")
