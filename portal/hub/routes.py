"""Notices that the proxy has lost its routes, as after a restart, and has the Hub restore them.

The Hub itself checks every 15 seconds.
"""

from __future__ import annotations

import structlog

from portal.errors import HubUnavailable
from portal.hub.client import HubClient
from portal.loops import every

log = structlog.get_logger(__name__)

EVERY_S = 1.0


class Routes:
    def __init__(self, hub: HubClient, proxy_api_url: str, proxy_token: str) -> None:
        self._hub = hub
        self._url = f"{proxy_api_url}/api/routes"
        self._token = proxy_token

    async def run(self) -> None:
        """Check for ever."""
        await every(EVERY_S, self.look)

    async def look(self) -> None:
        """Have the Hub restore all routes if the proxy answers but lacks the Hub's own; otherwise do nothing.

        A server that is just starting may already have its route there.
        """
        answer = await self._hub.proxy(self._url, self._token)
        if answer is None or not answer.is_success or any(route.get("hub") for route in answer.json().values()):
            return
        try:
            await self._hub.restore_routes()
        except HubUnavailable as error:
            log.warning("proxy.without_routes", error=error.message)
        else:
            log.info("proxy.routes_restored")
