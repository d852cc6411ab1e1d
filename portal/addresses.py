"""The address of a request's client: its peer, or what trusted proxies report."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

#: Headers that show that a request came through a proxy.
FORWARDED = ("x-forwarded-for", "x-real-ip", "forwarded")


def read(text: str) -> Address | None:
    """Return the address, IPv4-mapped IPv6 as IPv4; None if it is invalid."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def client_of(peer: str, forwarded: Iterable[str], trusted: Collection[Network]) -> str:
    """Return the client's address. `forwarded`: the request's X-Forwarded-For headers, in order.

    Each proxy appends the address of its own peer, so read from the end, for as long as the proxy that added an entry
    is trusted: anything before that is the client's own claim. X-Real-IP is never read.
    """
    known = peer
    hops = [hop for value in forwarded for hop in value.split(",")]
    while hops and is_trusted(known, trusted):
        hop = read(hops.pop())
        if hop is None:
            break
        known = str(hop)
    return known


def is_trusted(peer: str, trusted: Collection[Network]) -> bool:
    address = read(peer)
    return address is not None and any(address in network for network in trusted)


class ClientAddress:
    """Set each request's client address; `request.state.peer` is the sender, None if a proxy forwards for others.

    uvicorn's own middleware cannot tell a program on the same machine from a proxy there.
    """

    def __init__(self, app: ASGIApp, *, trusted: Collection[Network]) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client"):
            peer = scope["client"][0]
            headers = Headers(scope=scope)
            forwarded = any(name in headers for name in FORWARDED)
            scope.setdefault("state", {})["peer"] = None if forwarded else peer
            scope["client"] = (client_of(peer, headers.getlist("x-forwarded-for"), self._trusted), 0)
            scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
            if scheme in ("http", "https") and is_trusted(peer, self._trusted):
                scope["scheme"] = scheme
        await self._app(scope, receive, send)
