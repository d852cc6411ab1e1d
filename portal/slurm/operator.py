"""Acts that need the rights of Slurm's own user, through the door: administrators' operations, which check the actor,
and more time for users' own sessions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from portal.errors import FieldProblem, Forbidden, SlurmRefused
from portal.settings import Slurm
from portal.slurm import error_messages
from portal.slurm.door_client import Door, DoorRefused


class JobAction(StrEnum):
    HOLD = "hold"
    RELEASE = "release"
    REQUEUE = "requeue"
    CANCEL = "cancel"
    TIME_LIMIT = "time_limit"
    PRIORITY = "priority"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationSpec:
    """A reservation to make. `starts_at` None: now; `nodes` empty: all. Users or accounts are required."""

    name: str
    starts_at: datetime | None
    minutes: int
    nodes: tuple[str, ...]
    users: tuple[str, ...]
    accounts: tuple[str, ...]
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationChange:
    """The changes to a reservation; None: unchanged. An empty list of users or accounts removes all of them."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    nodes: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    accounts: tuple[str, ...] | None = None


class Operator:
    """Every method raises SlurmRefused if Slurm refuses, and SlurmUnavailable if there is no answer; those of
    administrators raise Forbidden unless the actor is one on the head node. `actor` is the user in whose name they act.
    """

    def __init__(self, settings: Slurm, door: Door, calls: Counter[str]) -> None:
        self._door = door
        self._deadline_s = settings.deadline_s
        self._calls = calls

    async def drain(self, actor: str, nodes: Sequence[str], reason: str) -> None:
        await self._act("node_drain", actor, nodes=list(nodes), reason=reason)

    async def resume(self, actor: str, nodes: Sequence[str]) -> None:
        await self._act("node_resume", actor, nodes=list(nodes))

    async def reserve(self, actor: str, spec: ReservationSpec) -> None:
        await self._reserving(
            "reservation_create",
            actor,
            name=spec.name,
            starts_at=_utc(spec.starts_at),
            minutes=spec.minutes,
            nodes=list(spec.nodes),
            users=list(spec.users),
            accounts=list(spec.accounts),
            flags=list(spec.flags),
        )

    async def change_reservation(self, actor: str, name: str, change: ReservationChange) -> None:
        lists = {key: getattr(change, key) for key in ("nodes", "users", "accounts")}
        await self._reserving(
            "reservation_update",
            actor,
            name=name,
            starts_at=_utc(change.starts_at),
            ends_at=_utc(change.ends_at),
            **{key: None if value is None else list(value) for key, value in lists.items()},
        )

    async def _reserving(self, verb: str, actor: str, **fields: Any) -> None:
        try:
            await self._act(verb, actor, **fields)
        except SlurmRefused as refused:
            if all(problem.field != "resources.account" for problem in refused.fields):
                raise
            text = "Every user and account must exist, and each user must be in one of the accounts."
            raise SlurmRefused(text, fields=[FieldProblem("accounts", text)]) from refused

    async def unreserve(self, actor: str, name: str) -> None:
        await self._act("reservation_delete", actor, name=name)

    async def jobs(
        self, actor: str, jobs: Sequence[str], action: JobAction, value: int | None = None
    ) -> dict[str, str]:
        """Apply one action to each job; return why it failed for each job, empty where it succeeded.

        `value`: minutes for a time limit, a number for a priority.
        """
        answer = await self._act("job_action", actor, jobs=list(jobs), action=action.value, value=value)
        return {job: _words(job, complaint, action) for job, complaint in answer["results"].items()}

    async def extend(self, user: str, session_id: str, job_id: int, walltime_s: int) -> None:
        """Raise the time limit of a user's own session. Raises Forbidden unless the door allows it."""
        await self._act("session_extend", user, session=session_id, job_id=job_id, minutes=walltime_s // 60)

    async def shorten(self, user: str, job_id: int, walltime_s: int) -> None:
        """Lower the time limit of a user's own job, as the user."""
        answer = await self._act("job_act", user, ids=[str(job_id)], action="time_limit", walltime_s=walltime_s)
        if not answer["results"][0]["ok"]:
            raise error_messages.error_for(answer["results"][0]["said"])

    async def _act(self, verb: str, actor: str, **fields: Any) -> dict[str, Any]:
        self._calls[f"door {verb}"] += 1
        try:
            return await self._door.call(verb, user=actor, deadline_s=self._deadline_s, **fields)
        except DoorRefused as refused:
            if refused.kind == "slurm":
                raise error_messages.error_for(refused.message) from refused
            if refused.kind == "user_refused":
                raise Forbidden(
                    refused.message, hint="The administrators of the head node set this in the door's configuration."
                ) from refused
            raise


def _utc(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if moment else None


def _words(job: str, complaint: str, action: JobAction) -> str:
    if error_messages.is_unknown(complaint):
        return f"Slurm knows no job {job}: check the number, or it ended some time ago."
    if not complaint or (action is JobAction.CANCEL and error_messages.is_gone(complaint)):
        return ""
    return error_messages.error_for(complaint).message
