"""Reports failed logins for the portal's audit log, in the background: a login never waits for it.

Equal failures within `EVERY_S` make one entry with a count, and there are at most `AT_ONCE` entries at a time: somebody
who tries passwords cannot fill the log.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, NamedTuple

from spawner.portal_client import PortalClient, PortalProblem

EVERY_S = 10.0
AT_ONCE = 10
NAME_CHARS = 64


class Failure(NamedTuple):
    """`username` as it was typed; `reason` is the audit entry's result."""

    username: str
    address: str
    reason: str


#: What does not fit is counted together.
OTHERS = Failure("", "", "many_failed_logins")


class FailedLogins:
    def __init__(self, portal: PortalClient, every_s: float = EVERY_S) -> None:
        self._portal = portal
        self._every_s = every_s
        self._waiting: Counter[Failure] = Counter()
        self.sending: asyncio.Task[None] | None = None

    def add(self, username: str, handler: Any, reason: str) -> None:
        """Report a failure; without a handler of the request, its address is unknown."""
        address = (handler.request.remote_ip if handler else "") or ""
        self._count(Failure(username.strip()[:NAME_CHARS], address, reason))
        if self.sending is None or self.sending.done():
            self.sending = asyncio.create_task(self._send())

    def _count(self, failure: Failure, times: int = 1) -> None:
        has_room = failure in self._waiting or len(self._waiting) < AT_ONCE
        self._waiting[failure if has_room else OTHERS] += times

    async def _send(self) -> None:
        """Send what waits, at once and then every few seconds, until nothing does."""
        while self._waiting:
            sent, self._waiting = self._waiting, Counter()
            try:
                await self._portal.failed_logins([{**failure._asdict(), "count": sent[failure]} for failure in sent])
            except PortalProblem:
                for failure, count in sent.items():
                    self._count(failure, count)
            await asyncio.sleep(self._every_s)
