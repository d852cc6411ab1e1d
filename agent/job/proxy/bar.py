"""The session's line in an app's page: time, use, messages and more time, for the session's owner alone.

It lives below the session's address, in a frame with scripts of its own (`page/`, most of them JupyterLab's, by links).
It reads the portal's stream with the session's token, one for all pages and only while one is open, and passes on three
calls; none of them stops the session.

GET    .portal/bar                           the frame's page
GET    .portal/*.js                          its scripts; `frame.js` is the one that an app's page includes
GET    .portal/portal/session/events         follow the session (server-sent events)
GET    .portal/portal/session/time-limit     how much time could be added
PUT    .portal/portal/session/time-limit     more time, or less
GET    .portal/portal/session/usage          what it used over its life
DELETE .portal/portal/session/messages/N     mark a message as read
"""

from __future__ import annotations

import asyncio
import json
import logging
import pkgutil
import re
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .messages import Exchange, Request, Response, header, whole
from .portal import Portal, PortalUnavailable
from .session import Session

if TYPE_CHECKING:
    from agent import wire

FOLDER = ".portal/"
SCRIPT = re.compile(r"[a-z-]+\.js")
MESSAGE = re.compile(r"messages/[0-9]{1,15}")
MOST_BODY = 1 << 10
PAGE = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Session</title>
<link rel="stylesheet" href="bar.css">
<script type="module" src="main.js"></script>
</head>
<body></body>
</html>
"""
NO_STORE = ("Cache-Control", "no-store")
NOT_FOUND = whole(404, "Not Found", [NO_STORE])
AWAY = json.dumps({"error": {"message": "The portal does not answer. Try again soon."}}).encode()


class Bar:
    def __init__(self, orders: wire.Bar, *, base_url: str, token: str) -> None:
        """`token`: the session's own. Raises KeyError naming what is missing."""
        portal = Portal(orders["api"], orders["pages"], orders["session"], token, orders["end_key"])
        self._owner = orders["owner"]
        self._in_pages = orders["in_pages"] is True
        self._folder = base_url + FOLDER
        self._session = Session(portal, logging.getLogger("portal"))
        pages = urlsplit(portal.pages)
        self._policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            f"connect-src 'self' {pages.scheme}://{pages.netloc}; "
            "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
        )

    def owns(self, request: Request) -> bool:
        """Return whether the request is for the line, not for the app."""
        return request.path.startswith(self._folder)

    async def answer(self, request: Request, user: str, browser: Exchange) -> None:
        """Answer a request of the line: 404 for anybody but the session's owner."""
        rest = request.path[len(self._folder) :]
        inside = rest[len("portal/session/") :] if rest.startswith("portal/session/") else ""
        if user != self._owner or request.wants_websocket:
            browser.wire.write(NOT_FOUND)
        elif request.method == "GET" and inside == "events":
            await self._follow(browser)
            return
        elif inside:
            browser.wire.write(await self._pass_on(request, inside, browser))
        else:
            browser.wire.write(self._file(rest) if request.method == "GET" else NOT_FOUND)
        await browser.wire.flush()

    def _file(self, name: str) -> bytes:
        if name == "bar":
            return self._found(PAGE, "text/html")
        if SCRIPT.fullmatch(name) or name == "bar.css":
            with suppress(OSError):
                content = pkgutil.get_data(__package__ or "", f"page/{name}")
                return self._found(content or b"", "text/css" if name.endswith("css") else "text/javascript")
        return NOT_FOUND

    def _found(self, content: bytes, kind: str) -> bytes:
        headers = [
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Security-Policy", self._policy),
            ("X-Content-Type-Options", "nosniff"),
            NO_STORE,
        ]
        return whole(200, "OK", headers, content)

    async def _pass_on(self, request: Request, path: str, browser: Exchange) -> bytes:
        portal = self._session.portal
        target = _target(request.method, path, portal.session)
        if target is None:
            return NOT_FOUND
        length = browser.body.length
        if length is None or length > MOST_BODY:
            return whole(413, "Content Too Large", [NO_STORE])
        body = await browser.wire.exactly(length) if request.method == "PUT" else None
        try:
            code, content = await portal.call(request.method, target, body)
        except PortalUnavailable:
            code, content = 503, AWAY
        return whole(code, "", [("Content-Type", "application/json"), NO_STORE], content)

    async def _follow(self, browser: Exchange) -> None:
        """Send the session's events until the page has gone."""
        wire = browser.wire
        page: asyncio.Queue[str | None] = asyncio.Queue()
        gone = asyncio.ensure_future(wire.receive())
        gone.add_done_callback(lambda _: page.put_nowait(None))
        frames = self._session.frames(page)
        kind = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no"), ("Connection", "close"), NO_STORE]
        browser.send_response(Response(200, "OK", kind))
        try:
            async for frame in frames:
                browser.send_data(frame.encode())
                await wire.flush()
        finally:
            await frames.aclose()
            gone.cancel()
            with suppress(OSError, asyncio.CancelledError):
                await gone

    # --- an app's page that is to show it ---

    def wants(self, request: Request, user: str) -> bool:
        """Return whether the answer may be a page that shows the line: one that its owner opens in a tab."""
        return (
            self._in_pages
            and user == self._owner
            and request.method == "GET"
            and request.get("sec-fetch-dest") == "document"
        )

    def plainly(self, request: Request) -> Request:
        """Return the request, changed so that the app does not compress its response."""
        kept = [(name, value) for name, value in request.headers if name.lower() != "accept-encoding"]
        return request._replace(headers=[*kept, ("Accept-Encoding", "identity")])

    def addition(self, answer: Response) -> bytes:
        """Return what to append to the page: browsers run a script that follows the document's end."""
        if (
            answer.status != 200
            or not header(answer.headers, "content-type").lower().startswith("text/html")
            or header(answer.headers, "content-encoding").lower() not in ("", "identity")
        ):
            return b""
        return f'\n<script type="module" src="{self._folder}frame.js"></script>\n'.encode()


def _target(method: str, path: str, session: str) -> str | None:
    """Return the path in the portal's API for a call from the bar; None if it is not one of these."""
    if path == "time-limit" and method in ("GET", "PUT"):
        return f"/sessions/{session}/time-limit"
    if path == "usage" and method == "GET":
        return f"/sessions/{session}/usage"
    if path == "snooze" and method == "POST":
        return f"/sessions/{session}/snooze"
    return f"/{path}" if method == "DELETE" and MESSAGE.fullmatch(path) else None


def lengthened(answer: Response, more: int) -> Response:
    """Return the head of an answer whose body gets `more` additional bytes."""
    headers = [
        (name, str(int(value) + more) if name.lower() == "content-length" else value) for name, value in answer.headers
    ]
    return answer._replace(headers=headers)
