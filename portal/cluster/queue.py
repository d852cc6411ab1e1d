"""The queue as readers see it: filtered, counted and paged here, so that no page holds 100,000 jobs.

The order: your own first, then running jobs, then pending ones in Slurm's order. Ended jobs are a separate list.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Literal

from portal.cluster.cells import holds
from portal.cluster.visibility import Viewer, Visibility
from portal.slurm import hostlist
from portal.slurm.jobs import Job
from portal.slurm.reasons import has_position

States = Literal["active", "running", "waiting", "ended"]
#: Filtered lists to cache while the queue does not change.
REMEMBERED = 32


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which jobs; an empty field matches any."""

    state: States = "active"
    partition: str = ""
    user: str = ""
    gpu_type: str = ""
    node: str = ""
    text: str = ""
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    jobs: list[Job]
    total: int
    mine: int


class SortedQueue:
    """One sorted reading of the queue. Each list is built on first use."""

    def __init__(self, jobs: Mapping[int, Job]) -> None:
        self._jobs = jobs

    @cached_property
    def running(self) -> list[Job]:
        jobs = [job for job in self._jobs.values() if not job.state.waits and not job.state.is_over]
        return sorted(jobs, key=lambda job: (-_seconds(job.started_at), -job.id))

    @cached_property
    def waiting(self) -> list[Job]:
        return sorted((job for job in self._jobs.values() if job.state.waits), key=lambda job: job.rank)

    @cached_property
    def ended(self) -> list[Job]:
        jobs = [job for job in self._jobs.values() if job.state.is_over and not job.never_was]
        return sorted(jobs, key=lambda job: (-_seconds(job.ends_at), -job.id))

    @cached_property
    def active(self) -> list[Job]:
        return self.running + self.waiting

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """Return each pending job's position in its partition's queue, and the length of that queue.

        Of several partitions, the one where it is nearest to the front. Leaves out jobs without a position, such as
        held ones.
        """
        lines: dict[str, list[int]] = defaultdict(list)
        for job in filter(has_position, self.waiting):
            for partition in job.partitions:
                lines[partition].append(job.id)
        places: dict[int, tuple[int, int]] = {}
        for line in lines.values():
            for place, job_id in enumerate(line, 1):
                places[job_id] = min(places.get(job_id, (place, len(line))), (place, len(line)))
        return places

    @cached_property
    def _by_node(self) -> dict[str, list[Job]]:
        by_node: dict[str, list[Job]] = defaultdict(list)
        for job in self.running:
            if holds(job):
                for node in hostlist.expand(job.nodes):
                    by_node[node].append(job)
        return dict(by_node)

    @cached_property
    def _by_user(self) -> dict[str, list[Job]]:
        by_user: dict[str, list[Job]] = defaultdict(list)
        for job in self.running:
            if holds(job):
                by_user[job.user].append(job)
        return dict(by_user)

    def running_of(self, user: str) -> list[Job]:
        """Return a user's jobs that hold resources."""
        return self._by_user.get(user, [])

    def on(self, node: str) -> list[Job]:
        """Return the jobs that hold resources on a node."""
        return self._by_node.get(node, [])


class Queue:
    """Answers requests about the newest reading; readers share its results."""

    def __init__(self) -> None:
        self._of: Mapping[int, Job] | None = None
        self._line = SortedQueue({})
        self._known: OrderedDict[tuple[QueueFilter, Viewer | Visibility], list[Job]] = OrderedDict()

    def line(self, jobs: Mapping[int, Job]) -> SortedQueue:
        if jobs is not self._of:
            self._of, self._line = jobs, SortedQueue(jobs)
            self._known.clear()
        return self._line

    def page(self, jobs: Mapping[int, Job], asked: QueueFilter, viewer: Viewer, *, offset: int, limit: int) -> Page:
        matching = self._matching(self.line(jobs), asked, viewer)
        own = [job for job in matching if job.user == viewer.username]
        if asked.mine:
            return Page(own[offset : offset + limit], len(own), len(own))
        first = own[offset : offset + limit]
        skip = max(0, offset - len(own))
        others = (job for job in matching if job.user != viewer.username)
        return Page([*first, *islice(others, skip, skip + limit - len(first))], len(matching), len(own))

    def _matching(self, line: SortedQueue, asked: QueueFilter, viewer: Viewer) -> list[Job]:
        # Readers who see the same share the answer; a filter's matches depend on what the reader may see.
        key = (asked, viewer if asked.user or asked.text else viewer.visibility)
        if key not in self._known:
            self._known[key] = _filter(line, asked, viewer)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


def _filter(line: SortedQueue, asked: QueueFilter, viewer: Viewer) -> list[Job]:
    jobs: Sequence[Job] = line.on(asked.node) if asked.node else getattr(line, asked.state)
    tests: list[Callable[[Job], bool]] = []
    if asked.partition:
        tests.append(lambda job: asked.partition in job.partitions)
    if asked.gpu_type:
        tests.append(lambda job: job.gpu_type == asked.gpu_type)
    if asked.user:
        tests.append(lambda job: job.user == asked.user and viewer.sees(job, Visibility.USERS))
    if asked.text:
        text = asked.text.casefold()
        tests.append(lambda job: any(text in word.casefold() for word in _words(job, viewer)))
    return [job for job in jobs if all(test(job) for test in tests)] if tests else list(jobs)


def _words(job: Job, viewer: Viewer) -> list[str]:
    """Return the text of a job that this reader's search may match."""
    words = [str(job.id), job.nodes]
    if viewer.sees(job, Visibility.USERS):
        words += [job.user, job.account]
    if viewer.sees(job, Visibility.JOBS):
        words.append(job.name)
    return words


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at is not None else 0.0
