"""Decides whose request reaches the app, and what everybody else gets instead."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, TypeVar

from . import pages
from .forward import Rules, Visitor, cookies_of
from .gate import Gate, HubNeeded, LoginFailed, Refused
from .guests import Guests, PortalAway, TooManyKeys, key_of
from .hub import HubAway
from .messages import Request

T = TypeVar("T")


class Admission:
    def __init__(self, gate: Gate, rules: Rules, guests: Guests | None = None) -> None:
        self._gate = gate
        self._guests = guests
        self._rules = rules
        self._threads = ThreadPoolExecutor(4, "proxy-hub")
        self._asking: dict[tuple[str, str], asyncio.Future[str | None]] = {}

    async def of(self, request: Request) -> bytes | Visitor:
        """Return the visitor if the request may go on; else the complete answer to send instead."""
        rules, gate = self._rules, self._gate
        if request.path == rules.base_url.rstrip("/"):
            return pages.redirect(rules.base_url)
        if not request.path.startswith(rules.base_url):
            return self._page(404, "There is nothing at this address", "The session that was here may have ended.")
        try:
            if request.path == f"{rules.base_url}oauth_callback":
                query, cookies = request.target.partition("?")[2], cookies_of(request)
                target, new = await self._in_thread(lambda: gate.finish(query, cookies))
                return pages.redirect(target, *new)
            if self._guests is not None and self._guests.owns(request):
                return await self._guests.answer(request)
            visitor = await self._visitor(request)
        except LoginFailed as error:
            return self._page(403, "Not logged in", f"{error} Open the session again from the list of sessions.")
        except Refused as error:
            return self._page(
                403, "This session belongs to another user", f"You are logged in as {error} and may not open it."
            )
        except (PortalAway, TooManyKeys) as error:
            assert self._guests is not None  # noqa: S101 - only guests raise these
            return self._guests.unknown(error)
        except HubAway:
            return self._page(503, "Nobody can log in right now", "JupyterHub does not answer. Try again in a minute.")
        if visitor is None:
            if self._guests is not None and (over := self._guests.over(request)) is not None:
                return over
            if _is_a_visit(request):
                start = gate.start(request.target)
                return pages.redirect(start.location, start.cookie)
            return self._page(403, "Not logged in", "Open the session from the list of sessions.")
        if not rules.same_origin(request):
            return self._page(403, "Request refused", "Another site's page may not use this session.")
        return visitor

    async def still(self, request: Request) -> bool:
        """Return whether a visitor who was let in would be again; a Hub that does not answer changes nothing."""
        try:
            return await self._visitor(request) is not None
        except Refused:
            return False
        except (HubAway, PortalAway, TooManyKeys):
            return True

    async def _visitor(self, request: Request) -> Visitor | None:
        """Return who sent the request; None for nobody. Raises Refused, HubAway, PortalAway, TooManyKeys."""
        guest = await self._guests.of(request) if self._guests is not None else None
        if guest is not None:
            return guest
        if key_of(request):
            return None
        user = await self._who(request)
        return None if user is None else Visitor(user)

    async def _who(self, request: Request) -> str | None:
        """Return the user, from memory if possible.

        Concurrent requests with the same login share one call to the Hub.
        """
        gate, authorization, cookies = self._gate, request.get("authorization"), cookies_of(request)
        try:
            return gate.who(authorization, cookies, ask=False)
        except HubNeeded:
            pass
        key = (authorization, cookies.get(gate.cookie_name, ""))
        if key not in self._asking:
            asked = asyncio.ensure_future(self._in_thread(lambda: gate.who(authorization, cookies)))
            asked.add_done_callback(lambda _: self._asking.pop(key))
            self._asking[key] = asked
        return await asyncio.shield(self._asking[key])

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Run the call in a thread: the Hub may be slow and must not block the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _page(self, status: int, title: str, text: str) -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url)


def _is_a_visit(request: Request) -> bool:
    """Return whether this is a page visit, which may be sent to a login; a script's request gets a plain refusal."""
    if request.method != "GET" or request.wants_websocket:
        return False
    mode = request.get("sec-fetch-mode")
    return mode == "navigate" if mode else "text/html" in request.get("accept")
