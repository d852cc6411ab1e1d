"""Applies the idle policy to running sessions: warns owners, takes snoozes, ends sessions that stay idle.

Every step follows from a report of the session's agent that is at most a second old, so no session is ended on
outdated information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog

from portal.audit.service import Audit
from portal.errors import Conflict, DirectoryUnavailable, Forbidden, PolicyRefused
from portal.idle import readings
from portal.idle.rules import Course, Step, is_exempt, is_in_hours
from portal.idle.store import IdleStore
from portal.loops import every
from portal.notifications import texts
from portal.placement.longer import waiting_for
from portal.policy import formatting
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import IdleOut, UsageOut
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.view import resources_of
from portal.settings.idle import Idle as Rule
from portal.slurm.hostlist import expand
from portal.slurm.snapshot import Snapshot
from portal.tasks import Tasks

log = structlog.get_logger(__name__)

TIDY_S = 600.0


@dataclass(frozen=True, slots=True)
class Portal:
    """The portal as an actor in the audit log."""

    username: str = "portal"
    address: str = ""


PORTAL = Portal()


class IdlePolicy:
    def __init__(
        self,
        *,
        rule: Rule,
        report_s: float,
        store: IdleStore,
        records: SessionStore,
        sessions: SessionService,
        live: LiveSessions,
        audit: Audit,
        groups: Callable[[str], Awaitable[Iterable[str]]],
        snapshot: Callable[[], Snapshot],
        tasks: Tasks,
        now: Callable[[], datetime],
    ) -> None:
        """`report_s`: seconds between two reports of an agent."""
        self._rule = rule
        self._report_s = report_s
        self._store = store
        self._records = records
        self._sessions = sessions
        self._live = live
        self._audit = audit
        self._groups = groups
        self._snapshot = snapshot
        self._tasks = tasks
        self._now = now
        self._courses: dict[str, Course] | None = None
        self.acting: set[str] = set()
        self.counts: Counter[str] = Counter()
        """Warnings, snoozes, clearings and ends since the start."""

    @property
    def is_on(self) -> bool:
        return self._rule.action != "off"

    @property
    def warned(self) -> int:
        """The sessions that have a warning now."""
        return sum(course.warned_s is not None for course in (self._courses or {}).values())

    async def run(self) -> None:
        """Load the warnings from before a restart, then forget sessions as they end."""
        if self.is_on:
            await self.resume()
            await every(TIDY_S, self._tidy, failed="idle.tidy_failed")

    async def resume(self) -> None:
        courses, now_s = await self._store.courses(), self._now().timestamp()
        for session_id, course in courses.items():
            course.resume(now_s, self._rule)
            self._show(session_id, course)
        self._courses = courses

    async def _tidy(self) -> None:
        active = {record.id for record in await self._records.active()}
        if self._courses is not None:
            self._courses = {key: course for key, course in self._courses.items() if key in active}

    def note(self, record: SessionRecord, use: UsageOut) -> None:
        """Take an agent's report without I/O; any consequences run in the background."""
        if self._courses is None or not record.gpus or record.state != SessionState.READY:
            return
        course = self._courses.setdefault(record.id, Course())
        before_s = course.heard_s if course.heard_s is not None else use.at.timestamp() - self._report_s
        reading = readings.of_report(use, record.gpus, max(1.0, use.at.timestamp() - before_s))
        step = course.step(reading, self._rule, allowed=self._is_allowed(record))
        if step is not None and record.id not in self.acting:
            self.acting.add(record.id)
            act = {Step.WARN: self._warn, Step.CLEAR: self._clear, Step.END: self._end}[step]
            self._tasks.start(self._once(record, act(record, course)), name=f"idle-{step.value}-{record.id}")

    async def _once(self, record: SessionRecord, act: Awaitable[None]) -> None:
        try:
            await act
        finally:
            self.acting.discard(record.id)
            if self._courses is not None and record.id in self._courses:
                self._show(record.id, self._courses[record.id])

    def _is_allowed(self, record: SessionRecord) -> bool:
        rule, snapshot = self._rule, self._snapshot()
        if is_exempt(rule, partition=record.partition, reservation=record.reservation, groups=frozenset()):
            return False
        if not is_in_hours(self._now().astimezone(), rule.hours):
            return False
        job = snapshot.jobs.get(record.job_id or 0)
        nodes = expand((job.nodes if job else "") or record.node or "")
        return not rule.while_others_wait or waiting_for(resources_of(record), record.owner, nodes, snapshot) > 0

    async def _warn(self, record: SessionRecord, course: Course) -> None:
        """Warn the owner; if that fails, a later report tries again."""
        try:
            groups = frozenset(await self._groups(record.owner)) if self._rule.exempt_groups else frozenset()
        except DirectoryUnavailable:
            course.warned_s = course.ends_s = None
            return
        if is_exempt(self._rule, partition=record.partition, reservation=record.reservation, groups=groups):
            course.warned_s = course.ends_s = None
            course.snoozed_to_s = self._now().timestamp() + self._rule.after_minutes * 60  # look again then
            return
        since, ends_at = _time(course.since_s), _time(course.ends_s)
        told = texts.idle_warning(record.name, record.id, since or self._now(), ends_at, self._now())
        try:
            await self._store.keep(record.id, course, record.owner, told)
        except BaseException:
            course.warned_s = course.ends_s = None  # a session is ended only after its warning was stored
            raise
        self.counts["warned"] += 1
        self._show(record.id, course)
        await self._say(record.id, f"{told.title}. {told.text}")
        await self._audit.record(
            actor=PORTAL.username, action="session.idle_warn", target=record.id, owner=record.owner, job=record.job_id
        )

    async def _clear(self, record: SessionRecord, course: Course) -> None:
        await self._store.keep(record.id, course)
        self.counts["cleared"] += 1
        self._show(record.id, course)
        works = course.since_s is None
        await self._say(
            record.id,
            "The session is active again; the idle warning is withdrawn."
            if works
            else "The idle warning is withdrawn.",
        )

    async def _end(self, record: SessionRecord, course: Course) -> None:
        now_s = self._now().timestamp()
        idle_s = int(now_s - (course.since_s or now_s))
        detail = {"owner": record.owner, "job": record.job_id, "idle_s": idle_s, "snoozes": course.snoozes}
        async with self._audit.noted(PORTAL, "session.idle_end", record.id, **detail):
            await self._say(record.id, f"Idle for {formatting.duration(idle_s)}, so the session is being ended.")
            await self._sessions.stop(record.id, code="idle")
        self.counts["ended"] += 1

    async def snooze(self, session_id: str, username: str) -> SessionRecord:
        """Put a warning off. Raises NotFound, Forbidden for another user's session, Conflict without a warning,
        PolicyRefused after the last snooze.
        """
        record = await self._records.get(session_id)
        if record.owner != username:
            raise Forbidden("This session belongs to someone else.")
        course = (self._courses or {}).get(session_id)
        if course is None or course.warned_s is None or record.state != SessionState.READY:
            raise Conflict("This session has no idle warning.", hint="There is nothing to snooze.")
        if course.snoozes >= self._rule.snoozes:
            times = "once" if self._rule.snoozes == 1 else f"{self._rule.snoozes} times"
            raise PolicyRefused(
                f"This session has been snoozed {times}, which is the limit."
                if course.snoozes
                else "Snoozing is not allowed.",
                hint="Run something in the session: that also withdraws the warning.",
            )
        course.snooze(self._now().timestamp(), self._rule)
        await self._store.keep(session_id, course)
        self.counts["snoozed"] += 1
        self._show(session_id, course)
        left = formatting.plural(self._rule.snoozes - course.snoozes, "snooze")
        await self._say(session_id, f"Snoozed for {formatting.duration(self._rule.snooze_minutes * 60)}; {left} left.")
        return record

    def _show(self, session_id: str, course: Course) -> None:
        since = _time(course.since_s)
        shown = (
            None
            if course.warned_s is None or since is None
            else IdleOut(
                since=since,
                ends_at=_time(course.ends_s),
                snoozes_left=max(0, self._rule.snoozes - course.snoozes),
                snooze_minutes=self._rule.snooze_minutes,
            )
        )
        self._live.note_idle(session_id, shown)

    async def _say(self, session_id: str, message: str) -> None:
        async with self._records.change(session_id) as draft:
            draft.say(message)


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
