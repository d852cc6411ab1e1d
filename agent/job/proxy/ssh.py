"""SSH into the session through the app proxy: `.portal/ssh`, a websocket for the session's owner alone.

It needs a token in `Authorization` and refuses web pages, since no browser has a reason to connect.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Callable

from .messages import Request, whole
from .wire import Wire

if TYPE_CHECKING:
    from agent.job.ssh_hosting import Hosting

PATH = ".portal/ssh"
LOGIN_ENDED = b"login"
NO_STORE = ("Cache-Control", "no-store")
NOT_FOUND = whole(404, "Not Found", [NO_STORE])
NO_SSH_CLIENT = whole(400, "Bad Request", [NO_STORE], b"Use `portal ssh`.")


class Ssh:
    def __init__(self, hosting: Hosting, *, base_url: str) -> None:
        self._hosting = hosting
        self._path = base_url + PATH

    def owns(self, request: Request) -> bool:
        return request.path == self._path

    async def answer(self, request: Request, user: str, client: Wire, used: Callable[[], None]) -> None:
        """Serve the connection until it ends. When cancelled, the user's login has ended."""
        refused = self._refused(request, user)
        if refused or not client.is_quiet():
            client.write(refused or NO_SSH_CLIENT)
            await client.flush()
            return
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        key, accept = request.get("portal-ssh-key"), request.get("sec-websocket-key")
        loop = asyncio.get_running_loop()
        try:
            with theirs:
                await loop.run_in_executor(
                    None, lambda: self._hosting.serve(client.connection, theirs, key=key, accept=accept)
                )
            while await loop.sock_recv(ours, 64):
                used()
        except asyncio.CancelledError:
            with suppress(OSError):
                ours.send(LOGIN_ENDED)
            raise
        finally:
            ours.close()

    def _refused(self, request: Request, user: str) -> bytes:
        owner = self._hosting.owner
        if owner is not None and user != owner:  # without an owner, `Hosting.serve` says that SSH is switched off
            return NOT_FOUND
        if not request.wants_websocket or request.get("origin") or not request.get("authorization"):
            return NO_SSH_CLIENT
        return b""
