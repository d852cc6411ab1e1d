"""Which job holds which GPU of a node.

The queue says how many GPUs a job holds on a node. Only a job's details say which ones, and those are a large answer,
read only if the GPUs cannot be inferred: a node's used GPUs are known, and once all but one of its jobs have their
place, so does the last. An inferred place stays until the job ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from portal.slurm.jobs import Job, Place
from portal.slurm.nodes import Node

#: Used, but by no job in the queue.
NOBODY = 0
#: Shared by jobs that hold parts of it.
SHARED = -1


@dataclass(frozen=True, slots=True)
class Cells:
    """The GPUs of one node: the job that holds each (None: none), and the jobs whose place is only likely."""

    jobs: tuple[int | None, ...]
    guessed: frozenset[int] = frozenset()

    def held_by(self, job: int) -> tuple[int, ...]:
        return tuple(index for index, holder in enumerate(self.jobs) if holder == job)


@dataclass(frozen=True, slots=True)
class Holder:
    job: int
    gpus: int
    """On this node."""


def holds(job: Job) -> bool:
    """Whether the job holds what was allocated to it."""
    return bool(job.nodes) and not job.state.waits and not job.state.is_over


def lay(node: Node, held: tuple[Holder, ...], *, before: Cells, places: Mapping[int, tuple[Place, ...]]) -> Cells:
    """Assign a node's jobs to its GPUs: by Slurm's details if they fit, else by the last certain assignment."""
    shared = {index for gpu in node.gpus for index in gpu.shared}
    cells: list[int | None] = [
        SHARED if index in shared else None for index in range(sum(gpu.total for gpu in node.gpus))
    ]
    unplaced = [holder for holder in held if not _put(cells, holder, _known(holder, node.name, before, places))]
    used = [index for gpu in node.gpus for index in gpu.indices]
    guessed = set()
    for holder in unplaced:
        free = [index for index, job in enumerate(cells) if job is None]
        # A used GPU without a known job belongs to this job, if it is the only one without a place.
        likely = [index for index in used if index in free]
        if len(unplaced) > 1 or holder.gpus not in (len(likely), len(free)):
            guessed.add(holder.job)
        for index in sorted(free, key=lambda index: index not in likely)[: holder.gpus]:
            cells[index] = holder.job
    return Cells(tuple(cells), frozenset(guessed))


def _known(holder: Holder, node: str, before: Cells, places: Mapping[int, tuple[Place, ...]]) -> tuple[int, ...]:
    for place in places.get(holder.job, ()):
        if place.node == node and len(place.gpus) == holder.gpus:
            return place.gpus
    return () if holder.job in before.guessed else before.held_by(holder.job)


def _put(cells: list[int | None], holder: Holder, known: tuple[int, ...]) -> bool:
    if len(known) != holder.gpus or any(index >= len(cells) or cells[index] is not None for index in known):
        return False
    for index in known:
        cells[index] = holder.job
    return True


def with_nobodys(cells: Cells, node: Node) -> Cells:
    """Mark GPUs that Slurm reports as allocated without a job in the queue."""
    missing = sum(gpu.allocated for gpu in node.gpus) - sum(job is not None for job in cells.jobs)
    if missing <= 0:
        return cells
    used = [index for gpu in node.gpus for index in gpu.indices] or list(range(len(cells.jobs)))
    free = [index for index in used if index < len(cells.jobs) and cells.jobs[index] is None][:missing]
    return Cells(tuple(NOBODY if index in free else job for index, job in enumerate(cells.jobs)), cells.guessed)
