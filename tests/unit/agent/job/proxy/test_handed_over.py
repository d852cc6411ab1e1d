"""Requests for ports that Jupyter hands over: checked by Jupyter, or to be checked here, as those of guests are."""

from __future__ import annotations

import array
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from agent.job.proxy import guests
from agent.job.proxy.forward import Visitor
from agent.job.proxy.guests import Guests
from agent.job.proxy.handed_over import LENGTH, UNCHECKED, HandedOver
from agent.job.proxy.messages import Exchange, Request
from tests.unit.agent.job.proxy.conftest import BASE
from tests.unit.agent.job.proxy.test_guests import KEY, ORDERS, WRONG, Portal, key_to

PATIENCE_S = 10
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Ports:
    """Notes who gets through, and answers; a request for `stay` stays open after its answer."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, Visitor]] = []

    async def answer(self, request: Request, visitor: Visitor, browser: Exchange, used: Callable[[], None]) -> bool:
        self.seen.append((request.path.removeprefix(BASE), visitor))
        browser.wire.write(OK)
        await browser.wire.flush()
        if request.path.endswith("stay"):
            await browser.wire.receive()
        return False


class Jupyter:
    """The side that hands over."""

    def __init__(self, handed: HandedOver) -> None:
        self._handed = handed

    @contextmanager
    def handing(self, path: str, cookie: str, mark: int) -> Iterator[tuple[socket.socket, socket.socket]]:
        """Hand a request over; return the browser's connection and the end that Jupyter holds."""
        raw = f"GET {BASE}{path} HTTP/1.1\r\nHost: alice.portal.example\r\nCookie: {cookie}\r\n\r\n".encode()
        browser, client = socket.socketpair()
        held, agents = socket.socketpair()
        with browser, held:
            browser.settimeout(PATIENCE_S)
            rights = array.array("i", [client.fileno()])
            held.sendmsg([LENGTH.pack(len(raw) | mark)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            held.sendall(raw)
            client.close()
            self._handed.take(agents)
            yield browser, held

    def answer(self, path: str, cookie: str = "", mark: int = UNCHECKED) -> str:
        """Return the whole answer to a request."""
        with self.handing(path, cookie, mark) as (browser, _):
            return "".join(iter(lambda: browser.recv(65536).decode(), ""))

    def arrive(self, code: str) -> str:
        """Arrive as a guest's browser does; return the cookie of the place."""
        first = fields(self.answer(".portal/guest?share=7"))
        state = parse_qs(urlsplit(first["location"]).query)["state"][0]
        bound = first["set-cookie"].partition(";")[0]
        second = self.answer(f".portal/guest?code={code}&state={state}", bound)
        return next(
            line.split(": ", 1)[1].partition(";")[0] for line in second.split("\r\n") if line.startswith("Set-Cookie")
        )


def fields(answer: str) -> dict[str, str]:
    lines = answer.partition("\r\n\r\n")[0].split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Portal:
    monkeypatch.setattr(guests, "FRESH_S", 0.0)
    portal = Portal()
    portal.share("c", 8501)
    return portal


@pytest.fixture
def ports() -> Ports:
    return Ports()


@pytest.fixture
def jupyter(portal: Portal, ports: Ports) -> Jupyter:
    known: Any = ports
    handed = HandedOver(
        known, owner="alice", guests=Guests(ORDERS, portal), portal_url="https://portal.example/", log=print,
        watch_s=0.05,
    )  # fmt: skip
    return Jupyter(handed)


def test_a_request_that_jupyter_has_checked_is_its_owners(jupyter: Jupyter, ports: Ports) -> None:
    assert jupyter.answer("proxy-port/8502/", mark=0).startswith("HTTP/1.1 200")
    assert ports.seen == [("proxy-port/8502/", Visitor("alice"))]


def test_a_guest_gets_to_the_shared_port_alone(jupyter: Jupyter, ports: Ports) -> None:
    cookie = jupyter.arrive("c")
    assert jupyter.answer("proxy-port/8501/", cookie).startswith("HTTP/1.1 200")
    assert ports.seen == [("proxy-port/8501/", Visitor("bob", is_guest=True, mode="use"))]
    name, _, value = cookie.partition("=")
    other = f"{name.rpartition('-')[0]}-8502={value}"
    for path, shown in (
        ("proxy-port/8502/", cookie), ("proxy-port/8502/", other), ("proxy-port/", cookie), ("api/contents", cookie),
        ("proxy-port/8501/", ""), ("proxy-port/8501/", f"{name}=guessed"),
    ):  # fmt: skip
        assert jupyter.answer(path, shown).startswith("HTTP/1.1 403"), (path, shown)
    assert len(ports.seen) == 1


def test_nobody_is_a_guest_where_the_site_has_none(ports: Ports) -> None:
    known: Any = ports
    handed = HandedOver(known, owner="alice", guests=None, portal_url="https://portal.example/", log=print)
    assert Jupyter(handed).answer("proxy-port/8501/").startswith("HTTP/1.1 403")
    assert ports.seen == []


def test_what_a_guest_has_open_closes_when_the_share_ends_and_the_owners_stays(
    jupyter: Jupyter, portal: Portal
) -> None:
    cookie = jupyter.arrive("c")
    with (
        jupyter.handing("proxy-port/8501/stay", cookie, UNCHECKED) as (theirs, _),
        jupyter.handing("proxy-port/8501/stay", "", 0) as (ours, held),
    ):
        for browser in (theirs, ours):
            assert browser.recv(len(OK)) == OK
        portal.end("c")
        assert theirs.recv(1) == b""
        ours.settimeout(0.3)
        with pytest.raises(TimeoutError):
            ours.recv(1)
        # Jupyter lets go when the owner's login ends.
        ours.settimeout(PATIENCE_S)
        held.shutdown(socket.SHUT_RDWR)
        assert ours.recv(1) == b""


def with_key(key: str) -> str:
    """Return a cookie, and after it the header with the key."""
    return f"other=cookie\r\nAuthorization: Bearer {key}"


def test_a_key_gets_to_its_port_alone(jupyter: Jupyter, portal: Portal, ports: Ports) -> None:
    portal.keys[KEY] = key_to(8501)
    assert jupyter.answer("proxy-port/8501/", with_key(KEY)).startswith("HTTP/1.1 200")
    assert ports.seen == [("proxy-port/8501/", Visitor("key:7", is_guest=True, mode="use"))]
    for path, key in (("proxy-port/8502/", KEY), ("api/contents", KEY), ("proxy-port/8501/", WRONG)):
        assert jupyter.answer(path, with_key(key)).startswith("HTTP/1.1 403"), (path, key)
