"""Notices that the proxy has lost its routes, as one does that was restarted, and has the Hub give them back.

The Hub itself looks every 15 seconds.
"""

from __future__ import annotations

import structlog

from portal.errors import HubUnavailable
from portal.hub.client import HubClient
from portal.loops import pause

log = structlog.get_logger(__name__)

EVERY_S = 1.0


class Routes:
    def __init__(self, hub: HubClient, proxy_api_url: str, proxy_token: str) -> None:
        self._hub = hub
        self._url = f"{proxy_api_url}/api/routes"
        self._token = proxy_token

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await self.look()
            await pause(EVERY_S)

    async def look(self) -> None:
        """Ask the Hub for all routes if the proxy answers and lacks the Hub's; while either is away nothing is known.

        A server that is starting just then may have its own there already.
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
