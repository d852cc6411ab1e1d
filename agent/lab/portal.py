"""Calls the portal's API as the session's user, with the token that the Hub gave this server."""

from __future__ import annotations

import asyncio
import ssl
from typing import AsyncGenerator, AsyncIterator, Mapping, NamedTuple
from urllib.parse import urlsplit

from tornado.httpclient import HTTPError, HTTPRequest, HTTPResponse
from tornado.simple_httpclient import SimpleAsyncHTTPClient

CONNECT_S = 10.0
CALL_S = 60.0
MOST_BYTES = 4 << 20
#: The portal sends something every 10 s: a connection that is silent for longer is gone.
SILENCE_S = 30.0


class PortalUnavailable(Exception):
    """The portal cannot be reached, or its stream has ended."""


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

    async def call(self, method: str, path: str, body: bytes | None = None) -> HTTPResponse:
        """Return the portal's answer, whatever its status. Raises PortalUnavailable."""
        client = SimpleAsyncHTTPClient(force_instance=True, max_body_size=MOST_BYTES)
        request = HTTPRequest(
            self.api + path,
            method=method,
            body=body,
            headers={**self._login(), "Content-Type": "application/json"},
            connect_timeout=CONNECT_S,
            request_timeout=CALL_S,
            follow_redirects=False,
            allow_nonstandard_methods=True,
        )
        try:
            return await client.fetch(request, raise_error=False)
        except (OSError, HTTPError) as error:
            raise PortalUnavailable(str(error)) from error
        finally:
            client.close()

    async def events(self, path: str) -> AsyncGenerator[Event, None]:
        """Yield the events of a stream. Raises PortalUnavailable when it ends."""
        writer = None
        try:
            reader, writer = await asyncio.wait_for(self._connect(), CONNECT_S)
            # HTTP/1.0: the body is the stream as it is, without chunks.
            request = f"GET {urlsplit(self.api).path}{path} HTTP/1.0\r\nHost: {urlsplit(self.api).netloc}\r\n"
            headers = "".join(f"{name}: {value}\r\n" for name, value in self._login().items())
            writer.write(f"{request}{headers}\r\n".encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CALL_S)
            if head.split(b" ", 2)[1:2] != [b"200"]:
                raise PortalUnavailable(head.split(b"\r\n")[0].decode(errors="replace"))
            async for event in _events(reader):
                yield event
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError, asyncio.TimeoutError) as error:
            raise PortalUnavailable(repr(error)) from error
        finally:
            if writer is not None:
                writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        url = urlsplit(self.api)
        secure = url.scheme == "https"
        tls = ssl.create_default_context() if secure else None
        return await asyncio.open_connection(
            url.hostname, url.port or (443 if secure else 80), ssl=tls, limit=MOST_BYTES
        )

    def _login(self) -> dict[str, str]:
        return {"Authorization": f"token {self.token}"}


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
