"""After something was started or stopped here, the queue is read again soon: until what came with it runs."""

from __future__ import annotations

from collections.abc import Mapping

from portal.slurm.types import Job

#: Readings that follow a kick at the most; slurmctld takes up to three seconds to begin a job (`batch_sched_delay`).
MOST = 4


class FollowUps:
    def __init__(self) -> None:
        self._left = 0
        self._new: set[int] = set()

    @property
    def active(self) -> bool:
        return self._left > 0

    def begin(self) -> None:
        """Something has just happened here."""
        self._left = MOST

    def wanted(self, was: Mapping[int, Job], now: Mapping[int, Job]) -> bool:
        """Say after a reading whether another one should follow soon: the first always, more while a new job waits."""
        came = now.keys() - was.keys() if self._left else set()
        self._new = {number for number in self._new | came if number in now and now[number].state.waits}
        if not self._left or (self._left < MOST and not self._new):
            self._left = 0
            self._new.clear()
            return False
        self._left -= 1
        return True


def moved(was: Mapping[int, Job], now: Mapping[int, Job]) -> bool:
    """Say whether a job has come to nodes or left them between two readings."""
    if was is now:
        return False
    gone = (was[number] for number in was.keys() - now.keys())
    return any(_held(job) for job in gone) or any(
        _held(job) != (_held(was[number]) if number in was else "") for number, job in now.items()
    )


def _held(job: Job) -> str:
    return "" if job.state.is_over else job.nodes
