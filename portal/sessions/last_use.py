"""When each session was last used, as the Hub knows it from its proxy and from the servers.

One call a minute covers all servers. While the Hub does not answer, the last values stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import structlog

from portal.errors import HubUnavailable
from portal.hub.client import HubClient
from portal.loops import every, turn
from portal.sessions.models import SessionRecord

log = structlog.get_logger(__name__)

ASK_EVERY_S = 60.0


class LastUse:
    def __init__(self, hub: HubClient, now: Callable[[], datetime]) -> None:
        self._hub = hub
        self._now = now
        self._used: Mapping[tuple[str, str], datetime] = {}
        self.silent_since: datetime | None = None
        """When the Hub stopped answering; None while it answers."""

    def of(self, record: SessionRecord) -> datetime | None:
        return self._used.get((record.owner, record.server_name))

    async def run(self) -> None:
        """Read from the Hub forever."""
        await every(ASK_EVERY_S, self.ask)

    async def ask(self) -> None:
        try:
            servers = await self._hub.servers()
        except HubUnavailable as error:
            if self.silent_since is None:
                self.silent_since = self._now()
                log.warning("hub.last_use_unknown", error=error.message)
        except Exception:  # unreadable answer: the last values stay
            self.silent_since = self.silent_since or self._now()
            with turn("hub.last_use_failed"):
                raise
        else:
            self.silent_since = None
            self._used = {key: server.last_activity for key, server in servers.items() if server.last_activity}
