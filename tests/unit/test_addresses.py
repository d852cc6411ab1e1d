"""A client's address: what trusted proxies vouch for, and never what somebody claims of himself."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from portal.addresses import ClientAddress, client_of, is_trusted
from portal.settings import Server

LOOPBACK = Server().trusted_proxies
WEB = [*LOOPBACK, ip_network("10.0.0.9")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "client"),
    [
        ("10.0.0.1", [], LOOPBACK, "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.66"], LOOPBACK, "10.0.0.1"),  # a node speaks for itself alone
        ("127.0.0.1", ["192.0.2.7"], LOOPBACK, "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.66, 192.0.2.7"], LOOPBACK, "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.66", "192.0.2.7"], LOOPBACK, "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.66, 192.0.2.7, 127.0.0.1"], LOOPBACK, "192.0.2.7"),
        ("127.0.0.1", ["127.0.0.1,127.0.0.1"], LOOPBACK, "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.7, 10.0.0.9"], LOOPBACK, "10.0.0.9"),
        ("127.0.0.1", ["192.0.2.7, 10.0.0.9"], WEB, "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.66, nonsense"], LOOPBACK, "127.0.0.1"),
        ("127.0.0.1", ["192.0.2.66, 192.0.2.7\n[E] forged"], LOOPBACK, "127.0.0.1"),
        ("127.0.0.1", [""], LOOPBACK, "127.0.0.1"),
        ("::1", ["2001:DB8:0::1"], LOOPBACK, "2001:db8::1"),
        ("::ffff:127.0.0.1", ["::ffff:192.0.2.7"], LOOPBACK, "192.0.2.7"),
        ("unix", ["192.0.2.7"], LOOPBACK, "unix"),
    ],
)
def test_address_is_the_last_that_nobody_trusted_has_added(
    peer: str, forwarded: list[str], trusted: list[Any], client: str
) -> None:
    assert client_of(peer, forwarded, trusted) == client


def test_network_of_everybody_is_no_proxy() -> None:
    assert is_trusted("10.3.0.1", [ip_network("10.0.0.0/8")])
    for everybody in ("0.0.0.0/0", "::/0"):
        with pytest.raises(ValueError, match="all addresses"):
            Server(trusted_proxies=[everybody])


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
async def test_who_comes_by_a_proxy_does_not_speak_for_itself(name: str) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["state"]["peer"], scope["client"][0], scope["scheme"]))

    framed = ClientAddress(app, trusted=LOOPBACK)
    headers = [(name.lower().encode(), b"192.0.2.7"), (b"x-forwarded-proto", b"https")]
    for peer, with_headers in (("10.0.0.1", []), ("10.0.0.1", headers), ("127.0.0.1", headers)):
        scope = {"type": "http", "scheme": "http", "client": (peer, 4711), "headers": with_headers}
        await framed(scope, None, None)  # type: ignore[arg-type]  # not asked
    for_another = "192.0.2.7" if name == "X-Forwarded-For" else "127.0.0.1"
    assert seen == [
        ("10.0.0.1", "10.0.0.1", "http"),
        (None, "10.0.0.1", "http"),
        (None, for_another, "https"),
    ]
