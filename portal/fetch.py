"""One HTTP request to an outside host that the site allows, bounded in time and size.

A name is resolved here and the connection goes to the address that was checked, so that a name that changes its address
in between leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import urllib.request
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import Any

import httpx2

MOST_BYTES = 4 << 20
#: How much of the time the connection may take; more of it, and the request has certainly not arrived.
CONNECT_SHARE = 0.8
#: Names resolved at the same time. A resolver that hangs holds these threads, not those that the portal shares.
RESOLVERS = 4


class NotReached(Exception):
    """No complete answer came. The message completes a sentence."""


class Unanswered(NotReached):
    """The request may have arrived; no complete answer came."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: httpx2.Headers
    content: bytes
    asked: httpx2.Headers


class Fetcher:
    """`trusted` hosts may have any address; `plain` is the one host that may be used without TLS.

    A host `*.example.org` stands for all hosts of that domain. `verify` holds the CAs of their certificates.
    """

    def __init__(
        self,
        *,
        allowed: Collection[str],
        trusted: Collection[str],
        plain: str | None,
        timeout_s: float,
        most_bytes: int = MOST_BYTES,
        verify: ssl.SSLContext | bool = True,
        transport: httpx2.AsyncBaseTransport | None = None,
    ):
        self._allowed = {*allowed, *trusted}
        self._trusted = set(trusted)
        self._plain = plain
        self._timeout_s = timeout_s
        self._most_bytes = most_bytes
        self._resolvers = ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolver")
        self._http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(timeout_s, connect=CONNECT_SHARE * timeout_s),
            follow_redirects=False,
            verify=verify,
            transport=transport,
        )

    async def close(self) -> None:
        await self._http.aclose()
        self._resolvers.shutdown(wait=False, cancel_futures=True)

    def may(self, host: str) -> bool:
        return is_listed(host, self._allowed)

    async def get(
        self,
        url: str,
        *,
        headers: dict[str, str],
        params: dict[str, str] | None,
        auth: httpx2.BasicAuth | None,
    ) -> Answer:
        """Send a GET request. Raises NotReached."""
        return await self._send("GET", url, headers, params=params, auth=auth)

    async def post(self, url: str, *, headers: dict[str, str], content: bytes) -> Answer:
        """Send a POST request. Raises NotReached; Unanswered if it may have arrived."""
        return await self._send("POST", url, headers, content=content)

    async def _send(self, method: str, url: str, headers: dict[str, str], **request: Any) -> Answer:
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._ask(method, httpx2.URL(url), headers, **request)
        except (httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise NotReached("did not accept the connection in time") from error
        except TimeoutError as error:
            raise Unanswered("did not send its whole answer in time") from error
        except (httpx2.ConnectError, httpx2.InvalidURL, httpx2.UnsupportedProtocol, OSError, UnicodeError) as error:
            raise NotReached("cannot be reached from the portal") from error
        except httpx2.TimeoutException as error:
            raise Unanswered("did not send its whole answer in time") from error
        except httpx2.HTTPError as error:
            raise Unanswered("closed the connection without a complete answer") from error

    async def _ask(
        self,
        method: str,
        url: httpx2.URL,
        headers: dict[str, str],
        *,
        params: dict[str, str] | None = None,
        auth: httpx2.BasicAuth | None = None,
        content: bytes | None = None,
    ) -> Answer:
        name = url.netloc.decode()
        if url.scheme != ("http" if name == self._plain else "https") or url.userinfo or not self.may(name):
            raise NotReached("resolves to an address that this site does not allow")
        if params:
            url = url.copy_merge_params(params)
        request = {"headers": headers, "auth": auth, "content": content}
        if _by_proxy(url):
            return await self._receive(method, url, request)
        addresses = await self._addresses(url.host, url.port or 443)
        if not is_listed(name, self._trusted) and not all(map(_is_public, addresses)):
            raise NotReached("is at an address inside this network, which this site must allow first")
        request |= {"headers": headers | {"Host": name}, "extensions": {"sni_hostname": url.host}}
        for address in addresses[:-1]:
            with suppress(httpx2.ConnectError):
                return await self._receive(method, url.copy_with(host=address), request)
        return await self._receive(method, url.copy_with(host=addresses[-1]), request)

    async def _receive(self, method: str, url: httpx2.URL, request: dict[str, Any]) -> Answer:
        async with self._http.stream(method, url, **request) as answer:
            received = bytearray()
            async for piece in answer.aiter_bytes():
                received += piece
                if len(received) > self._most_bytes:
                    raise Unanswered(f"answers with more than {self._most_bytes >> 10:,} KiB")
            return Answer(answer.status_code, answer.headers, bytes(received), answer.request.headers)

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Return the host's addresses, the preferred one first. Raises NotReached, OSError."""
        resolve = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        try:
            async with asyncio.timeout(CONNECT_SHARE * self._timeout_s):
                answers = await asyncio.get_running_loop().run_in_executor(self._resolvers, resolve)
        except TimeoutError as error:
            raise NotReached("has a name that could not be resolved in time") from error
        return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def is_listed(host: str, hosts: Collection[str]) -> bool:
    """Return whether the host (with its port unless that is 443) is in the list, by name or by its domain."""
    name = host.lower()
    return name in hosts or any(host.startswith("*.") and name.endswith(host[1:]) for host in hosts)


def _by_proxy(url: httpx2.URL) -> bool:
    """Whether the request goes through the site's proxy, which resolves the name, so that there is no address to
    check.
    """
    return url.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(url.host)


def _is_public(address: str) -> bool:
    parsed = ip_address(address.partition("%")[0])
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return parsed.is_global and not parsed.is_multicast and (inner is None or inner.is_global)
