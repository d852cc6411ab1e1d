"""Where the portal's own questions to registries may go, and how much of an answer it takes."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest

from portal import fetch
from portal.fetch import Fetcher
from portal.images.reference import Reference
from portal.images.registry import Circuits, Registry, RegistryRefused, RegistryUnavailable
from portal.settings import Images, Ngc


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Endless(BaseHTTPRequestHandler):
    sent = 0

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(ConnectionError):
            while True:
                self.wfile.write(b" " * 65_536)
                type(self).sent += 65_536

    def log_message(self, *_: Any) -> None:
        """Be silent."""


class Trickling(Endless):
    over = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(ConnectionError):
            while not self.over.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()


def manifest(host: str) -> Reference:
    return Reference.parse(f"docker://{host}/nvidia/tiny:1.0")


async def test_answer_without_end_is_left_at_the_limit() -> None:
    with serving(Endless) as host:
        async with Registry(host, Ngc(host=host, plain_http=True), None) as registry:
            with pytest.raises(RegistryUnavailable, match="more than 4,096 KiB"):
                await registry.manifest(manifest(host))
    assert Endless.sent < 5 * fetch.MOST_BYTES


async def test_answer_that_trickles_is_left_at_the_deadline() -> None:
    Trickling.over.clear()
    with serving(Trickling) as host:
        async with Registry(host, Ngc(host=host, plain_http=True, timeout_s=0.3), None) as registry:
            with pytest.raises(RegistryUnavailable, match="in time"):
                await registry.manifest(manifest(host))
        Trickling.over.set()


async def test_registry_that_hangs_is_left_alone_whoever_asks() -> None:
    Trickling.over.clear()
    with serving(Trickling) as host:
        settings = Ngc(host=host, plain_http=True, timeout_s=0.1)
        circuits = Circuits(settings.timeout_s)
        for name in ["in time"] * 3 + ["tried again in"] * 2:
            async with Registry(host, settings, None, circuits=circuits) as registry:
                with pytest.raises(RegistryUnavailable, match=name):
                    await registry.reach()
        Trickling.over.set()
    assert [circuit.name for circuit in circuits.open()] == [f"The registry {host}"]


@pytest.mark.parametrize("host", ["localhost:9", "169.254.169.254", "slurmctld", "nvcr.io:8443", "2130706433"])
async def test_registry_that_the_site_does_not_list_is_not_asked(host: str) -> None:
    async with Registry(host, Ngc(), None) as registry:
        with pytest.raises(RegistryRefused):
            await registry.manifest(manifest(host))


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"], ["10.1.2.3"], ["192.168.0.9"], ["169.254.169.254"], ["100.64.0.1"], ["0.0.0.0"],  # noqa: S104
        ["::1"], ["fe80::1%eth0"], ["fd00::1"], ["::ffff:127.0.0.1"], ["2002:7f00:1::"], ["224.0.0.1"],
        ["93.184.215.14", "10.0.0.1"],
    ],
    ids=str,
)  # fmt: skip
async def test_listed_name_at_an_inner_address_is_not_asked(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolves_to(monkeypatch, addresses)
    async with Registry("ghcr.io", Ngc(), None) as registry:
        with pytest.raises(RegistryUnavailable, match="inside this network"):
            await registry.manifest(manifest("ghcr.io"))


async def test_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    resolves_to(monkeypatch, ["93.184.215.14"])
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(302, headers={"Location": "https://ghcr.io/elsewhere"})

    transport = httpx2.MockTransport(answer)
    fetcher = Fetcher(allowed=["ghcr.io"], trusted=[], plain=None, timeout_s=5, transport=transport)
    got = await fetcher.get("https://ghcr.io/v2/", headers={}, params={"scope": "x"}, auth=None)
    await fetcher.close()
    (request,) = asked
    assert (request.url.host, request.headers["host"]) == ("93.184.215.14", "ghcr.io")
    assert request.extensions["sni_hostname"] == "ghcr.io"
    assert request.url.params["scope"] == "x"
    assert got.status == 302


@pytest.mark.parametrize(
    "realm",
    [
        "http://ghcr.io/token", "https://localhost:6443/token", "https://ghcr.io@10.0.0.1/token", "file:///etc/passwd",
        "https://ghcr.io:22/token", "https://user:pw@ghcr.io/token",
    ],
)  # fmt: skip
async def test_token_service_elsewhere_is_not_asked(realm: str) -> None:
    class Challenging(Endless):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("WWW-Authenticate", f'Bearer realm="{realm}",service="x"')
            self.send_header("Content-Length", "0")
            self.end_headers()

    with serving(Challenging) as host:
        async with Registry(host, Ngc(host=host, plain_http=True), "the-users-key") as registry:
            with pytest.raises(RegistryUnavailable, match="does not allow"):
                await registry.manifest(manifest(host))


@pytest.mark.parametrize(
    "content",
    [b'{"layers": 5}', b'{"layers": [null, {"size": "x"}, {"size": 1e400}]}', b'{"manifests": [1, {"platform": 2}]}'],
)
async def test_manifest_of_anything_is_read(content: bytes) -> None:
    class Odd(Endless):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with serving(Odd) as host:
        async with Registry(host, Ngc(host=host, plain_http=True), None) as registry:
            assert (await registry.manifest(manifest(host))).size_bytes is None


def test_private_registry_is_one_that_the_site_lists() -> None:
    images = Images(private_registries=["registry.cluster.example:5000"])
    registry = Registry("registry.cluster.example:5000", Ngc(), None, images)
    assert registry.fetcher.may("registry.cluster.example:5000")
    assert not registry.fetcher.may("other.cluster.example")


def resolves_to(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", (address, 443)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr("urllib.request.getproxies", dict)


async def test_names_that_do_not_resolve_hold_no_thread_that_others_need(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def hangs(*_: object, **__: object) -> list[object]:
        over.wait()
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    fetcher = Fetcher(allowed=["a.example"], trusted=["b.example"], plain=None, timeout_s=0.3)
    try:
        asked = [fetcher.post(f"https://{host}.example/", headers={}, content=b"") for host in "ab" * 30]
        errors = await asyncio.gather(*asked, return_exceptions=True)
        late = {"has a name that could not be resolved in time", "did not send its whole answer in time"}
        assert {str(error) for error in errors} <= late, "which of the two, the machine's speed decides"
        assert await asyncio.wait_for(asyncio.to_thread(lambda: True), 5)
    finally:
        over.set()
        await fetcher.close()
