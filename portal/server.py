"""The portal's HTTP server: uvicorn, which ends open pages' streams before it waits for their connections."""

from __future__ import annotations

import logging
import socket

import uvicorn
from fastapi import FastAPI

from portal.settings import Settings
from portal.wiring import Portal

GRACE_S = 5
"""How long a shutdown waits for running requests."""


class Server(uvicorn.Server):
    """Ends streams at shutdown: some proxies do not pass a cut on, and the page would keep its stream open."""

    def __init__(self, config: uvicorn.Config, portal: Portal) -> None:
        super().__init__(config)
        self._portal = portal

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._portal.end_streams()
        await super().shutdown(sockets)


def serve(app: FastAPI, settings: Settings) -> None:
    """Serve the application until a signal ends it. Raises whatever prevented the start."""
    config = uvicorn.Config(
        app,
        host=settings.server.host,  # type: ignore[arg-type]  # uvicorn hands it to asyncio, which also takes a list
        port=settings.server.port,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # portal.addresses reads them
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=75,
    )
    # The caller reports why it did not start, without a traceback first.
    logging.getLogger("uvicorn.error").addFilter(lambda _: app.state.refused is None)
    try:
        Server(config, app.state.portal).run()
    except SystemExit:
        if app.state.refused is None:
            raise
    if app.state.refused is not None:
        raise app.state.refused
