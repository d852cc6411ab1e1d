"""Who holds GPUs on which node, and how many jobs are running and pending, updated from reading to reading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping

from portal.cluster.cells import Holder, holds
from portal.slurm import hostlist
from portal.slurm.jobs import Job

#: Jobs to process before yielding to other tasks.
STRIDE = 2000


class GpuHolders:
    def __init__(self) -> None:
        self.on: dict[str, tuple[Holder, ...]] = {}
        """By node, the oldest job first."""
        self.running = 0
        self.waiting = 0
        self._jobs: Mapping[int, Job] = {}
        self._gpus: defaultdict[str, dict[int, int]] = defaultdict(dict)

    def take(self, jobs: Mapping[int, Job]) -> Generator[None, None, set[str]]:
        """Process a reading, and return the nodes on which something is held differently than before."""
        touched: set[str] = set()
        if jobs is self._jobs:
            return touched
        for number, (before, after) in enumerate((yield from self._changes(jobs))):
            self._count(before, -1)
            self._count(after, +1)
            was, now = dict(_shares(before)), dict(_shares(after))
            if was != now:
                job = before or after
                assert job is not None  # noqa: S101  (one of the two is there)
                for name in was:
                    self._gpus[name].pop(job.id, None)
                for name, gpus in now.items():
                    self._gpus[name][job.id] = gpus
                touched |= was.keys() | now.keys()
            if number % 100 == 0:
                yield
        for name in touched:
            self.on[name] = tuple(Holder(job, gpus) for job, gpus in sorted(self._gpus[name].items()))
        self._jobs = jobs
        return touched

    def _changes(self, jobs: Mapping[int, Job]) -> Generator[None, None, list[tuple[Job | None, Job | None]]]:
        """Return the old and new value of each changed job."""
        known = self._jobs
        changes: list[tuple[Job | None, Job | None]] = []
        for at, (number, job) in enumerate(jobs.items()):
            if (before := known.get(number)) is not job:
                changes.append((before, job))
            if at % STRIDE == 0:
                yield
        changes += [(known[number], None) for number in known.keys() - jobs.keys()]
        return changes

    def _count(self, job: Job | None, by: int) -> None:
        if job is None:
            return
        if job.state.waits:
            self.waiting += by
        elif not job.state.is_over:
            self.running += by


def _shares(job: Job | None) -> Iterator[tuple[str, int]]:
    """Return how many GPUs the job holds on each of its nodes."""
    if job is None or not job.gpus or not holds(job):
        return
    names = hostlist.expand(job.nodes)
    share, more = divmod(job.gpus, len(names))
    for number, name in enumerate(names):
        if gpus := share + (number < more):
            yield name, gpus
