"""The tables of interactive sessions and of their events."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.agent_jobs import AgentJob
from portal.db.base import Base


class SessionState(StrEnum):
    SUBMITTED = "submitted"
    QUEUED = "queued"
    ALLOCATED = "allocated"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    ENDED = "ended"


# How far each state is on the way to an open app, in percent; also the states' order.
PROGRESS = {
    SessionState.SUBMITTED: 5,
    SessionState.QUEUED: 15,
    SessionState.ALLOCATED: 40,
    SessionState.STARTING: 60,
    SessionState.READY: 100,
    SessionState.STOPPING: 100,
    SessionState.ENDED: 100,
}


class SessionRecord(AgentJob, Base):
    """What was requested, by whom, and how far it has come."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index(
            "uq_sessions_active_server",
            "owner",
            "server_name",
            unique=True,
            sqlite_where=text("state <> 'ended'"),
            postgresql_where=text("state <> 'ended'"),
        ),
        Index("ix_sessions_owner_created_at", "owner", "created_at"),
        Index(
            "ix_sessions_active",
            "created_at",
            sqlite_where=text("state <> 'ended'"),
            postgresql_where=text("state <> 'ended'"),
        ),
    )

    name: Mapped[str] = mapped_column(String(60))
    server_name: Mapped[str] = mapped_column(String(30))
    app: Mapped[str] = mapped_column(String(63))
    # What the file of a user's own app declared; null: the app is the site's.
    own_app: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    environment: Mapped[str] = mapped_column(String(63))
    environment_version: Mapped[str | None] = mapped_column(String(255))
    image: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    options: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    modules: Mapped[list[str]] = mapped_column(JSON, default=list)
    origin: Mapped[str] = mapped_column(String(16))
    # The template or preset from which the new-session form was filled in.
    template: Mapped[str | None] = mapped_column(String(80))
    preset: Mapped[str | None] = mapped_column(String(60))
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    reason_code: Mapped[str | None] = mapped_column(String(255))

    partition: Mapped[str] = mapped_column(String(255))
    account: Mapped[str | None] = mapped_column(String(255))
    qos: Mapped[str | None] = mapped_column(String(255))
    reservation: Mapped[str | None] = mapped_column(String(255))
    nodes: Mapped[int]
    gpus: Mapped[int]
    gpu_type: Mapped[str | None] = mapped_column(String(255))
    cpus: Mapped[int]
    memory_mib: Mapped[int]
    walltime_s: Mapped[int]
    # Shards or percent of one GPU, per node; then there are no whole ones.
    shards: Mapped[int] = mapped_column(default=0, server_default="0")
    mps_percent: Mapped[int] = mapped_column(default=0, server_default="0")
    constraint: Mapped[str | None] = mapped_column(String(600))
    licenses: Mapped[str | None] = mapped_column(String(600))
    wckey: Mapped[str | None] = mapped_column(String(255))
    exclusive: Mapped[bool] = mapped_column(default=False, server_default=false())

    job_id: Mapped[int | None] = mapped_column(index=True)
    node: Mapped[str | None] = mapped_column(String(255))
    server_url: Mapped[str | None] = mapped_column(String(255))
    base_url: Mapped[str | None] = mapped_column(String(511))

    created_at: Mapped[datetime] = mapped_column(index=True)
    queued_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    hello_at: Mapped[datetime | None]
    # Whether its agent keeps guests who only look from doing anything; one from before an upgrade may not.
    onlookers: Mapped[bool] = mapped_column(default=False, server_default=false())
    ready_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    stopping_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None] = mapped_column(index=True)

    # A change of the time limit that Slurm was asked for and whose outcome is not written yet.
    limit_change: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    limit_changed_at: Mapped[datetime | None]
    extended_s: Mapped[int] = mapped_column(default=0)
    extended_times: Mapped[int] = mapped_column(default=0)

    # A change of what a waiting session asks for, written before Slurm is asked. Once it is `done`, it stays for a
    # while, since a killed slurmctld can still forget it.
    change: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    end_code: Mapped[str | None] = mapped_column(String(32))
    end_text: Mapped[str | None] = mapped_column(Text)
    exit_code: Mapped[int | None]
    # The program that its environment does not have, if it ended for that.
    lacks: Mapped[str | None] = mapped_column(String(255))
    # Whether its owner has seen how it ended.
    end_seen: Mapped[bool] = mapped_column(default=False)
    # Counts the changes of this row, so that a page can tell which of two answers is the newer one.
    revision: Mapped[int] = mapped_column(default=0, server_default="0")

    secret_hash: Mapped[str] = mapped_column(String(64))
    # The environment and token that the Hub handed over for the server, sealed with the encryption key.
    launch_sealed: Mapped[bytes | None] = mapped_column(LargeBinary)

    @property
    def gpus_counted(self) -> int:
        """GPUs as limits count them, on all nodes: a part of one counts as one."""
        return (self.gpus or (1 if self.shards or self.mps_percent else 0)) * self.nodes

    @property
    def is_being_changed(self) -> bool:
        return self.change is not None and "done" not in self.change


class SessionEvent(Base):
    """One step of a session's progress, as its owner reads it."""

    __tablename__ = "session_events"

    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime]
    stage: Mapped[str] = mapped_column(String(16))
    message: Mapped[str] = mapped_column(Text)
