"""Reports to the Hub when the app was last used, and only when there was activity."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timezone
from typing import Callable

from .hub import Hub, HubAway

EVERY_S = 300.0


class Activity(threading.Thread):
    def __init__(self, hub: Hub, last_used: Callable[[], float | None], every_s: float = EVERY_S) -> None:
        super().__init__(name="activity", daemon=True)
        self._hub = hub
        self._last_used = last_used
        self._every_s = every_s

    def run(self) -> None:
        reported: float | None = None
        while True:
            time.sleep(self._every_s)
            used = self._last_used()
            if used is None or used == reported:
                continue
            try:
                self._hub.note_activity(datetime.fromtimestamp(used, timezone.utc).isoformat())
            except HubAway:
                continue  # it is reported next time
            reported = used
