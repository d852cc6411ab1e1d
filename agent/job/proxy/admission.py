"""Whose request goes on to the app, and what all others get instead."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, TypeVar

from . import pages
from .forward import Rules, cookies_of
from .gate import Gate, LoginFailed, MustAsk, Refused
from .hub import HubAway
from .messages import Request

T = TypeVar("T")


class Admission:
    def __init__(self, gate: Gate, rules: Rules) -> None:
        self._gate = gate
        self._rules = rules
        self._threads = ThreadPoolExecutor(4, "proxy-hub")
        self._asking: dict[tuple[str, str], asyncio.Future[str | None]] = {}

    async def of(self, request: Request) -> bytes | str:
        """The name of the user whose request goes on to the app; or the whole answer that it gets instead."""
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
            user = await self._who(request)
        except LoginFailed as error:
            return self._page(403, "Not logged in", f"{error} Open the session again from the list of sessions.")
        except Refused as error:
            return self._page(403, "This session is somebody else's", f"You are {error}, who may not open it.")
        except HubAway:
            return self._page(503, "Nobody can log in just now", "JupyterHub does not answer. Try again in a minute.")
        if user is None:
            if _is_a_visit(request):
                start = gate.start(request.target)
                return pages.redirect(start.location, start.cookie)
            return self._page(403, "Not logged in", "Open the session from the list of sessions.")
        if not rules.same_origin(request):
            return self._page(403, "Not from this page", "Another site's page may not use this session.")
        return user

    async def still(self, request: Request) -> bool:
        """Whether one that was let in would be again; a Hub that does not answer changes nothing."""
        try:
            return await self._who(request) is not None
        except Refused:
            return False
        except HubAway:
            return True

    async def _who(self, request: Request) -> str | None:
        """Who it is, from memory; else the Hub is asked once for all that come with the same login meanwhile."""
        gate, authorization, cookies = self._gate, request.get("authorization"), cookies_of(request)
        try:
            return gate.who(authorization, cookies, ask=False)
        except MustAsk:
            pass
        key = (authorization, cookies.get(gate.cookie_name, ""))
        if key not in self._asking:
            asked = asyncio.ensure_future(self._in_thread(lambda: gate.who(authorization, cookies)))
            asked.add_done_callback(lambda _: self._asking.pop(key))
            self._asking[key] = asked
        return await asyncio.shield(self._asking[key])

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """The Hub may be slow: it is asked beside the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _page(self, status: int, title: str, text: str) -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url)


def _is_a_visit(request: Request) -> bool:
    """Whether somebody opens an address, so that a login may come between; scripts of a page get a plain refusal."""
    if request.method != "GET" or request.wants_websocket:
        return False
    mode = request.get("sec-fetch-mode")
    return mode == "navigate" if mode else "text/html" in request.get("accept")
