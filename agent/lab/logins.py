"""Ends websockets whose login is over: kernels' channels, terminals, events.

Jupyter asks who comes when a websocket opens, and never again; and it remembers for five minutes what the Hub said.
Who was logged out, or has left the directory, would keep their open kernels. Here it remembers for half a minute, and
asks again about every websocket that is open. A Hub that does not answer changes nothing.
"""

from __future__ import annotations

import weakref
from typing import Any

from tornado.ioloop import PeriodicCallback
from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler

FRESH_S = 30
WATCH_S = 30.0
POLICY_VIOLATION = 1008  # RFC 6455, 7.4.1


class Logins:
    def __init__(self, provider: Any, log: Any) -> None:
        """`provider`: Jupyter's identity provider of JupyterHub; every handler comes to it with its request."""
        self._hub = provider.hub_auth
        self._hub.cache_max_age = FRESH_S
        self._log = log
        self._sockets: weakref.WeakSet[WebSocketHandler] = weakref.WeakSet()
        ask = provider.get_user

        async def get_user(handler: Any) -> Any:
            if isinstance(handler, WebSocketHandler):
                self._sockets.add(handler)
            return await ask(handler)

        provider.get_user = get_user

    def watch(self) -> None:
        """Look at all again, from now on; to be called where the event loop runs."""
        PeriodicCallback(self.look, WATCH_S * 1000).start()

    async def look(self) -> None:
        """Close those whose login is over."""
        for socket in [one for one in self._sockets if one.ws_connection is not None]:
            if not await self._still(socket):
                self._log.info("A websocket is closed, because its login is over: %s", socket.request.path)
                socket.close(POLICY_VIOLATION, "This login is over.")

    async def _still(self, socket: WebSocketHandler) -> bool:
        token, session = self._hub.get_token(socket), self._hub.get_session_id(socket)
        if not token:
            return True  # let in by something else than a login at the Hub
        try:
            user = await self._hub.user_for_token(token, session_id=session, sync=False)
        except HTTPError:
            return True
        return user is not None and bool(self._hub.check_scopes(self._hub.access_scopes, user))
