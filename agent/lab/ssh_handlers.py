"""SSH into the session: `.portal/ssh` checks the user and passes the connection to the agent, which serves it.

Only the session's owner may connect, with a token in `Authorization` and never from a web page, since no browser has a
reason to. The agent's socket is in the session's own folder, even if Jupyter runs inside an image.
"""

from __future__ import annotations

import array
import asyncio
import json
import os
import socket
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from tornado import web

from .logins import WATCH_S, Logins

SOCKET = "ssh.sock"
LOGIN_ENDED = b"login"
NO_AGENT = "The session's agent does not answer. Start a new session to use SSH."


class Ssh(JupyterHandler):
    @web.authenticated
    async def get(self) -> None:
        request = self.request
        if getattr(self.current_user, "username", "") != os.environ.get("JUPYTERHUB_USER"):
            raise web.HTTPError(404)
        websocket = request.headers.get("Upgrade", "").lower() == "websocket"
        if not websocket or "Origin" in request.headers or "Authorization" not in request.headers:
            raise web.HTTPError(400, "Use `portal ssh`.")
        asked = {
            "key": request.headers.get("Portal-Ssh-Key", ""),
            "accept": request.headers.get("Sec-WebSocket-Key", ""),
        }
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as agent:
            try:
                agent.connect(os.path.join(os.path.dirname(os.environ["JUPYTER_RUNTIME_DIR"]), SOCKET))
            except (OSError, KeyError) as error:
                raise web.HTTPError(503, NO_AGENT) from error
            stream = self.detach()
            try:
                rights = array.array("i", [stream.socket.fileno()])
                agent.sendmsg([json.dumps(asked).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            finally:
                stream.close()
            await self._hold(agent)

    async def _hold(self, agent: socket.socket) -> None:
        """Keep the connection open while its login lasts; note its use as the session's activity."""
        agent.setblocking(False)
        logins: Logins | None = self.settings.get("portal_logins")
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while True:
            try:
                if not await asyncio.wait_for(loop.sock_recv(agent, 64), WATCH_S):
                    return
                self.settings["api_last_activity"] = datetime.now(timezone.utc)
            except asyncio.TimeoutError:
                pass
            except OSError:
                return
            if logins is not None and loop.time() - checked >= WATCH_S:
                checked = loop.time()
                if not await logins.still(self):
                    with suppress(OSError):
                        agent.send(LOGIN_ENDED)
                    return


def routes(base_url: str) -> list[tuple[str, Any]]:
    return [(rf"{base_url}\.portal/ssh", Ssh)]
