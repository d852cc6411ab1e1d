"""What the portal asks of Slurm. `commands.SlurmCommands` answers with Slurm's own programs, `library.client` also with
Slurm's library."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Protocol

from portal.slurm.types import (
    Association,
    Job,
    JobEnd,
    LogPiece,
    Node,
    Partition,
    Place,
    Reservation,
    SessionSpec,
    Submitted,
)


def job_name(session_id: str) -> str:
    """The name a session's job carries, by which rows and jobs are matched again after any crash."""
    return f"dsp-{session_id}"


_SESSION = re.compile(r"dsp-([a-z0-9]{12})")


def session_of(name: str) -> str | None:
    """Return the session that a job of this name belongs to; None for a batch job."""
    if not name.startswith("dsp-"):  # asked of each of 100,000 jobs
        return None
    found = _SESSION.fullmatch(name)
    return found[1] if found else None


class SlurmClient(Protocol):
    """Every method raises `SlurmUnavailable` when Slurm does not answer: then nothing is known.

    Those that act raise `SlurmRefused` when Slurm or the door understood and said no, in words, naming the field.
    """

    async def jobs(self) -> list[Job]:
        """Every job slurmctld knows, those that ended within MinJobAge included."""
        ...

    async def nodes(self) -> list[Node]: ...

    async def partitions(self) -> list[Partition]: ...

    async def associations(self) -> list[Association]:
        """Who may charge which account; empty where the cluster keeps no accounting."""
        ...

    async def places(self) -> dict[int, tuple[Place, ...]]:
        """Which GPUs of which node each running job holds, by job. A hint: parts of it are users' free text."""
        ...

    async def private(self) -> frozenset[str]:
        """What users may not see of each other in Slurm: its PrivateData, in lower case."""
        ...

    async def reservations(self) -> list[Reservation]: ...

    async def version(self) -> str:
        """The controller's version, such as `22.05.8`."""
        ...

    async def job_ends(self, job_ids: Collection[int]) -> dict[int, JobEnd]:
        """How these jobs ended, in one call; one that goes on, or that nobody knows any more, is left out."""
        ...

    async def with_steps(self, job_ids: Collection[int]) -> set[int]:
        """Which of these jobs have a step of their own on a node, in one call for all of them."""
        ...

    async def find(self, user: str, session_id: str) -> Submitted | None:
        """The job of this session, if Slurm knows one that has not ended: to be asked before submitting again."""
        ...

    async def submit(self, user: str, spec: SessionSpec, env: Mapping[str, str]) -> Submitted:
        """Start the session's job as `user`. `env` (keys `DSP_…`) reaches only the job's environment.

        When the answer is lost (a timeout) the job is looked for by its name before `SlurmUnavailable` is raised; a
        caller that tries again asks `find` first.
        """
        ...

    async def cancel(self, user: str, job_id: int) -> None:
        """End the job, as its user. It is not an error if the job has ended already."""
        ...

    async def read_log(self, user: str, session_id: str, offset: int, limit: int) -> LogPiece:
        """A piece of the session's log, read as its user; a negative offset counts from the end.

        A log that is not there yet is an empty piece.
        """
        ...

    async def close(self) -> None:
        """End what runs on between readings."""
        ...
