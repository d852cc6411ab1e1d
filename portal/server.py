"""The portal's HTTP server: uvicorn, which ends the streams of open pages before it waits for their connections."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from portal.context import Portal
from portal.settings import Settings

GRACE_S = 5
"""How long a shutdown waits for requests under way."""


class Server(uvicorn.Server):
    """A stream that is cut off instead of ended stays open for its page: the proxy does not pass the cut on."""

    def __init__(self, config: uvicorn.Config, portal: Portal) -> None:
        super().__init__(config)
        self._portal = portal

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._portal.end_streams()
        await super().shutdown(sockets)


def serve(app: FastAPI, settings: Settings) -> None:
    """Serve the application until a signal ends it. Raises what it refused to start for."""
    config = uvicorn.Config(
        app,
        host=settings.server.host,
        port=settings.server.port,
        log_config=None,
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1",
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=75,
    )
    server = Server(config, app.state.portal)
    server.run()
    if not server.started:
        raise app.state.refused or SystemExit(3)
