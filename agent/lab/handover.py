"""Hands a request's connection to the session's agent, over a Unix socket in the session's own folder.

It works inside images, too. The agent serves the connection; this server holds its end of the socket while the login
that opened it lasts.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from tornado import web

from .logins import WATCH_S, Logins

LOGIN_ENDED = b"login"


def agent_at(name: str, kind: int, no_agent: str) -> socket.socket:
    """Connect to the agent's socket `name`. Raises HTTPError with the sentence `no_agent`."""
    agent = socket.socket(socket.AF_UNIX, kind)
    try:
        agent.connect(os.path.join(os.path.dirname(os.environ["JUPYTER_RUNTIME_DIR"]), name))
    except (OSError, KeyError) as error:
        agent.close()
        raise web.HTTPError(503, no_agent) from error
    return agent


async def hold(handler: Any, agent: socket.socket) -> None:
    """Keep the connection open while its login lasts; note its use as the session's activity. Closes the socket."""
    with agent:
        agent.setblocking(False)
        logins: Logins | None = handler.settings.get("portal_logins")
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while True:
            try:
                if not await asyncio.wait_for(loop.sock_recv(agent, 64), WATCH_S):
                    return
                handler.settings["api_last_activity"] = datetime.now(timezone.utc)
            except asyncio.TimeoutError:
                pass
            except OSError:
                return
            if logins is not None and loop.time() - checked >= WATCH_S:
                checked = loop.time()
                if not await logins.still(handler):
                    with suppress(OSError):
                        agent.send(LOGIN_ENDED)
                    return
