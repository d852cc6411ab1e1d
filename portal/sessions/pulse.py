"""When each session's agent was heard last. Memory alone: one that is asked about for the first time was just heard."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta


class Pulse:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._heard: dict[str, datetime] = {}

    def beat(self, session_id: str) -> None:
        self._heard[session_id] = self._now()

    def silence(self, session_id: str) -> timedelta:
        now = self._now()
        return now - self._heard.setdefault(session_id, now)

    def forget_all_but(self, session_ids: Collection[str]) -> None:
        for gone in self._heard.keys() - set(session_ids):
            del self._heard[gone]
