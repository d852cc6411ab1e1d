"""Calls the portal's API as the session's user, with the token that the Hub gave this server.

Standard library only: the agent's app proxy uses it, too, through a link (`agent/job/proxy/portal.py`).
"""

from __future__ import annotations

import asyncio
import re
import ssl
from typing import AsyncGenerator, AsyncIterator, Mapping, NamedTuple
from urllib.parse import urlsplit

CONNECT_S = 10.0
CALL_S = 60.0
MOST_BYTES = 4 << 20
#: The portal sends something every 10 s: a connection that is silent for longer is gone.
SILENCE_S = 30.0


class PortalUnavailable(Exception):
    """The portal cannot be reached, or its stream has ended."""


FAILURES = (OSError, EOFError, ValueError, asyncio.LimitOverrunError, asyncio.TimeoutError)


class Answer(NamedTuple):
    code: int
    body: bytes


class Event(NamedTuple):
    kind: str
    data: str


class Portal(NamedTuple):
    """`api` is the API's address as this node reaches it, `pages` that of the portal's pages in a browser."""

    api: str
    pages: str
    session: str
    token: str
    end_key: str = ""
    """With it a page whose server is gone asks the portal how the session ended."""

    @classmethod
    def here(cls, environ: Mapping[str, str]) -> Portal | None:
        """Read the portal of this session from the environment; None where there is none."""
        names = ("PORTAL_API", "PORTAL_PAGES", "PORTAL_SESSION", "JUPYTERHUB_API_TOKEN")
        api, pages, session, token = (environ.get(name, "") for name in names)
        if not (api and pages and session and token):
            return None
        return cls(api, pages, session, token, environ.get("PORTAL_END_KEY", ""))

    async def call(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """Return the portal's answer, whatever its status. Raises PortalUnavailable."""
        try:
            return await asyncio.wait_for(self._call(method, path, body), CALL_S)
        except FAILURES as error:
            raise PortalUnavailable(repr(error)) from error

    async def _call(self, method: str, path: str, body: bytes | None) -> Answer:
        reader, writer = await self._ask(method, path, body)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"\r\ncontent-length: *([0-9]+)\r\n", head, re.IGNORECASE)
            content = await (reader.readexactly(min(int(length[1]), MOST_BYTES)) if length else reader.read())
            return Answer(int(head.split(b" ", 2)[1]), content)
        finally:
            writer.close()

    async def events(self, path: str) -> AsyncGenerator[Event, None]:
        """Yield the events of a stream. Raises PortalUnavailable when it ends."""
        writer = None
        try:
            reader, writer = await self._ask("GET", path)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CALL_S)
            if head.split(b" ", 2)[1:2] != [b"200"]:
                raise PortalUnavailable(head.split(b"\r\n")[0].decode(errors="replace"))
            async for event in _events(reader):
                yield event
        except FAILURES as error:
            raise PortalUnavailable(repr(error)) from error
        finally:
            if writer is not None:
                writer.close()

    async def _ask(
        self, method: str, path: str, body: bytes | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect and send the request as HTTP/1.0, so that the body of the answer is not chunked."""
        url = urlsplit(self.api)
        secure = url.scheme == "https"
        tls = ssl.create_default_context() if secure else None
        connecting = asyncio.open_connection(
            url.hostname, url.port or (443 if secure else 80), ssl=tls, limit=MOST_BYTES
        )
        reader, writer = await asyncio.wait_for(connecting, CONNECT_S)
        head = f"{method} {url.path}{path} HTTP/1.0\r\nHost: {url.netloc}\r\nAuthorization: token {self.token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}\r\n".encode() + (body or b""))
        return reader, writer


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[Event]:
    """Parse the portal's events, which have their data on one line.

    Raises EOFError at the end, TimeoutError after a silence, ValueError at a line that is too long.
    """
    fields: dict[str, str] = {}
    while True:
        raw = await asyncio.wait_for(reader.readline(), SILENCE_S)
        if not raw:
            raise EOFError("the stream has ended")
        name, colon, value = raw.decode().rstrip("\n").partition(": ")
        if colon:
            fields[name] = value
        elif not name:
            if fields.get("event"):
                yield Event(fields["event"], fields.get("data", ""))
            fields.clear()
