"""Limits that administrators set for users and groups, and what each user has used. They apply from the next start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm.exc import StaleDataError

from portal.db.engine import UnitOfWork
from portal.errors import ChangedMeanwhile, FieldProblem, InvalidRequest, NotFound
from portal.limits.holdings import UserHoldings, held
from portal.limits.models import LimitRecord
from portal.limits.schemas import Kind, LimitIn, LimitRow, Use
from portal.policy.view import LimitRule, Pool

POOLED = ("group_max_gpus", "group_max_gpu_hours")
VALUES = ("max_gpus", "max_sessions", "max_walltime_s", "max_gpu_hours", "partitions", "gpu_types", *POOLED)

Groups = Callable[[str], Awaitable[Iterable[str]]]


class LimitService:
    def __init__(self, work: UnitOfWork, groups: Groups, now: Callable[[], datetime]) -> None:
        """`groups` returns a user's groups; none if the directory does not have them."""
        self._work = work
        self._groups = groups
        self._now = now

    # --- what policy asks ---

    async def rules(self, username: str, groups: Iterable[str]) -> tuple[LimitRule, ...]:
        """Return the rules that apply to a user: their own, and those of their groups."""
        mine = {name.casefold() for name in groups}
        async with self._work() as db:
            records = (await db.scalars(select(LimitRecord))).all()
        return tuple(
            _rule(record)
            for record in records
            if (record.name == username if record.kind == "user" else record.name.casefold() in mine)
        )

    async def held(self, username: str) -> UserHoldings:
        """Return what a user holds now, and their GPU-hours of this month."""
        async with self._work() as db:
            return (await held(db, self._now(), username)).get(username, UserHoldings())

    async def pools(self, rules: Sequence[LimitRule]) -> tuple[Pool, ...]:
        """Return what the members of each rule's group hold together. Raises DirectoryUnavailable if the groups of
        somebody who holds something are unknown.
        """
        async with self._work() as db:
            everybody = await held(db, self._now())
        groups = await asyncio.gather(*(self._groups(name) for name in everybody))
        holders = [
            (holding, {name.casefold() for name in names})
            for holding, names in zip(everybody.values(), groups, strict=True)
        ]
        return tuple(
            _pool(rule, [holding for holding, names in holders if rule.name.casefold() in names]) for rule in rules
        )

    # --- administrators' side ---

    async def rows(self) -> list[LimitRow]:
        async with self._work() as db:
            records = await db.scalars(select(LimitRecord).order_by(LimitRecord.kind, LimitRecord.name))
            return [LimitRow.model_validate(record) for record in records]

    async def set(self, kind: Kind, name: str, asked: LimitIn, author: str, *, known: int | None = None) -> LimitRow:
        """Set the whole rule of a user or group; fields left out are not limited by it.

        `known` is the version that the author has seen, 0 for none; None overwrites any version. Raises
        ChangedMeanwhile if the current version is another, InvalidRequest for a user's limit that only groups have.
        """
        pooled = [field for field in POOLED if getattr(asked, field) is not None]
        if kind == "user" and pooled:
            message = "Only a group can have a limit for all its members together."
            raise InvalidRequest(message, fields=[FieldProblem(field, message) for field in pooled])
        values = {field: getattr(asked, field) for field in VALUES} | {"changed_by": author, "changed_at": self._now()}
        try:
            async with self._work() as db:
                record = await self._as_known(db, kind, name, known)
                if record is None:
                    record = LimitRecord(kind=kind, name=name)
                    db.add(record)
                for field, value in values.items():
                    setattr(record, field, value)
        except (StaleDataError, IntegrityError) as error:  # another administrator was faster
            raise self._changed(kind, name) from error
        return LimitRow.model_validate(record)

    async def remove(self, kind: Kind, name: str, *, known: int | None = None) -> None:
        """Remove a rule; `known` as for `set`. Raises NotFound, ChangedMeanwhile."""
        try:
            async with self._work() as db:
                record = await self._as_known(db, kind, name, known)
                if record is None:
                    raise NotFound(f"No limits are set for the {kind} “{name}”.")
                await db.delete(record)
        except StaleDataError as error:
            raise self._changed(kind, name) from error

    async def _as_known(self, db: AsyncSession, kind: Kind, name: str, known: int | None) -> LimitRecord | None:
        record = await db.get(LimitRecord, (kind, name))
        if known is not None and known != (record.version if record else 0):
            raise self._changed(kind, name, record)
        return record

    @staticmethod
    def _changed(kind: Kind, name: str, record: LimitRecord | None = None) -> ChangedMeanwhile:
        who = f"{record.changed_by} has" if record else "Somebody has"
        return ChangedMeanwhile(
            f"{who} changed the limits of the {kind} “{name}” in the meantime; your change was not saved."
        )

    async def uses(self) -> dict[str, Use]:
        """Return what each user holds and has used this month, by user name; only those with either."""
        async with self._work() as db:
            holdings = await held(db, self._now())
        return {
            name: Use(
                sessions=holding.sessions,
                gpus=holding.gpus,
                gpu_hours_used=round(holding.used, 1),
                gpu_hours_promised=round(holding.promised, 1),
            )
            for name, holding in holdings.items()
        }


def _pool(rule: LimitRule, members: Sequence[UserHoldings]) -> Pool:
    return Pool(
        group=rule.name,
        max_gpus=rule.group_max_gpus,
        max_gpu_hours=rule.group_max_gpu_hours,
        gpus=sum(member.gpus for member in members),
        gpu_hours_used=sum(member.used for member in members),
        gpu_hours_promised=sum(member.promised for member in members),
    )


def _rule(record: LimitRecord) -> LimitRule:
    return LimitRule(
        kind="user" if record.kind == "user" else "group",
        name=record.name,
        max_gpus=record.max_gpus,
        max_sessions=record.max_sessions,
        max_walltime_s=record.max_walltime_s,
        max_gpu_hours=record.max_gpu_hours,
        partitions=None if record.partitions is None else frozenset(record.partitions),
        gpu_types=None if record.gpu_types is None else frozenset(record.gpu_types),
        group_max_gpus=record.group_max_gpus,
        group_max_gpu_hours=record.group_max_gpu_hours,
    )
