"""The site's proxy program with our additions, and no site around it: responses that are cut off, long websockets."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest

from portal.shipped import PROXY, PROXY_NODE_OPTIONS
from tests.demo_site import CLONE, free_port

ANSWERS = {
    "/length": b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\nhello",
    "/chunks": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "/whole": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "/short": b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
    "/socket": b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
}
TOKEN = {"Authorization": "token proxy"}
ASKED = b"GET /socket HTTP/1.1\r\nHost: site\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"


class Proxy(NamedTuple):
    url: str
    api: str
    metrics: str
    target: str


def serve(listener: socket.socket) -> None:
    """Send each connection what its path asks for, and close it; echo what comes to a websocket."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            path = connection.recv(65536).split(b" ")[1].decode()
            connection.sendall(ANSWERS[path])
            while path == "/socket" and (piece := connection.recv(65536)):
                connection.sendall(piece)
            time.sleep(0.2)  # the proxy has passed it on when the cut comes


@pytest.fixture(scope="module")
def proxy() -> Iterator[Proxy]:
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    target = f"http://127.0.0.1:{listener.getsockname()[1]}"
    port, api, metrics = free_port(), free_port(), free_port()
    program = subprocess.Popen(
        [
            CLONE / ".cache/node/node",
            PROXY / "node_modules/configurable-http-proxy/bin/configurable-http-proxy",
            *("--ip", "127.0.0.1", "--port", str(port), "--api-ip", "127.0.0.1", "--api-port", str(api)),
            *("--metrics-ip", "127.0.0.1", "--metrics-port", str(metrics)),
            *("--default-target", target, "--log-level", "error"),
        ],
        env={**os.environ, "NODE_OPTIONS": PROXY_NODE_OPTIONS, "CONFIGPROXY_AUTH_TOKEN": "proxy"},
    )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while True:
            try:
                httpx2.get(f"{url}/_chp_healthz")
                break
            except httpx2.ConnectError:
                assert time.monotonic() < deadline, "the proxy does not start"
                time.sleep(0.1)
        yield Proxy(url, f"http://127.0.0.1:{api}", f"http://127.0.0.1:{metrics}", target)
    finally:
        program.terminate()
        program.wait()
        listener.close()


@pytest.mark.parametrize("path", ["/length", "/chunks"])
def test_response_that_is_cut_off_is_cut_off_for_the_client(proxy: Proxy, path: str) -> None:
    with httpx2.stream("GET", proxy.url + path, timeout=20) as response:
        assert response.status_code == 200
        with pytest.raises(httpx2.RemoteProtocolError):
            response.read()


@pytest.mark.parametrize("path", ["/whole", "/short"])
def test_whole_response_stays_whole(proxy: Proxy, path: str) -> None:
    with httpx2.Client(timeout=20) as client:
        for _ in range(3):
            assert client.get(proxy.url + path).content == b"hello"


def updates(proxy: Proxy) -> int:
    """Return how often the proxy has noted that a route was used."""
    found = re.search(
        r"^last_activity_updating_count (\d+)$", httpx2.get(f"{proxy.metrics}/metrics").text, re.MULTILINE
    )
    assert found is not None
    return int(found[1])


def test_pieces_of_a_websocket_are_noted_as_use_once_a_second(proxy: Proxy) -> None:
    route = f"{proxy.api}/api/routes/socket"
    httpx2.post(route, headers=TOKEN, json={"target": proxy.target}).raise_for_status()
    parts = urlsplit(proxy.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as client:
        client.sendall(ASKED)
        assert b" 101 " in client.recv(4096)
        before, began = updates(proxy), time.monotonic()
        pieces = 0
        while time.monotonic() - began < 1.5:
            client.sendall(b"x")
            assert client.recv(1) == b"x"
            pieces += 1
        assert 1 <= updates(proxy) - before <= 2 + (time.monotonic() - began) < pieces
    noted = datetime.fromisoformat(httpx2.get(route, headers=TOKEN).json()["last_activity"])
    assert datetime.now(UTC) - noted < timedelta(seconds=5)
