"""The portal's background loops as part of its health, read on request: no loop has to report."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from portal.health.monitor import Part, State
from portal.loops import Loop

NAME, TITLE = "background", "Background work"


def part(loops: Iterable[Loop], now: datetime) -> Part:
    """Return the loops' health: down while one fails or hangs; earlier failures are still mentioned."""
    started = [loop for loop in loops if not loop.ended]
    unwell = [loop for loop in started if not loop.is_well]
    state, do = State.OK, ""
    if not started:
        state, words = State.UNKNOWN, "Nothing has been started yet."
    elif unwell:
        state, words = State.DOWN, " ".join(_trouble(loop, now) for loop in unwell)
        stuck = any(loop.stuck_since for loop in unwell)
        do = "Restart the portal: sessions continue." if stuck else "Search the portal's log for the loop's name."
    else:
        words = " ".join(["All loops are running.", *(_past(loop) for loop in started if loop.failures)])
    since = min((at for loop in unwell for at in (loop.failing_since, loop.stuck_since) if at), default=None)
    return Part(NAME, TITLE, state=state, since=since, message=words, do=do, checked_at=now)


def _trouble(loop: Loop, now: datetime) -> str:
    if (since := loop.stuck_since) is not None:
        return f"{loop.name} has made no progress for {(now - since).total_seconds():.0f} s."
    return f"{loop.name} fails, {_times(loop.failures)} so far: {loop.error}. It will be tried again."


def _past(loop: Loop) -> str:
    at = f", last at {loop.failed_at:%Y-%m-%d %H:%M} UTC" if loop.failed_at else ""
    return f"{loop.name} failed {_times(loop.failures)}{at}, and is running again."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
