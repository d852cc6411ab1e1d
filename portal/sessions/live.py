"""What agents report of running sessions: when each last reported, its latest use, whether it learns of a stop at once,
and whether it was found idle.

Kept in memory only: a session asked about for the first time counts as just heard from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from portal.sessions.schemas import IdleOut, UsageOut


class LiveSessions:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._heard: dict[str, datetime] = {}
        self._usage: dict[str, UsageOut] = {}
        self._idle: dict[str, IdleOut] = {}
        self._listening: set[str] = set()

    def heard(self, session_id: str) -> None:
        self._heard[session_id] = self._now()

    def silence(self, session_id: str) -> timedelta:
        now = self._now()
        return now - self._heard.setdefault(session_id, now)

    def note_usage(self, session_id: str, usage: UsageOut) -> None:
        self._usage[session_id] = usage

    def usage(self, session_id: str) -> UsageOut | None:
        return self._usage.get(session_id)

    def note_idle(self, session_id: str, idle: IdleOut | None) -> None:
        if idle is None:
            self._idle.pop(session_id, None)
        else:
            self._idle[session_id] = idle

    def idle(self, session_id: str) -> IdleOut | None:
        return self._idle.get(session_id)

    @contextmanager
    def listening(self, session_id: str) -> Iterator[None]:
        self._listening.add(session_id)
        try:
            yield
        finally:
            self._listening.discard(session_id)

    def listens(self, session_id: str) -> bool:
        return session_id in self._listening

    def forget_all_but(self, session_ids: Collection[str]) -> None:
        stay = set(session_ids)
        for kept in (self._heard, self._usage, self._idle):
            for gone in kept.keys() - stay:
                del kept[gone]
