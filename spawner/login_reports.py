"""Reports logins at the Hub for the portal's audit log, in the background: a login never waits for it.

Equal reports within `EVERY_S` make one entry with a count, and there are at most `AT_ONCE` entries about failures at a
time: somebody who tries passwords cannot fill the log. A login that worked always has an entry of its own.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, NamedTuple

from spawner.portal_client import PortalClient, PortalProblem

EVERY_S = 10.0
AT_ONCE = 10
NAME_CHARS = 64
OK = "ok"


class LoginReport(NamedTuple):
    """`username` as it was typed; the others as in the audit log: `target` is what was logged in to."""

    username: str
    address: str
    result: str
    target: str = "hub"


#: Failures that do not fit are counted together.
OTHERS = LoginReport("", "", "many_failed_logins")


class LoginReports:
    def __init__(self, portal: PortalClient, every_s: float = EVERY_S) -> None:
        self._portal = portal
        self._every_s = every_s
        self._waiting: Counter[LoginReport] = Counter()
        self.sending: asyncio.Task[None] | None = None

    def failed(self, username: str, handler: Any, result: str) -> None:
        """Report a failure; without a handler of the request, its address is unknown."""
        self._add(LoginReport(username.strip()[:NAME_CHARS], _address(handler), result))

    def worked(self, username: str, handler: Any, target: str) -> None:
        self._add(LoginReport(username, _address(handler), OK, target))

    def _add(self, report: LoginReport) -> None:
        self._count(report)
        if self.sending is None or self.sending.done():
            self.sending = asyncio.create_task(self._send())

    def _count(self, report: LoginReport, times: int = 1) -> None:
        failures = sum(1 for waiting in self._waiting if waiting.result != OK)
        has_room = report.result == OK or report in self._waiting or failures < AT_ONCE
        self._waiting[report if has_room else OTHERS] += times

    async def _send(self) -> None:
        """Send what waits, at once and then every few seconds, until nothing does."""
        while self._waiting:
            sent, self._waiting = self._waiting, Counter()
            try:
                await self._portal.report_logins([{**report._asdict(), "count": sent[report]} for report in sent])
            except PortalProblem:
                for report, count in sent.items():
                    self._count(report, count)
            await asyncio.sleep(self._every_s)


def _address(handler: Any) -> str:
    return (handler.request.remote_ip if handler else "") or ""
