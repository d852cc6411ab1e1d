"""What sbatch's dry run and sacct say, as values."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from portal.slurm.batch import _accounts, _acted, _dry_run
from portal.slurm.jobs import JobState
from portal.slurm.queries import ACCOUNT_FIELDS, SEPARATOR


def lines(*rows: str) -> str:
    """sacct's lines; each row has its fields by blanks, `-` for an empty one."""
    return "".join(
        SEPARATOR.join("" if part == "-" else part.replace("~", " ") for part in row.split()) + "\n" for row in rows
    )


DONE = "2026-11-21T15:00:00 2026-11-21T15:05:00"


def test_steps_are_folded_into_their_job() -> None:
    assert len(ACCOUNT_FIELDS) == 11
    (record,) = _accounts(
        lines(
            f"7 7 COMPLETED 0:0 {DONE} 1200 01:02.500 - node[001-002] -",
            f"7.batch 7.batch COMPLETED 0:0 {DONE} 600 00:02.500 2048K node001 -",
            f"7.0 7.0 COMPLETED 0:0 {DONE} 600 01:00.000 300M node[001-002] cpu=1,gres/gpuutil=87",
        )
    )[7]
    assert (record.state, record.exit_code, record.held_cpu_s, record.used_cpu_s) == (
        JobState.COMPLETED,
        0,
        1200.0,
        62.5,
    )
    assert (record.max_memory_mib, record.gpu_percent, record.nodes) == (300, 87.0, "node[001-002]")
    assert record.ended_at == datetime(2026, 11, 21, 15, 5, tzinfo=UTC)


def test_step_out_of_memory_decides_and_signals_are_told() -> None:
    accounts = _accounts(
        lines(
            f"7 7 FAILED 1:0 {DONE} 10 00:01 - node001 -",
            f"7.batch 7.batch OUT_OF_MEMORY 0:125 {DONE} 10 00:01 99M node001 -",
            f"8 8 FAILED 0:11 {DONE} 10 00:01 - node001 -",
            f"9 9 CANCELLED~by~1000 0:0 {DONE} 10 1-00:00:01 - None~assigned -",
        )
    )
    assert accounts[7][0].state is JobState.OUT_OF_MEMORY
    assert accounts[8][0].signal == 11
    assert (accounts[9][0].cancelled_by_uid, accounts[9][0].nodes, accounts[9][0].used_cpu_s) == (1000, "", 86_401.0)


def test_tasks_of_an_array_stand_under_the_array() -> None:
    records = _accounts(
        lines(
            f"5_0 6 COMPLETED 0:0 {DONE} 10 00:01 - node001 -",
            f"5_0.batch 6.batch COMPLETED 0:0 {DONE} 10 00:01 1M node001 -",
            f"5_[3-9%2] 5 CANCELLED~by~0 0:0 {DONE} 0 00:00 - - -",
            "5_1 7 RUNNING 0:0 2026-11-21T15:00:00 Unknown 10 00:01 - node001 -",
        )
    )[5]
    assert [(record.tasks, record.raw_id, record.state.value) for record in records] == [
        ("0", 6, "COMPLETED"),
        ("3-9%2", 5, "CANCELLED"),
        ("1", 7, "RUNNING"),
    ]


def test_lines_that_are_none_are_left_out() -> None:
    assert _accounts("sacct: error: x\n\n") == {}


@pytest.mark.parametrize(
    ("value", "nodes"),
    [
        (
            "sbatch: Job 12 to start at 2026-11-21T15:20:00 using 2 processors on nodes node[001-002] in partition a",
            "node[001-002]",
        ),
        ("sbatch: Job 12 to start at 2026-11-21T15:20:00 using 2 processors on node001 in partition sxm2", "node001"),
    ],
)
def test_dry_run_says_when_and_where(value: str, nodes: str) -> None:
    run = _dry_run(f"sbatch: warning: something\n{value}\n")
    assert run.starts_at == datetime(2026, 11, 21, 15, 20, tzinfo=UTC)
    assert run.nodes == nodes


def test_dry_run_in_other_words_is_still_a_yes() -> None:
    run = _dry_run("sbatch: allocation would be fine")
    assert (run.starts_at, run.text) == (None, "allocation would be fine")


def test_refusals_of_single_jobs_are_told_apart() -> None:
    assert _acted(
        "cancel", "7", ok=False, message="scancel: error: Kill job error on job id 7: Invalid job id specified"
    ).gone
    assert _acted("hold", "7", ok=False, message="7_10-11: No error").problem is None
    assert _acted("hold", "7", ok=False, message="Access/permission denied").problem is not None
