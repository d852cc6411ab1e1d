"""Checks the parts that the portal depends on, periodically in the background, never on request.

A check that fails, hangs or is broken marks only its own part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from time import perf_counter

import structlog

from portal.errors import PortalError, Unavailable
from portal.loops import every
from portal.moment import steady
from portal.slurm.budget import Budget

log = structlog.get_logger(__name__)

#: Interval of rounds; a check may ask for a longer one of its own.
EVERY_S = 15.0
TIMEOUT_S = 10.0


class State(StrEnum):
    OK = "ok"
    DOWN = "down"
    UNKNOWN = "unknown"
    OFF = "off"
    """This site has no such part."""


@dataclass(frozen=True, slots=True)
class Finding:
    state: State
    message: str
    do: str = ""
    since: datetime | None = None
    """Since when, if the check knows better than the time of this round."""


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    title: str
    look: Callable[[], Awaitable[Finding]]
    do: str
    """What to do when it is down."""
    every_s: float = EVERY_S
    budget: Budget | None = None
    """What the check would wait for; it starts once that allows it, so that the wait is not held against the part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part's state, the latest time at which it can have begun, and what to do about it."""

    name: str
    title: str
    state: State = State.UNKNOWN
    since: datetime | None = None
    message: str = "Not checked yet."
    do: str = ""
    checked_at: datetime | None = None
    took_ms: float | None = None


class Monitor:
    def __init__(
        self,
        checks: Sequence[Check],
        now: Callable[[], datetime],
        timeout_s: float = TIMEOUT_S,
        every_s: float = EVERY_S,
        steady: Callable[[], datetime] = steady,
    ) -> None:
        self._checks = checks
        self.now = now
        self.started_at = now()
        self._timeout_s = timeout_s
        self._every_s = every_s
        self._steady = steady
        self._looked: dict[str, datetime] = {}
        self.by_name = {check.name: Part(check.name, check.title) for check in checks}
        self.on_change: Callable[[], None] = lambda: None
        """Called after each round."""

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(self.by_name.values())

    def part(self, name: str) -> Part:
        return self.by_name[name]

    async def run(self) -> None:
        """Run a round at each interval, for ever."""
        await every(self._every_s, self._round_and_tell)

    async def _round_and_tell(self) -> None:
        await self.round()
        self.on_change()

    async def round(self) -> None:
        """Check all parts that are due, concurrently."""
        await asyncio.gather(*(self._look(check) for check in self._checks if self._due(check)))

    def _due(self, check: Check) -> bool:
        at = self._looked.get(check.name)
        return at is None or self._steady() - at >= timedelta(seconds=check.every_s * 0.9)

    async def _look(self, check: Check) -> None:
        async with check.budget.reading() if check.budget else nullcontext():
            began = perf_counter()
            finding = await self._found(check)
        was, now = self.by_name[check.name], self.now()
        self._looked[check.name] = self._steady()
        if was.state is not finding.state:
            say = log.warning if finding.state is State.DOWN else log.info
            say("health.changed", part=check.name, state=finding.state.value, message=finding.message[:200])
        self.by_name[check.name] = replace(
            was,
            state=finding.state,
            since=finding.since or (was.since if was.state is finding.state else now),
            message=finding.message,
            do=finding.do or (check.do if finding.state is State.DOWN else ""),
            checked_at=now,
            took_ms=round((perf_counter() - began) * 1000, 1),
        )

    async def _found(self, check: Check) -> Finding:
        try:
            async with asyncio.timeout(self._timeout_s):
                return await check.look()
        except TimeoutError:
            return Finding(State.DOWN, f"It did not answer within {self._timeout_s:g} s.")
        except Unavailable as error:
            return Finding(State.DOWN, error.message, since=error.since)
        except PortalError as error:
            return Finding(State.DOWN, error.message)
        except Exception as error:
            log.exception("health.check_failed", part=check.name)
            words = f"The check itself failed: {type(error).__name__}."
            return Finding(State.UNKNOWN, words, "Look at the portal's log.")
