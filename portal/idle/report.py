"""The dry run over the sessions of the last days, as a report."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from portal.idle import readings
from portal.idle.dry_run import Outcome, Recorded, Wait, replay
from portal.idle.rules import is_exempt
from portal.idle.schemas import EndedRow, IdleReport, OwnerRow, RuleOut
from portal.idle.store import IdleStore
from portal.policy import formatting
from portal.settings.idle import Idle as Rule

ENDS = 200


class DryRun:
    def __init__(
        self,
        *,
        rule: Rule,
        raw_days: int,
        store: IdleStore,
        groups: Callable[[str], Awaitable[Iterable[str]]],
        now: Callable[[], datetime],
    ) -> None:
        self._rule = rule
        self._raw_days = raw_days
        self._store = store
        self._groups = groups
        self._now = now
        self._one_at_a_time = asyncio.Lock()

    async def report(self, days: int, **changes: Any) -> IdleReport:
        """Replay the last days with the site's rule, or with `changes` to it. Raises DirectoryUnavailable."""
        rule = self._rule.model_copy(update={key: value for key, value in changes.items() if value is not None})
        if rule.action != "end":
            rule = rule.model_copy(update={"action": "end"})
        since = self._now() - timedelta(days=days)
        since_s = int(since.timestamp())
        async with self._one_at_a_time:
            waits = await self._store.waits(since_s) if rule.while_others_wait else ()
            outcomes, exempt = [], 0
            for session in await self._store.recorded(since_s):
                if await self._is_exempt(rule, session):
                    exempt += 1
                else:
                    outcomes.append(await self._replayed(rule, session, since_s, waits))
        return summary(rule, outcomes, since=since, raw_days=self._raw_days, exempt=exempt)

    async def _is_exempt(self, rule: Rule, session: Recorded) -> bool:
        groups = frozenset(await self._groups(session.owner)) if rule.exempt_groups else frozenset[str]()
        return is_exempt(rule, partition=session.partition, reservation=session.reservation, groups=groups)

    async def _replayed(self, rule: Rule, session: Recorded, since_s: int, waits: Sequence[Wait]) -> Outcome:
        samples = await self._store.samples(session.id, since_s)
        read = [readings.of_sample(sample, session.gpus) for sample in samples]
        return await asyncio.to_thread(replay, session, read, rule, waits=waits)  # a week is 10,000 readings


def summary(rule: Rule, outcomes: Sequence[Outcome], *, since: datetime, raw_days: int, exempt: int) -> IdleReport:
    ended = sorted((one for one in outcomes if one.ended_s is not None), key=lambda one: -one.gpu_hours_back)
    return IdleReport(
        rule=RuleOut(**rule.model_dump(include=set(RuleOut.model_fields)), text=in_words(rule)),
        since=since,
        recorded_days=raw_days,
        sessions=len(outcomes) + exempt,
        exempt=exempt,
        warned=sum(bool(one.warned_s) for one in outcomes),
        cleared=sum(one.cleared for one in outcomes),
        ended=len(ended),
        came_back=sum(one.worked_later_s is not None for one in ended),
        gpu_hours=_hours(outcomes, "seconds"),
        gpu_hours_unknown=_hours(outcomes, "unknown_s"),
        gpu_hours_back=_hours(outcomes, "given_back_s"),
        owners=_owners(outcomes),
        ends=[_ended(one) for one in ended[:ENDS]],
    )


def in_words(rule: Rule) -> str:
    """Return the rule as administrators read it."""
    parts = [
        f"Idle for {formatting.duration(rule.after_minutes * 60)}: GPUs at most {rule.gpu_percent:g} %, "
        f"no busy kernel, no program in a terminal, nobody using it, CPU at most {rule.cpu_percent:g} % of a core, "
        f"disk {rule.disk_kib_s:g} KiB/s, network {rule.network_kib_s:g} KiB/s.",
        f"Grace period: {formatting.duration(rule.grace_minutes * 60)}.",
    ]
    if rule.while_others_wait:
        parts.append("Only while others wait for these GPUs.")
    if rule.hours:
        parts.append(f"Only {', '.join(rule.hours)}.")
    return " ".join(parts)


def _owners(outcomes: Sequence[Outcome]) -> list[OwnerRow]:
    by: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by.setdefault(outcome.session.owner, []).append(outcome)
    rows = [
        OwnerRow(
            owner=owner,
            sessions=len(theirs),
            warned=sum(bool(one.warned_s) for one in theirs),
            ended=sum(one.ended_s is not None for one in theirs),
            gpu_hours_back=_hours(theirs, "given_back_s"),
            came_back=sum(one.worked_later_s is not None for one in theirs),
        )
        for owner, theirs in by.items()
    ]
    return sorted(rows, key=lambda row: (-row.gpu_hours_back, row.owner))


def _ended(outcome: Outcome) -> EndedRow:
    session = outcome.session
    return EndedRow(
        id=session.id,
        name=session.name,
        owner=session.owner,
        gpus=session.gpus,
        warned_at=_time(outcome.warned_s[-1]),
        ended_at=_time(outcome.ended_s or 0.0),
        gpu_hours_back=round(outcome.gpu_hours_back, 1),
        worked_at=None if outcome.worked_later_s is None else _time(outcome.worked_later_s),
    )


def _hours(outcomes: Sequence[Outcome], of: str) -> float:
    hours: float = sum(getattr(outcome, of) * outcome.session.gpus for outcome in outcomes) / 3600
    return round(hours, 1)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
