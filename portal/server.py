"""The portal's HTTP server: uvicorn, which ends the streams of open pages before it waits for their connections."""

from __future__ import annotations

import logging
import socket

import uvicorn
from fastapi import FastAPI

from portal.settings import Settings
from portal.wiring import Portal

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
        proxy_headers=False,  # portal.addresses reads them
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=75,
    )
    # What it refuses to start for is told in words by whoever runs it, and not before that in a traceback.
    logging.getLogger("uvicorn.error").addFilter(lambda _: app.state.refused is None)
    try:
        Server(config, app.state.portal).run()
    except SystemExit:
        if app.state.refused is None:
            raise
    if app.state.refused is not None:
        raise app.state.refused
