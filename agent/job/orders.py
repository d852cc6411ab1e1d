"""Learns at once when the session must end, through a long-poll request to the portal.

Slurm's own signal takes seconds to reach a step and leaves an app little time to save; this one comes first.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Callable

from .portal import Gone, Portal, Refused, Unreachable

HELD_S = 60.0  # longer than the portal holds the request
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


class Orders(threading.Thread):
    def __init__(
        self,
        portal: Portal,
        *,
        heard: Callable[[dict[str, Any]], None],
        gone: Callable[[], None],
        log: Callable[[str], None],
    ) -> None:
        """`heard` gets each answer; `gone` is called once, at a 410."""
        super().__init__(name="orders", daemon=True)
        self._portal = portal
        self._heard = heard
        self._gone = gone
        self._log = log
        self._closed = threading.Event()

    def close(self) -> None:
        """Stop asking; a request in flight is left to itself."""
        self._closed.set()

    def run(self) -> None:
        wait = FIRST_WAIT_S
        while not self._closed.is_set():
            asked = time.monotonic()
            try:
                _, answer = self._portal.call("orders", {}, timeout_s=HELD_S)
            except Unreachable:
                self._closed.wait(wait)
                wait = min(LONGEST_WAIT_S, wait * 2)
            except Gone:
                self._gone()
                return
            except Refused as error:
                self._log(f"cannot fetch orders: {error}; Slurm's signal will end this session")
                return
            else:
                wait = FIRST_WAIT_S
                self._heard(answer)
                if time.monotonic() - asked < FIRST_WAIT_S:
                    self._closed.wait(
                        FIRST_WAIT_S
                    )  # do not ask a portal that does not hold the request in a tight loop
