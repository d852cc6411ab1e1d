"""Lets pages of one browser log in at the same moment.

JupyterHub's server keeps each login's state in a cookie, and names that cookie differently only if the browser already
sends another one. Pages that are opened together, or a page that is loaded again while its frame logs in, send none:
each overwrites the other's, and both end at "403: Forbidden". Here every login's cookie has a name of its own.
"""

from __future__ import annotations

from typing import Any


class _Occupied:
    """A request handler whose browser seems to send a login's cookie."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handler, name)

    def get_cookie(self, name: str, default: str | None = None) -> str | None:
        return self._handler.get_cookie(name, default) or "occupied"


def keep_logins_apart(hub_auth: Any) -> None:
    """`hub_auth`: JupyterHub's HubOAuth."""
    set_state_cookie = hub_auth.set_state_cookie

    def set_own_cookie(handler: Any, *arguments: Any, **options: Any) -> Any:
        return set_state_cookie(_Occupied(handler), *arguments, **options)

    hub_auth.set_state_cookie = set_own_cookie
