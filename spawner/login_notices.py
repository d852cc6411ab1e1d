"""The portal's announcements for the login page: fetched when the page is rendered, cached briefly.

A portal that does not answer costs the page its notices and, once in a while, `PATIENCE_S`; never the login.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from spawner.portal_client import PortalClient, PortalProblem

FRESH_S = 5.0
PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class LoginNotice:
    """`when`: of maintenance, in words and UTC; the page's script converts times to the reader's zone."""

    text: str
    maintenance: bool
    partitions: str
    starts_at: str
    ends_at: str
    when: str


class LoginNotices:
    def __init__(self, portal: PortalClient, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._portal = portal
        self._monotonic = monotonic
        self._notices: list[LoginNotice] = []
        self._asked = float("-inf")

    def now(self) -> CurrentNotices:
        """Return the current notices; none while the portal is down."""
        return CurrentNotices(self)

    @property
    def latest(self) -> list[LoginNotice]:
        return self._notices

    async def fresh(self) -> list[LoginNotice]:
        now = self._monotonic()
        if now - self._asked >= FRESH_S:
            self._asked = now
            try:
                self._notices = [
                    _notice(announcement) for announcement in await self._portal.announcements(timeout_s=PATIENCE_S)
                ]
            except PortalProblem:
                self._notices = []
        return self._notices


class CurrentNotices:
    """The notices, for a template: the Hub's pages await it; a page that cannot wait reads the last known ones.

    The Hub's error handler, which is not asynchronous, renders the page of a failed login.
    """

    def __init__(self, notices: LoginNotices) -> None:
        self._notices = notices

    def __await__(self) -> Generator[Any, None, list[LoginNotice]]:
        return self._notices.fresh().__await__()

    def __iter__(self) -> Iterator[LoginNotice]:
        return iter(self._notices.latest)


def _notice(value: dict[str, object]) -> LoginNotice:
    starts_at, ends_at = str(value.get("starts_at") or ""), str(value.get("ends_at") or "")
    names = value.get("partitions")
    return LoginNotice(
        text=str(value.get("text") or ""),
        maintenance=value.get("kind") == "maintenance",
        partitions=", ".join(str(name) for name in names) if isinstance(names, list) else "",
        starts_at=starts_at,
        ends_at=ends_at,
        when=f"{_clock(starts_at)} – {_clock(ends_at)}" if starts_at and ends_at else "",
    )


def _clock(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone(UTC).strftime("%a %-d %b %H:%M UTC")
