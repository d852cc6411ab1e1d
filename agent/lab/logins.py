"""Ends websockets whose login has ended: kernels' channels, terminals, events.

Jupyter checks the user only when a websocket opens, and caches the Hub's answer for five minutes. A user who logged
out, or left the directory, would keep their open kernels. Here the cache lasts 15 seconds, and every open websocket
is checked every 15. A Hub that does not answer changes nothing: open websockets stay, and for a quarter of an hour its
last answers let in whom they let in before.
"""

from __future__ import annotations

import time
import weakref
from typing import Any, Callable, Dict

from tornado.ioloop import PeriodicCallback
from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler

FRESH_S = 15
WATCH_S = 15.0
AWAY_S = 900  # as for the other apps
POLICY_VIOLATION = 1008  # RFC 6455, 7.4.1

User = Dict[str, Any]


class LastAnswers:
    """Replaces `HubOAuth.user_for_token`: a Hub that is away answers with what it last said of a login."""

    def __init__(self, ask: Callable[..., Any], clock: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._clock = clock
        self._users: dict[tuple[str, str], tuple[float, User]] = {}

    def __call__(self, token: str, use_cache: bool = True, session_id: str = "", *, sync: bool = True) -> Any:
        if sync:
            return self._ask(token, use_cache, session_id, sync=True)
        return self._answer(token, use_cache, session_id)

    async def _answer(self, token: str, use_cache: bool, session_id: str) -> User | None:
        """Raises HTTPError while the Hub is away and has not known the login for a quarter of an hour."""
        login, now = (token, session_id), self._clock()
        self._users = {key: known for key, known in self._users.items() if now - known[0] < AWAY_S}
        try:
            user: User | None = await self._ask(token, use_cache, session_id, sync=False)
        except HTTPError:
            if login not in self._users:
                raise
            return self._users[login][1]
        if user is None:
            self._users.pop(login, None)
        else:
            self._users[login] = now, user
        return user


class Logins:
    def __init__(self, provider: Any, log: Any) -> None:
        """`provider`: Jupyter's identity provider for JupyterHub, which sees every handler's request."""
        self._hub = provider.hub_auth
        self._hub.cache_max_age = FRESH_S
        self._hub.user_for_token = LastAnswers(self._hub.user_for_token)
        self._log = log
        self._sockets: weakref.WeakSet[WebSocketHandler] = weakref.WeakSet()
        ask = provider.get_user

        async def get_user(handler: Any) -> Any:
            if isinstance(handler, WebSocketHandler):
                self._sockets.add(handler)
            return await ask(handler)

        provider.get_user = get_user

    def watch(self) -> None:
        """Check all websockets regularly from now on; call it in the event loop's thread."""
        PeriodicCallback(self.look, WATCH_S * 1000).start()

    async def look(self) -> None:
        """Close those whose login has ended."""
        for socket in [socket for socket in self._sockets if socket.ws_connection is not None]:
            if not await self.still(socket):
                self._log.info("Closing a websocket whose login has ended: %s", socket.request.path)
                socket.close(POLICY_VIOLATION, "This login has ended.")

    async def still(self, handler: Any) -> bool:
        """Return whether the login that let a request in is still valid; True while the Hub does not answer."""
        token, session = self._hub.get_token(handler), self._hub.get_session_id(handler)
        if not token:
            return True  # let in by something other than a Hub login
        try:
            user = await self._hub.user_for_token(token, session_id=session, sync=False)
        except HTTPError:
            return True
        return user is not None and bool(self._hub.check_scopes(self._hub.access_scopes, user))
