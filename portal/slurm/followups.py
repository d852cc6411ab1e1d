"""Reads the queue again soon after a start or stop here, until new jobs run."""

from __future__ import annotations

from collections.abc import Mapping

from portal.slurm.jobs import Job

#: Maximum readings after a kick; slurmctld takes up to three seconds to start a job (`batch_sched_delay`).
MOST = 4


class FollowUps:
    def __init__(self) -> None:
        self._left = 0
        self._new: set[int] = set()

    @property
    def active(self) -> bool:
        return self._left > 0

    def begin(self) -> None:
        """Note that something has just been started or stopped here."""
        self._left = MOST

    def wanted(self, was: Mapping[int, Job], now: Mapping[int, Job]) -> bool:
        """Return, after a reading, whether another should follow soon: the first always, more while a new job is
        pending.
        """
        came = now.keys() - was.keys() if self._left else set()
        self._new = {number for number in self._new | came if number in now and now[number].state.waits}
        if not self._left or (self._left < MOST and not self._new):
            self._left = 0
            self._new.clear()
            return False
        self._left -= 1
        return True


def moved(was: Mapping[int, Job], now: Mapping[int, Job]) -> bool:
    """Whether a job has got or left nodes between two readings."""
    if was is now:
        return False
    gone = (was[number] for number in was.keys() - now.keys())
    return any(_held(job) for job in gone) or any(
        _held(job) != (_held(was[number]) if number in was else "") for number, job in now.items()
    )


def _held(job: Job) -> str:
    return "" if job.state.is_over else job.nodes
