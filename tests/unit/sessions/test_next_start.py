"""The first thing offered after each way to end does not fail in the same way."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from portal.sessions.endings import ENDINGS
from portal.sessions.models import SessionRecord
from portal.sessions.next_start import next_start
from portal.settings import Policy
from portal.slurm.nodes import GpuCount, Node, NodeState, Partition
from portal.slurm.snapshot import Reach, Snapshot

GIB = 1024
HOUR = 3600
SNAPSHOT = Snapshot(
    serial=1,
    state=Reach.UP,
    nodes=(
        Node("node001", NodeState.IDLE, partitions=("sxm2",), memory_mib=96 * GIB, gpus=(GpuCount("v100", 4, 0),)),
        Node("node009", NodeState.IDLE, partitions=("big",), memory_mib=512 * GIB, gpus=(GpuCount("a100", 4, 0),)),
        Node("node010", NodeState.IDLE, partitions=("big",), memory_mib=512 * GIB, gpus=(GpuCount("h100", 4, 0),)),
    ),
    partitions=(Partition("sxm2", max_walltime_s=8 * HOUR), Partition("big")),
    jobs_as_of=datetime(2026, 11, 21, tzinfo=UTC),
)
POLICY = Policy(max_walltime_s=12 * HOUR)


def ended(code: str, **changes: Any) -> SessionRecord:
    asked = {"partition": "sxm2", "gpus": 1, "gpu_type": "v100", "memory_mib": 48 * GIB, "walltime_s": HOUR}
    return SessionRecord(**{"end_code": code, "node": "node001", **asked, **changes})


TABLE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("stopped", {}, {"kind": "same"}),
    ("cancelled", {}, {"kind": "same"}),
    ("finished", {}, {"kind": "same"}),
    ("idle", {}, {"kind": "same"}),
    ("preempted", {}, {"kind": "same"}),
    ("slurm_cancelled", {}, {"kind": "same"}),
    ("slurm_unavailable", {}, {"kind": "same"}),
    ("submit_lost", {}, {"kind": "same"}),
    ("job_gone", {}, {"kind": "same"}),
    ("time_limit", {}, {"kind": "more_time", "walltime_s": 2 * HOUR}),
    ("time_limit", {"walltime_s": 6 * HOUR}, {"kind": "more_time", "walltime_s": 8 * HOUR}),
    ("time_limit", {"walltime_s": 8 * HOUR, "partition": "big"}, {"kind": "more_time", "walltime_s": 12 * HOUR}),
    ("time_limit", {"walltime_s": 8 * HOUR}, {"kind": "same"}),  # nobody gets more there
    ("oom", {}, {"kind": "more_memory", "memory_mib": 64 * GIB}),
    ("oom", {"memory_mib": 1 * GIB}, {"kind": "more_memory", "memory_mib": 2 * GIB}),
    ("oom", {"memory_mib": 64 * GIB}, {"kind": "more_memory", "memory_mib": 96 * GIB}),
    ("oom", {"memory_mib": 90 * GIB}, {"kind": "more_memory", "memory_mib": 96 * GIB}),
    ("oom", {"memory_mib": 96 * GIB}, {"kind": "edit"}),  # the largest node had it
    ("gpu_oom", {}, {"kind": "larger_gpu", "gpu_type": "a100", "partition": "big"}),
    ("gpu_oom", {"gpu_type": "a100"}, {"kind": "larger_gpu", "gpu_type": "h100", "partition": "big"}),
    ("gpu_oom", {"gpu_type": "h100"}, {"kind": "edit"}),
    ("gpu_oom", {"gpu_type": None}, {"kind": "edit"}),
    ("node_failed", {}, {"kind": "other_node", "avoid": "node001"}),
    ("agent_silent", {}, {"kind": "other_node", "avoid": "node001"}),
    ("step_gone", {}, {"kind": "other_node", "avoid": "node001"}),
    ("hub_failed", {}, {"kind": "other_node", "avoid": "node001"}),
    ("node_failed", {"node": None}, {"kind": "same"}),
    ("app_failed", {}, {"kind": "log"}),
    ("start_timeout", {}, {"kind": "log"}),
    ("slurm_failed", {}, {"kind": "edit"}),
    ("stopped_by_admin", {}, {"kind": "edit"}),
    ("no_jupyter", {}, {"kind": "edit"}),
    ("no_program", {}, {"kind": "edit"}),
]


@pytest.mark.parametrize(("code", "asked", "expected"), TABLE)
def test_first_action_after(code: str, asked: dict[str, Any], expected: dict[str, Any]) -> None:
    start = next_start(ended(code, **asked), SNAPSHOT, POLICY)
    assert start.model_dump(exclude_none=True) == expected


def test_every_way_to_end_is_in_the_table() -> None:
    assert {code for code, _, _ in TABLE} == ENDINGS.keys()
