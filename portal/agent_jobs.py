"""Jobs that run our agent: those of sessions and of image pulls.

The job is named after its row's id, so the two can be matched again after any crash. Its agent authenticates once, with
the job's one-time secret, and binds a key of its own. From then on the key authenticates it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

import structlog
from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from portal import sealing
from portal.db.engine import UnitOfWork
from portal.errors import Forbidden, Gone, HelloWanted, SlurmUnavailable
from portal.slurm.client import SlurmClient, job_name
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot

log = structlog.get_logger()

SUBMIT_GRACE = timedelta(seconds=30)  # a submission in flight may take as long as Slurm's own timeout


class Hello(BaseModel):
    model_config = ConfigDict(extra="forbid")

    session: Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
    secret: str = Field(max_length=128)
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    job_id: int | None = Field(None, ge=1, le=(1 << 32) - 1)


class AgentJob:
    """An active row whose job runs the agent. Slurm is authoritative about the job."""

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    owner: Mapped[str] = mapped_column(String(255))
    job_id: Mapped[int | None]
    created_at: Mapped[datetime]
    submitted_at: Mapped[datetime | None]
    secret_hash: Mapped[str | None] = mapped_column(String(64))
    agent_key_hash: Mapped[str | None] = mapped_column(String(64))

    @property
    def is_over(self) -> bool:
        """Whether its work has ended: its secret is deleted then."""
        return not self.secret_hash

    def env(self, portal_url: str, secret: str) -> dict[str, str]:
        """Return the variables that the job's agent needs to say hello."""
        return {"DSP_PORTAL": portal_url, "DSP_SESSION": self.id, "DSP_SECRET": secret}

    def bind(self, hello: Hello) -> None:
        """Bind the agent's key. Raises Gone if the work has ended, Forbidden for a wrong secret, job or key."""
        if self.is_over:
            raise Gone("This job has already finished.")
        if not sealing.matches(hello.secret, self.secret_hash):
            raise Forbidden("Wrong secret for this job.")
        if self.job_id is not None and hello.job_id not in (None, self.job_id):
            raise Forbidden("Slurm reports a different ID for this job.")
        if self.agent_key_hash is None:
            self.agent_key_hash = sealing.digest(hello.key)
        elif not sealing.matches(hello.key, self.agent_key_hash):
            log.warning("agent.second_key", id=self.id, owner=self.owner, job=self.job_id)
            raise Forbidden("Another agent is registered for this job.")

    def authenticate(self, key: str) -> None:
        """Check the agent's key. Raises Gone, Forbidden, and HelloWanted if the database has lost the hello."""
        if self.is_over:
            raise Gone("This job's work has ended.")
        if self.agent_key_hash is None:
            raise HelloWanted("No agent has said hello for this job.")
        if not sealing.matches(key, self.agent_key_hash):
            raise Forbidden("Wrong key for this job.")

    def job_in(self, snapshot: Snapshot) -> Job | None:
        name = job_name(self.id)
        job = snapshot.jobs.get(self.job_id) if self.job_id is not None else snapshot.find(user=self.owner, name=name)
        # Slurm's job ids start over when its state is lost.
        return job if job is not None and job.may_be_of(self.owner) and job.name == name else None

    def was_submitted_before(self, snapshot: Snapshot) -> bool:
        """Whether its submission was certainly over at the snapshot: a job that is not in it has ended."""
        return snapshot.is_after(self.submitted_at or self.created_at + SUBMIT_GRACE)

    async def cancel(self, slurm: SlurmClient) -> None:
        """Cancel the job, if it has been submitted. If Slurm does not answer, the reconciler cancels it later."""
        if self.job_id is not None:
            try:
                await slurm.cancel(self.owner, self.job_id)
            except SlurmUnavailable as error:
                log.warning("agent_job.cancel_delayed", id=self.id, error=error.message)


async def known(work: UnitOfWork, row_id: str) -> AgentJob | None:
    """Return the row with this id, whatever its job is for."""
    async with work() as db:
        rows = [await db.get(kind, row_id) for kind in AgentJob.__subclasses__()]
    return next((row for row in rows if row is not None), None)


def sent_key(request: Request) -> tuple[str, str]:
    """Return the row's id and the key that an agent sends with a request. Raises Forbidden."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    row_id, _, key = value.partition(":")
    if scheme.lower() != "bearer" or not key:
        raise Forbidden("An agent must send its job's ID and its key.")
    return row_id, key
