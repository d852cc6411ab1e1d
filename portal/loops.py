"""Loops that run as long as the portal does: a failed one is restarted, a hanging one is noticed.

`every` is a loop at a fixed interval. Others mark the end of an iteration with `resting` or `pause`, and wrap in `turn`
what may fail without ending them.
Health and /metrics read the counts kept here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import NoReturn

import structlog

log = structlog.get_logger(__name__)

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
#: How long one iteration may take before the loop counts as stuck.
PATIENCE_S = 300.0

Run = Callable[[], Awaitable[None]]


class Loop:
    """A loop: how often it failed, since when it has been failing, and how long its current iteration has taken."""

    def __init__(self, name: str, run: Run, now: Callable[[], datetime], patience_s: float, may_end: bool) -> None:
        self.name = name
        self.run = run
        self.may_end = may_end
        self.failures = 0
        self.failing_since: datetime | None = None
        self.failed_at: datetime | None = None
        self.error = ""
        self.ended = False
        self._now = now
        self._patience_s = patience_s
        self._clean = True
        self._working: dict[asyncio.Task[object] | None, float] = {}

    @property
    def stuck_since(self) -> datetime | None:
        """The start of an iteration that has taken too long."""
        began = min((at for task, at in self._working.items() if task is None or not task.done()), default=None)
        if began is None or (took_s := time.monotonic() - began) <= self._patience_s:
            return None
        return self._now() - timedelta(seconds=took_s)

    @property
    def is_well(self) -> bool:
        return self.failing_since is None and self.stuck_since is None

    def failed(self, error: BaseException) -> None:
        """Count a failure: of the loop, or of an iteration that it survives."""
        self.failures += 1
        self.failed_at = self._now()
        self.failing_since = self.failing_since or self.failed_at
        self.error = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        self._clean = False

    def begin_turn(self) -> None:
        self._working[asyncio.current_task()] = time.monotonic()

    def leave(self) -> None:
        self._working.pop(asyncio.current_task(), None)

    def end_turn(self) -> None:
        """End an iteration. One without a failure clears the error, except the first after a restart."""
        self.leave()
        if self._clean:
            self.failing_since = None
        self._clean = True


_current: ContextVar[Loop | None] = ContextVar("loop", default=None)


@contextmanager
def resting() -> Iterator[None]:
    """Mark the block as the wait between two iterations of the current loop. Outside a loop it does nothing."""
    loop = _current.get()
    if loop is None:
        yield
        return
    loop.end_turn()
    try:
        yield
    finally:
        loop.begin_turn()


async def pause(seconds: float) -> None:
    """Sleep between two iterations."""
    with resting():
        await asyncio.sleep(seconds)


@contextmanager
def turn(event: str, **ids: object) -> Iterator[None]:
    """Do one part of a loop's work: a failure is counted and logged as `event` with its ids, and the loop continues."""
    try:
        yield
    except Exception as error:
        if (loop := _current.get()) is not None:
            loop.failed(error)
        log.exception(event, **ids)


async def every(seconds: float, act: Callable[[], Awaitable[object]], *, failed: str | None = None) -> NoReturn:
    """Call `act` for ever, with pauses of this length. A failure ends the loop unless `failed` names its event: then it
    is counted and logged, and the loop continues.
    """
    while True:
        with turn(failed) if failed else nullcontext():
            await act()
        await pause(seconds)


class Loops:
    """Starts the loops, restarts each after a growing pause when it fails, and ends them."""

    def __init__(self, now: Callable[[], datetime], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._now = now
        self._sleep = sleep
        self._loops: dict[str, Loop] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def all(self) -> tuple[Loop, ...]:
        return tuple(self._loops.values())

    def start(self, name: str, run: Run, *, patience_s: float = PATIENCE_S, may_end: bool = False) -> None:
        """Run `run` for as long as the portal runs; with `may_end` it may return if a site has nothing for it to do."""
        loop = self._loops[name] = Loop(name, run, self._now, patience_s, may_end)
        self._tasks.append(asyncio.create_task(self._keep(loop), name=name))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, loop: Loop) -> None:
        _current.set(loop)
        wait_s = FIRST_WAIT_S
        while True:
            began = time.monotonic()
            loop.begin_turn()
            try:
                await loop.run()
                if loop.may_end:
                    loop.ended = True
                    return
                raise RuntimeError("the loop ended")
            except Exception as error:
                failure: BaseException = error
            except asyncio.CancelledError as error:
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise
                failure = error  # of something that it waited for
            finally:
                loop.leave()
            wait_s = FIRST_WAIT_S if time.monotonic() - began > LONGEST_WAIT_S else wait_s
            loop.failed(failure)
            log.error("loop.failed", loop=loop.name, failures=loop.failures, again_in_s=wait_s, exc_info=failure)
            await self._sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
