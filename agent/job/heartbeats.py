"""Sends everything the running agent reports to the portal, in order, from one thread.

A portal that does not answer (a restart, a cut cable) never affects the app: messages wait, with back-off, and are sent
when it is back. The portal's answers (stop, a new end, the session is gone) go to the agent's main loop.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Dict, Tuple

from .portal import Gone, Portal, Refused, Unreachable

MAX_WAITING = 50
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0

Message = Tuple[str, Dict[str, Any]]  # evaluated, also by Python 3.8


class Heartbeats(threading.Thread):
    def __init__(
        self,
        portal: Portal,
        *,
        measure: Callable[[], dict[str, Any]],
        interval_s: float,
        heard: Callable[[dict[str, Any]], None],
        gone: Callable[[], None],
        log: Callable[[str], None],
    ) -> None:
        """`measure` makes a report's body; `heard` gets each answer to a report; `gone` is called once, on a 410."""
        super().__init__(name="talker", daemon=True)
        self._portal = portal
        self._measure = measure
        self._interval_s = interval_s
        self._heard = heard
        self._gone = gone
        self._log = log
        self._waiting: deque[Message] = deque()
        self._wake = threading.Condition()
        self._reporting_from: float | None = None
        self._closed = False

    def say(self, what: str, body: dict[str, Any]) -> None:
        """Queue a message; the oldest are dropped if the portal has been silent for very long."""
        with self._wake:
            if len(self._waiting) >= MAX_WAITING:
                self._waiting.popleft()
            self._waiting.append((what, body))
            self._wake.notify()

    def start_reports(self) -> None:
        with self._wake:
            self._reporting_from = time.monotonic() + min(5.0, self._interval_s)
            self._wake.notify()

    def report_now(self) -> None:
        """Send a report without waiting for the interval, if reports have started."""
        with self._wake:
            if self._reporting_from is not None:
                self._reporting_from = time.monotonic()
                self._wake.notify()

    def close(self) -> None:
        """Send nothing more."""
        with self._wake:
            self._closed = True
            self._wake.notify()

    def run(self) -> None:
        failures = 0
        while True:
            message = self._next()
            if message is None:
                return
            what, body = message
            try:
                _, answer = self._portal.call(what, body)
            except Unreachable as error:
                if failures == 0:
                    self._log(f"{error}; the app keeps running, and the agent tries again")
                failures += 1
                if what != "report":
                    self._put_back(message)
                self._pause(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(failures - 1, 10)))
                continue
            except Gone:
                self._gone()
                return
            except Refused as error:
                self._log(f"{what}: {error}")
            else:
                if what == "report":
                    self._heard(answer)
            if failures:
                self._log("the portal answers again")
                failures = 0

    def _next(self) -> Message | None:
        """Return the next message, or a report if one is due; None once closed."""
        with self._wake:
            while not self._closed:
                if self._waiting:
                    return self._waiting.popleft()
                if self._reporting_from is None:
                    self._wake.wait()
                    continue
                left = self._reporting_from - time.monotonic()
                if left <= 0:
                    self._reporting_from = time.monotonic() + self._interval_s
                    break
                self._wake.wait(left)
            else:
                return None
        return "report", self._measure()

    def _put_back(self, message: Message) -> None:
        with self._wake:
            self._waiting.appendleft(message)

    def _pause(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        with self._wake:
            while not self._closed and (left := deadline - time.monotonic()) > 0:
                self._wake.wait(left)
