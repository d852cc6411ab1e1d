"""One HTTP request to a registry, bounded in time and size, and only to hosts that the site allows.

A name is resolved here and the connection goes to the address that was checked, so that a name that changes its address
in between leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import socket
import urllib.request
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import httpx2

MOST_BYTES = 4 << 20


class NotReached(Exception):
    """No complete answer came. The message completes a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: httpx2.Headers
    content: bytes
    asked: httpx2.Headers


class Fetcher:
    """`trusted` hosts may have any address; `plain` is the one host that may be used without TLS."""

    def __init__(self, *, allowed: Collection[str], trusted: Collection[str], plain: str | None, timeout_s: float):
        self._allowed = {*allowed, *trusted}
        self._trusted = set(trusted)
        self._plain = plain
        self._timeout_s = timeout_s
        self._http = httpx2.AsyncClient(timeout=timeout_s, follow_redirects=False)

    async def close(self) -> None:
        await self._http.aclose()

    def may(self, host: str) -> bool:
        return host in self._allowed

    async def get(
        self,
        url: str,
        *,
        headers: dict[str, str],
        params: dict[str, str] | None,
        auth: httpx2.BasicAuth | None,
    ) -> Answer:
        """Send a GET request. Raises NotReached."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._get(httpx2.URL(url), headers, params, auth)
        except TimeoutError as error:
            raise NotReached("did not send its whole answer in time") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError) as error:
            raise NotReached("cannot be reached from the portal") from error

    async def _get(
        self, url: httpx2.URL, headers: dict[str, str], params: dict[str, str] | None, auth: httpx2.BasicAuth | None
    ) -> Answer:
        name = url.netloc.decode()
        if url.scheme != ("http" if name == self._plain else "https") or url.userinfo or not self.may(name):
            raise NotReached("resolves to an address that this site does not allow")
        extensions: dict[str, Any] = {}
        if params:
            url = url.copy_merge_params(params)
        if name not in self._trusted and not _by_proxy(url):
            address = await _public_address(url.host, url.port or 443)
            headers, extensions = headers | {"Host": name}, {"sni_hostname": url.host}
            url = url.copy_with(host=address)
        async with self._http.stream("GET", url, headers=headers, auth=auth, extensions=extensions) as answer:
            content = bytearray()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    raise NotReached(f"answers with more than {MOST_BYTES >> 20} MiB")
            return Answer(answer.status_code, answer.headers, bytes(content), answer.request.headers)


def _by_proxy(url: httpx2.URL) -> bool:
    """Whether the request goes through the site's proxy, which resolves the name, so that there is no address to
    check.
    """
    return url.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(url.host)


async def _public_address(host: str, port: int) -> str:
    """Return an address of a host whose addresses are all public. Raises NotReached, OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(_is_public(one) for one in addresses):
        raise NotReached("is at an address inside this network, which this site must allow first")
    return addresses[0]


def _is_public(address: str) -> bool:
    parsed = ip_address(address.partition("%")[0])
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return parsed.is_global and not parsed.is_multicast and (inner is None or inner.is_global)
