"""SSH into the session: `.portal/ssh` checks the user and passes the connection to the agent, which serves it.

Only the session's owner may connect, with a token in `Authorization` and never from a web page, since no browser has a
reason to. The agent's socket is in the session's own folder, even if Jupyter runs inside an image.
"""

from __future__ import annotations

import array
import json
import os
import socket
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from tornado import web

from .handover import agent_at, hold

SOCKET = "ssh.sock"
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
        agent = agent_at(SOCKET, socket.SOCK_SEQPACKET, NO_AGENT)
        stream = self.detach()
        try:
            rights = array.array("i", [stream.socket.fileno()])
            agent.sendmsg([json.dumps(asked).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        finally:
            stream.close()
        await hold(self, agent)


def routes(base_url: str) -> list[tuple[str, Any]]:
    return [(rf"{base_url}\.portal/ssh", Ssh)]
