"""What to do first after a session has ended: a start that does not fail in the same way."""

from __future__ import annotations

from collections.abc import Iterable

from portal.placement.gpu_memory import memory_gb
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import NextStart
from portal.settings import Policy
from portal.slurm.snapshot import Snapshot

MEMORY_STEP_MIB = 16 * 1024
#: Ends for which the node may be at fault while Slurm still takes it for a good one.
OF_THE_NODE = frozenset({"node_failed", "agent_silent", "step_gone", "hub_failed"})
#: Ends that the log explains.
OF_THE_APP = frozenset({"app_failed", "start_timeout"})
#: Ends after which the same request, unchanged, would meet the same refusal.
OF_THE_REQUEST = frozenset({"slurm_failed", "stopped_by_admin", "no_jupyter", "no_program"})


def next_start(record: SessionRecord, snapshot: Snapshot, policy: Policy) -> NextStart:
    """Return the first thing to offer. A guess from the snapshot; a start that policy refuses leads to the form."""
    code = record.end_code or ""
    if code == "time_limit":
        return _longer(record, snapshot, policy)
    if code == "oom":
        return _more_memory(record, snapshot)
    if code == "gpu_oom":
        return _larger_gpu(record, snapshot)
    if code in OF_THE_NODE and record.node is not None:
        return NextStart(kind="other_node", avoid=record.node)
    if code in OF_THE_APP:
        return NextStart(kind="log")
    if code in OF_THE_REQUEST:
        return NextStart(kind="edit")
    return NextStart(kind="same")


def _longer(record: SessionRecord, snapshot: Snapshot, policy: Policy) -> NextStart:
    most = [policy.max_walltime_s]
    most += [
        partition.max_walltime_s
        for partition in snapshot.partitions
        if partition.name == record.partition and partition.max_walltime_s
    ]
    walltime_s = min(2 * record.walltime_s, *most)
    if walltime_s <= record.walltime_s:
        return NextStart(kind="same")
    return NextStart(kind="more_time", walltime_s=walltime_s)


def _more_memory(record: SessionRecord, snapshot: Snapshot) -> NextStart:
    """Return a third more, in steps of 16 GiB, at most twice as much, as far as a node of the partition has it."""
    wanted = min(2 * record.memory_mib, -(-record.memory_mib * 4 // (3 * MEMORY_STEP_MIB)) * MEMORY_STEP_MIB)
    there = max((node.memory_mib for node in snapshot.nodes if record.partition in node.partitions), default=wanted)
    memory_mib = min(wanted, there)
    if memory_mib <= record.memory_mib:
        return NextStart(kind="edit")
    return NextStart(kind="more_memory", memory_mib=memory_mib)


def _larger_gpu(record: SessionRecord, snapshot: Snapshot) -> NextStart:
    """Return the smallest type with more memory, in the session's own partition if it has one."""
    had = memory_gb(record.gpu_type or "")
    if had is None:
        return NextStart(kind="edit")
    types = [
        (partition != record.partition, size, name, partition)
        for name, partition in _types(snapshot)
        if (size := memory_gb(name) or 0) > had
    ]
    if not types:
        return NextStart(kind="edit")
    _, _, name, partition = min(types)
    return NextStart(kind="larger_gpu", gpu_type=name, partition=partition)


def _types(snapshot: Snapshot) -> Iterable[tuple[str, str]]:
    return {(gpu.type, partition) for node in snapshot.nodes for gpu in node.gpus for partition in node.partitions}
