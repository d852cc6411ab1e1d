"""Passes requests on to one app and its answers back, in both directions, with backpressure."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Callable

from . import messages
from .app_side import AppSide
from .bar import Bar, lengthened
from .forward import Rules, Visitor
from .messages import NO_BODY, Exchange, Request, Response
from .wire import Disconnected, Malformed, Wire

HALF_CLOSED_S = 30.0


class Passage:
    def __init__(self, rules: Rules, apps: AppSide, silent: Callable[[Exception], bytes]) -> None:
        """`silent`: the answer for the browser if the app gives none."""
        self._rules = rules
        self._apps = apps
        self._silent = silent

    async def pass_on(
        self, request: Request, visitor: Visitor, browser: Exchange, used: Callable[[], None], bar: Bar | None = None
    ) -> bool:
        """Pass the request on, calling `used` for every piece; return whether another may follow on the connection.

        `bar` adds the session's line to the page.
        """
        browser.go_ahead()
        await browser.wire.flush()
        sent = self._rules.to_app(bar.plainly(request) if bar else request, visitor)
        sending: asyncio.Task[None] | None = None
        app: Exchange | None = None
        try:
            try:
                if browser.body == NO_BODY:
                    app, answer = await self._apps.ask(sent)
                else:
                    app = Exchange(await self._apps.open(), serving=False)
                    app.send_request(sent)
                    sending = asyncio.ensure_future(_send(browser, app, used))
                    answer = await app.read_response()
            except (OSError, Disconnected, Malformed) as error:
                browser.wire.write(self._silent(error))
                await browser.wire.flush()
                return False
            addition = bar.addition(answer) if bar and app.body != NO_BODY else b""
            goes_on = await self._pass_back(request, answer, app, browser, used, addition)
            if sending is not None and not sending.done():
                return False
            if goes_on and messages.goes_on(answer):
                self._apps.keep(app.wire)
                app = None
            return goes_on
        finally:
            if sending is not None:
                sending.cancel()
                with suppress(OSError, Disconnected, Malformed, asyncio.CancelledError):
                    await sending
            if app is not None:
                app.wire.close()

    async def _pass_back(
        self,
        request: Request,
        answer: Response,
        app: Exchange,
        browser: Exchange,
        used: Callable[[], None],
        addition: bytes,
    ) -> bool:
        """Copy the answer; return whether another request may follow on the browser's connection."""
        goes_on = messages.goes_on(request)
        answer = lengthened(answer, len(addition))
        browser.send_response(self._rules.to_browser(answer, request.get("host"), goes_on=goes_on))
        if answer.status == 101:
            await browser.wire.flush()
            await _tunnel(browser.wire, app.wire, used)
            return False
        await app.pass_body(browser, used, addition)
        return goes_on


async def _send(browser: Exchange, app: Exchange, used: Callable[[], None]) -> None:
    """Send the request's body; do not wait for an app that will never take all of it."""
    try:
        await browser.pass_body(app, used)
    except BaseException:
        app.wire.abort()
        raise


async def _tunnel(browser: Wire, app: Wire, used: Callable[[], None]) -> None:
    """Pass bytes both ways until both sides end, or one ends and the other stays silent."""
    directions = [
        asyncio.ensure_future(_stream(browser, app, used)),
        asyncio.ensure_future(_stream(app, browser, used)),
    ]
    try:
        await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(directions, timeout=HALF_CLOSED_S)
    finally:
        for direction in directions:
            direction.cancel()
        await asyncio.gather(*directions, return_exceptions=True)


async def _stream(source: Wire, target: Wire, used: Callable[[], None]) -> None:
    await source.pour(target, None, used)
    target.write_eof()
