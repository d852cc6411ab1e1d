"""A server that stands in for a session during `portal check`, with a route of its own in the proxy.

The requests it receives, and their client addresses, show where web server and proxy lead.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx2

from portal.errors import PortalError
from portal.settings import Settings

TIMEOUT_S = 5.0


class NoRoute(PortalError):
    """The proxy does not answer, or refuses the route."""


@dataclass(slots=True)
class FakeSession:
    username: str = field(default_factory=lambda: f"check-{secrets.token_hex(4)}")
    word: str = field(default_factory=lambda: secrets.token_hex(16))
    asked: list[str] = field(default_factory=list)
    """The requests received, with their headers."""
    page: str = ""
    """The HTML served at `page`, below its own address."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            asked = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.asked.append(asked)
            kind, body = ("html", self.page) if asked.split()[1].endswith("/page") else ("plain", self.word)
            head = f"Content-Type: text/{kind}\r\nContent-Length: {len(body)}\r\nConnection: close"
            writer.write(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}".encode())
            await writer.drain()


@asynccontextmanager
async def fake_session(settings: Settings) -> AsyncIterator[FakeSession]:
    """Serve a fake session of a user who does not exist. Raises NoRoute."""
    session = FakeSession()
    here = await _own_address(settings.hub.proxy_api_url)
    server = await asyncio.start_server(session.answer, here, 0)
    host = f"/{urlsplit(settings.sessions_origin(session.username)).hostname}" if settings.hub.subdomains else ""
    route = f"{settings.hub.proxy_api_url}/api/routes{host}/user/{session.username}"
    async with server, _client(settings) as proxy:
        where = f"[{here}]" if ":" in here else here
        target = {"target": f"http://{where}:{server.sockets[0].getsockname()[1]}"}
        try:
            made = await proxy.post(route, json=target)
        except httpx2.HTTPError as error:
            raise NoRoute("the proxy does not answer") from error
        if not made.is_success:
            raise NoRoute(f"the proxy refuses a route: it answers {made.status_code}")
        try:
            yield session
        finally:
            await proxy.delete(route)


def _client(settings: Settings) -> httpx2.AsyncClient:
    headers = {"Authorization": f"token {settings.secrets.proxy_token}"}
    return httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S, trust_env=False)


async def _own_address(url: str) -> str:
    """Return this machine's address as the proxy can reach it. Raises NoRoute."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
    except OSError as error:
        raise NoRoute("the proxy does not answer") from error
    with closing(writer):
        return str(writer.get_extra_info("sockname")[0])


# --- the client's side ---


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of an address of the site; `wrong`: why there was none; `untrusted`: TLS did not verify."""

    status: int = 0
    text: str = ""
    location: str = ""
    wrong: str = ""
    untrusted: bool = False


async def resolves(host: str) -> bool:
    if _below_localhost(host):
        return True
    try:
        await asyncio.get_running_loop().getaddrinfo(host, None)
    except socket.gaierror:
        return False
    return True


def _below_localhost(host: str) -> bool:
    """RFC 6761, 6.3: such names are this machine, though not every resolver knows."""
    return host.endswith(".localhost")


async def ask(url: str, **headers: str) -> Answer:
    """Send a request as a browser without a login, trusting this machine's certificates."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    at = parts._replace(netloc=parts.netloc.replace(host, "127.0.0.1")) if _below_localhost(host) else parts
    try:
        async with httpx2.AsyncClient(verify=ssl.create_default_context(), timeout=TIMEOUT_S, trust_env=False) as web:
            got = await web.get(
                at.geturl(), headers={"Host": parts.netloc, **headers}, extensions={"sni_hostname": host}
            )
    except httpx2.HTTPError as error:
        why = _untrusted(error)
        return Answer(wrong=why or str(error) or type(error).__name__, untrusted=bool(why))
    return Answer(got.status_code, got.text, got.headers.get("location", ""))


def _untrusted(error: BaseException | None) -> str:
    """Return what is wrong with the certificate, empty if the error is another."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return error.verify_message
        error = error.__cause__ or error.__context__
    return ""
