"""Lets pages of one browser log in at the same moment.

JupyterHub's server keeps the state of each login in a cookie. The cookie gets a name of its own only if the browser
already sends one from another login. Pages that are opened together, or a page that is reloaded while its frame logs
in, send none yet: each overwrites the other's cookie, and both end at "403: Forbidden". Here every login's cookie has a
name of its own. Successful logins clear them all.
"""

from __future__ import annotations

from typing import Any


class _Occupied:
    """A request handler whose browser seems to have begun another login, so that JupyterHub chooses another name."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handler, name)

    def get_cookie(self, name: str, default: str | None = None) -> str | None:
        return self._handler.get_cookie(name, default) or "occupied"


def keep_logins_apart(hub_auth: Any) -> None:
    """Give the cookie of every login a name of its own. `hub_auth`: JupyterHub's HubOAuth of this server."""
    set_state_cookie = hub_auth.set_state_cookie

    def set_own_cookie(handler: Any, *arguments: Any, **options: Any) -> Any:
        return set_state_cookie(_Occupied(handler), *arguments, **options)

    hub_auth.set_state_cookie = set_own_cookie
