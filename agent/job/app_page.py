"""The page of an app that is ours (terminal, desktop): its HTML, its script and its websockets on a Unix socket.

The proxy in front has already checked the user. The scripts are built from `frontend/src` and packed into the agent.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import pkgutil
from html import escape
from typing import Awaitable, Callable, NamedTuple

from .proxy.forward import GUEST_HEADER, MODE_HEADER
from .proxy.guests import USE
from .proxy.messages import Request, parse_request, whole
from .proxy.wire import EMPTY_LINE, Malformed
from .websocket import Closed

HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · {node}</title>
<script type="module" src="{script}"></script>
<script type="module" src=".portal/frame.js"></script>
</head>
<body data-node="{node}"{marks}>
<header id="portal-session"></header><noscript>This page needs JavaScript.</noscript>
</body>
</html>
"""
SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "font-src 'self' data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
NOT_FOUND = whole(404, "Not Found", [])


class Visit(NamedTuple):
    """A request for a websocket, and its connection."""

    request: Request
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def only_looks(self) -> bool:
        """Whether it is a guest's who may do nothing; the proxy says so."""
        return _only_looks(self.request)


def packed(name: str) -> bytes:
    """Return a script that was packed into the agent. Raises OSError if it was not."""
    return pkgutil.get_data(__package__ or "", name) or b""


class AppPage:
    def __init__(self, title: str, script: tuple[str, bytes], show: Callable[[Visit], Awaitable[None]]) -> None:
        """`script`: its address, and its content. `show` serves one websocket until it closes."""
        name, content = script
        node = os.environ.get("SLURMD_NODENAME", os.uname().nodename)

        def page(marks: str) -> bytes:
            html = HTML.format(title=title, script=name, node=escape(node, quote=True), marks=marks)
            return _found(html.encode(), "text/html")

        self._show = show
        self._for_onlookers = page(" data-onlooker")
        self._answers = {
            "/": page(""),
            # Every browser accepts it.
            f"/{name}": _found(gzip.compress(content, 6), "text/javascript", ("Content-Encoding", "gzip")),
        }

    async def listen(self, path: str) -> asyncio.AbstractServer:
        """Start listening on the Unix socket."""
        return await asyncio.start_unix_server(self._come, path)

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = parse_request(await reader.readuntil(EMPTY_LINE))
            if request.wants_websocket:
                await self._show(Visit(request, reader, writer))
            elif request.path == "/" and _only_looks(request):
                writer.write(self._for_onlookers)
            else:
                writer.write(self._answers.get(request.path, NOT_FOUND))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, Malformed, Closed):
            pass  # the page was closed
        finally:
            writer.close()


def _only_looks(request: Request) -> bool:
    return bool(request.get(GUEST_HEADER.lower())) and request.get(MODE_HEADER.lower()) != USE


def _found(content: bytes, kind: str, *more: tuple[str, str]) -> bytes:
    headers = [
        *more,
        ("Content-Type", f"{kind}; charset=utf-8"),
        ("Content-Security-Policy", SECURITY),
        ("Cache-Control", "no-store"),
    ]
    return whole(200, "OK", headers, content)
