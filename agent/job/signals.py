"""Signals as events of the main loop: SIGTERM, SIGINT and SIGCHLD end a wait, and so does `wake` from any thread."""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from types import FrameType


class Signals:
    def __init__(self) -> None:
        self.told_to_end = False
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)

    def install(self) -> None:
        """Install the handlers; call it in the main thread."""
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def wake(self) -> None:
        with suppress(BlockingIOError):  # full: the loop is about to wake anyway
            os.write(self._writer, b"\0")

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or at once when a signal or `wake` has come since the last wait."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        if ready:
            with suppress(BlockingIOError):
                os.read(self._reader, 4096)

    def close(self) -> None:
        """Ignore signals from here on: the agent is about to exit and has something left to report."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.told_to_end = True
