"""What the site's proxy program does with a response that its server cuts off, with no site around it."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest

from portal.shipped import PROXY, PROXY_NODE_OPTIONS
from tests.demo_site import CLONE, free_port

ANSWERS = {
    "/length": b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\nhello",
    "/chunks": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "/whole": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "/short": b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
}


def serve(listener: socket.socket) -> None:
    """Send each connection what its path asks for, and close it."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            path = connection.recv(65536).split(b" ")[1].decode()
            connection.sendall(ANSWERS[path])
            time.sleep(0.2)  # the proxy has passed it on when the cut comes


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    port = free_port()
    program = subprocess.Popen(
        [
            CLONE / ".cache/node/node",
            PROXY / "node_modules/configurable-http-proxy/bin/configurable-http-proxy",
            *("--ip", "127.0.0.1", "--port", str(port), "--api-ip", "127.0.0.1", "--api-port", str(free_port())),
            *("--default-target", f"http://127.0.0.1:{listener.getsockname()[1]}", "--log-level", "error"),
        ],
        env={**os.environ, "NODE_OPTIONS": PROXY_NODE_OPTIONS},
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
        yield url
    finally:
        program.terminate()
        program.wait()
        listener.close()


@pytest.mark.parametrize("path", ["/length", "/chunks"])
def test_response_that_is_cut_off_is_cut_off_for_the_client(proxy: str, path: str) -> None:
    with httpx2.stream("GET", proxy + path, timeout=20) as response:
        assert response.status_code == 200
        with pytest.raises(httpx2.RemoteProtocolError):
            response.read()


@pytest.mark.parametrize("path", ["/whole", "/short"])
def test_whole_response_stays_whole(proxy: str, path: str) -> None:
    with httpx2.Client(timeout=20) as client:
        for _ in range(3):
            assert client.get(proxy + path).content == b"hello"
