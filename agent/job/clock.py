"""The session's deadline, and the warnings before it."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any, Callable, Sequence

NEAR_S = 60.0
CUT_SHORT_S = 15.0
LONGEST_WAIT_S = 60.0


class Deadline:
    """The end of the session. It may move while the session runs; each warning is given once."""

    def __init__(self, ends_at: Any, warn_before_s: Sequence[int], now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._ends_at = moment(ends_at)
        self._cut_short = False
        self._warnings = sorted(warn_before_s, reverse=True)
        self._next = self._first()

    def move(self, ends_at: Any) -> None:
        """Set a new end; None or nonsense changes nothing. A later end makes earlier warnings due again."""
        new = moment(ends_at)
        if new is None or new == self._ends_at:
            return
        before, self._ends_at = self._ends_at, new
        if before is None or new > before:
            self._next = self._first()
        # An end that jumps to the present means that somebody cancels the job; one that only moves closer is a new
        # limit.
        self._cut_short = before is not None and new < before - NEAR_S and new - self._now() < CUT_SHORT_S

    def is_over(self) -> bool:
        """Return whether the time is up. Slurm's own end comes later, perhaps without a signal to save."""
        left = self._left()
        return left is not None and left <= 0

    def cause(self) -> str:
        """Return why the session would end now: `time_limit` near its end, else `stopped`."""
        left = self._left()
        return "time_limit" if left is not None and left < NEAR_S and not self._cut_short else "stopped"

    def warning(self) -> str | None:
        """Return the warning that is due; only one even if several were missed."""
        left, passed = self._left(), self._passed()
        if left is None or left <= 0 or passed <= self._next:
            return None
        self._next = passed
        return f"This session ends in {duration(left)}. Save your work."

    def until_next(self) -> float:
        """Return seconds to the next warning or the end, at most a minute in case the clock is changed."""
        left = self._left()
        if left is None:
            return LONGEST_WAIT_S
        next_at = self._warnings[self._next] if self._next < len(self._warnings) else 0
        return min(LONGEST_WAIT_S, max(0.05, left - next_at))

    def _first(self) -> int:
        """Return the first warning to wait for.

        A session shorter than a warning's time skips that warning at its start, unless it is shorter than all of them.
        """
        return max(0, min(self._passed(), len(self._warnings) - 1))

    def _passed(self) -> int:
        """Count the warnings whose time has come."""
        left = self._left()
        return 0 if left is None else sum(1 for seconds in self._warnings if left <= seconds)

    def _left(self) -> float | None:
        return None if self._ends_at is None else self._ends_at - self._now()


def moment(text: Any) -> float | None:
    """Convert an ISO time to seconds since the epoch; without a zone it is UTC."""
    if not isinstance(text, str):
        return None
    try:
        parsed = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)).timestamp()


def duration(seconds: float) -> str:
    """Return seconds in words, in whole minutes if there are any."""
    minutes = round(seconds / 60)
    count, unit = (minutes, "minute") if minutes else (round(seconds), "second")
    return f"{count} {unit}{'' if count == 1 else 's'}"
