"""Prepares the same job again, with the corrections that its end suggests."""

from __future__ import annotations

from portal.jobs import endings
from portal.jobs.models import JobRecord
from portal.jobs.schemas import Correction
from portal.jobs.script.form import JobForm
from portal.policy import formatting
from portal.policy.view import ClusterView, PartitionView


def corrected(record: JobRecord, form: JobForm, cluster: ClusterView) -> tuple[JobForm, list[Correction]]:
    """Return the form with its corrections applied, and the corrections."""
    partition = cluster.partitions.get(record.partition)
    correction: Correction | None
    match endings.code_of(record) if record.ended_at else "":
        case "oom":
            correction = _memory(record, form, partition)
        case "time_limit":
            correction = _time(record, form, partition)
        case _:
            correction = None
    if correction is None or correction.before == correction.after:
        return form, []
    return form.model_copy(update={correction.field: correction.after}), [correction]


def _memory(record: JobRecord, form: JobForm, partition: PartitionView | None) -> Correction:
    had = form.memory_mib_per_node or endings.per_node(record) or 1024
    most = partition.node_memory_mib if partition and partition.node_memory_mib else had * 2
    return Correction(
        field="memory_mib_per_node",
        before=form.memory_mib_per_node,
        after=min(had * 2, max(most, had)),
        why=f"It ran out of memory with {formatting.memory(had)} on each node.",
    )


def _time(record: JobRecord, form: JobForm, partition: PartitionView | None) -> Correction:
    had = form.walltime_s or record.walltime_s or 3600
    most = partition.max_walltime_s if partition and partition.max_walltime_s else had * 2
    return Correction(
        field="walltime_s",
        before=form.walltime_s,
        after=min(had * 2, max(most, had)),
        why=f"It reached its time limit of {formatting.duration(had)}.",
    )
