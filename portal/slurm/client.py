"""The portal's interface to Slurm. `commands.SlurmCommands` implements it with Slurm's own commands, `library.client`
also with Slurm's library.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Protocol

from portal.slurm.budget import Budget
from portal.slurm.jobs import Job, JobEnd, LogPiece, Place, Priority, SessionSpec, Submitted
from portal.slurm.nodes import License, Node, Partition, Reservation
from portal.slurm.snapshot import Association, EnforcedLimit


def job_name(session_id: str) -> str:
    """Return the job name of a session, by which its row and its job find each other after a crash."""
    return f"dsp-{session_id}"


_SESSION = re.compile(r"dsp-([a-z0-9]{12})")


def session_of(name: str) -> str | None:
    """Return the session that a job of this name belongs to; None for a batch job."""
    if not name.startswith("dsp-"):  # called for each of 100,000 jobs
        return None
    match = _SESSION.fullmatch(name)
    return match[1] if match else None


class SlurmClient(Protocol):
    """Every method raises `SlurmUnavailable` if Slurm does not answer: then nothing is known.

    Those that read wait until `budget` allows it, except for those that a user's start waits for: `find`, and what
    `submit` looks up. Those that act raise `SlurmRefused` if Slurm or the door refuses, with a sentence and the field.
    """

    @property
    def budget(self) -> Budget: ...

    async def jobs(self) -> list[Job]:
        """Return every job that slurmctld knows, including those that ended within MinJobAge."""
        ...

    async def nodes(self) -> list[Node]: ...

    async def partitions(self) -> list[Partition]: ...

    async def associations(self) -> list[Association]:
        """Return who may charge which account; empty if the cluster has no accounting."""
        ...

    async def licenses(self) -> list[License]: ...

    async def wckeys(self) -> dict[str, tuple[str, ...]] | None:
        """Return the WCKeys of each user; None if the cluster tracks none, or lists them for its operators alone."""
        ...

    async def limits(self) -> tuple[bool, list[EnforcedLimit]]:
        """Return whether Slurm enforces limits, and those of associations and QOS; none without accounting."""
        ...

    async def places(self) -> dict[int, tuple[Place, ...]]:
        """Return which GPUs of which node each running job holds, by job. A hint: the source contains users' free
        text.
        """
        ...

    async def priorities(self) -> dict[int, Priority]:
        """Return what each pending job's priority consists of; empty unless Slurm uses priority/multifactor."""
        ...

    async def private(self) -> frozenset[str]:
        """Return what users may not see of each other in Slurm: its PrivateData, in lower case."""
        ...

    async def reservations(self) -> list[Reservation]: ...

    async def version(self) -> str:
        """Return the controller's version, such as `22.05.8`."""
        ...

    async def job_ends(self, job_ids: Collection[int]) -> dict[int, JobEnd]:
        """Return how these jobs ended, in one call. Leaves out active and unknown jobs."""
        ...

    async def with_steps(self, job_ids: Collection[int]) -> set[int]:
        """Return which of these jobs have a step of their own on a node, in one call for all of them."""
        ...

    async def find(self, user: str, session_id: str) -> Submitted | None:
        """Return the session's job if Slurm knows one that has not ended. Call this before submitting again."""
        ...

    async def submit(self, user: str, spec: SessionSpec, env: Mapping[str, str]) -> Submitted:
        """Start the session's job as `user`. `env` (keys `DSP_…`) reaches only the job's environment.

        If the answer is lost (a timeout), the job is looked for by its name before `SlurmUnavailable` is raised. To try
        again, call `find` first.
        """
        ...

    async def change(self, user: str, job_id: int, values: Mapping[str, str | int]) -> None:
        """Set these values of the user's pending job, named as in SessionSpec; it keeps its submission time."""
        ...

    async def withdraw(self, user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        """Cancel the session's job if it is still pending and its successor is in the queue.

        Return whether it has left the queue, and whether the successor is in it.
        """
        ...

    async def cancel(self, user: str, job_id: int) -> None:
        """Cancel the job, as its user. A job that has already ended is not an error."""
        ...

    async def read_log(self, user: str, session_id: str, offset: int, limit: int) -> LogPiece:
        """Return a piece of the session's log, read as its user; a negative offset counts from the end.

        A log that does not exist yet gives an empty piece.
        """
        ...

    async def close(self) -> None:
        """End what keeps running between readings."""
        ...
