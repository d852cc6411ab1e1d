"""Ports of the session, for its owner: `proxy-port/8501/` checks the login and hands the connection to the agent.

Guests, whom the owner has opened a port to, have no login here: the agent checks their requests, and programs' keys,
itself.

The agent answers the request: it knows whose program listens on a port (`agent/job/own_ports.py`), also if this server
runs inside an image.
"""

from __future__ import annotations

import array
import asyncio
import os
import re
import socket
import struct
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from tornado import web

from .handover import agent_at, hold

SOCKET = "ports.sock"
LENGTH = struct.Struct("!I")
MOST_READ = 1 << 20
#: Added to the length: the agent has to check who sent the request.
UNCHECKED = 1 << 31
GUEST_COOKIE = re.compile(r"(?:__Host-)?portal-guest-[0-9a-f]{12}-[0-9]{1,5}")
#: As in agent/job/proxy/guests.py.
KEY = re.compile(r"(?:bearer|token) +dsp-[A-Za-z0-9_-]{43}", re.IGNORECASE)
NO_AGENT = "Ports cannot be opened: this site has switched it off, or the session's agent does not answer."


@web.stream_request_body
class Port(JupyterHandler):
    """Takes a request before its body has been read."""

    def set_default_headers(self) -> None:
        """Say that the connection ends with the answer, if this server gives one.

        Tornado closes it without a word, since the body may be unread. The site's proxy would send a later request, for
        whatever page of this server, on a connection that is just closing, and answer it 503.
        """
        super().set_default_headers()
        self.set_header("Connection", "close")

    def check_xsrf_cookie(self) -> None:
        """The program behind the port does not know Jupyter's token; the agent checks where a request comes from."""

    async def prepare(self) -> None:
        result = super().prepare()
        if result is not None:
            await result
        if not self._finished:
            by_guest = not self._is_owner() and self._may_be_a_guest()
            result = self._hand_over(UNCHECKED) if by_guest else self._hand_over_checked()
            if result is not None:
                await result

    def _is_owner(self) -> bool:
        return bool(getattr(self.current_user, "username", "") == os.environ.get("JUPYTERHUB_USER"))

    def _may_be_a_guest(self) -> bool:
        with_key = KEY.fullmatch(self.request.headers.get("Authorization", "").strip())
        return with_key is not None or any(GUEST_COOKIE.fullmatch(name) for name in self.cookies)

    @web.authenticated
    async def _hand_over_checked(self) -> None:
        if not self._is_owner():
            raise web.HTTPError(404)
        await self._hand_over(0)

    async def _hand_over(self, mark: int) -> None:
        agent = agent_at(SOCKET, socket.SOCK_STREAM, NO_AGENT)
        try:
            head = self._head()
            stream = self.detach()
            self._finished = True
            try:
                already = stream.read_bytes(MOST_READ, partial=True)
                request = head + (already.result() if already.done() else b"")
                already.add_done_callback(lambda read: read.exception())
                rights = array.array("i", [stream.socket.fileno()])
                agent.sendmsg([LENGTH.pack(len(request) | mark)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                agent.setblocking(False)
                await asyncio.get_running_loop().sock_sendall(agent, request)
            finally:
                stream.close()
        except BaseException:
            agent.close()
            raise
        asyncio.ensure_future(hold(self, agent))  # noqa: RUF006  # ends with the agent's end of the socket

    def _head(self) -> bytes:
        """Return the head of the request as it came."""
        request = self.request
        lines = [f"{request.method} {request.uri} {request.version}"]
        lines += [f"{name}: {value}" for name, value in request.headers.get_all()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def data_received(self, chunk: bytes) -> None:
        """Drop the body of a request that was refused."""


class Arrival(Port):
    """Takes a guest who arrives: only the agent can tell who that is."""

    def _may_be_a_guest(self) -> bool:
        return True

    def _is_owner(self) -> bool:
        return False


def routes(base_url: str) -> list[tuple[str, Any]]:
    return [(rf"{base_url}proxy-port/.*", Port), (rf"{base_url}\.portal/guest", Arrival)]
