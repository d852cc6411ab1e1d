"""A circuit breaker: after some requests without an answer in time, none is sent for a while.

Then one goes through as a probe; the others are refused at once until it is answered. A quick failure keeps nobody
waiting and does not open the circuit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import structlog

from portal.errors import Unavailable

log = structlog.get_logger(__name__)

FAILURES = 3
RETRY_S = 10.0


class Circuit:
    """Not thread-safe: belongs to one event loop."""

    def __init__(
        self,
        name: str,
        error: type[Unavailable],
        *,
        slow_s: float,
        hint: str | None = None,
        failures: int = FAILURES,
        retry_s: float = RETRY_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`name` begins the message of `error`, which is raised while the circuit is open, with `hint`.

        `slow_s`: a failure faster than this does not count.
        """
        self.name = name
        self.open_since: datetime | None = None
        self._error = error
        self._hint = hint
        self._slow_s = slow_s
        self._limit = failures
        self._retry_s = retry_s
        self._monotonic = monotonic
        self._failures = 0
        self._probe_at = 0.0
        self._probing = False

    def check(self) -> None:
        """Raise `error` while the circuit is open, for a request whose own failures mean nothing."""
        if self.open_since is not None:
            raise self._refusal(max(self._probe_at - self._monotonic(), 1.0))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Make the request in this block. Raises `error` when the circuit is open; raises a failure as Unavailable."""
        probe = self._admit()
        began = self._monotonic()
        try:
            yield
        except Unavailable:
            self._failed(took_s=self._monotonic() - began)
            raise
        except Exception:  # any answer counts as one
            self._answered()
            raise
        except BaseException:  # the caller gave up: how long it took is known, the answer is not
            self._failed(took_s=self._monotonic() - began)
            raise
        else:
            self._answered()
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        """Return whether this request is the probe of an open circuit."""
        if self.open_since is None:
            return False
        left_s = self._probe_at - self._monotonic()
        if self._probing or left_s > 0:
            raise self._refusal(max(left_s, 1.0))
        self._probing = True
        return True

    def _refusal(self, retry_after_s: float) -> Unavailable:
        error = self._error(
            f"{self.name} has not answered for some time. It will be tried again in {retry_after_s:.0f} s.",
            hint=self._hint,
            retry_after_s=retry_after_s,
        )
        error.since = self.open_since
        return error

    def _failed(self, *, took_s: float) -> None:
        if took_s < self._slow_s:
            return
        self._failures += 1
        if self._failures < self._limit:
            return
        self._probe_at = self._monotonic() + self._retry_s
        if self.open_since is None:
            self.open_since = datetime.now(UTC)
            log.warning("circuit.opened", circuit=self.name, failures=self._failures)

    def _answered(self) -> None:
        self._failures = 0
        if self.open_since is not None:
            log.info("circuit.closed", circuit=self.name, open_since=self.open_since.isoformat())
            self.open_since = None
