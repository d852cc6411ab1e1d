"""Connections from this machine: certificates are verified, and what fails is said in words."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from agent.laptop import stdio
from agent.laptop.api import fetch
from agent.laptop.errors import Failure


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return None


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that no CA of this machine has signed, with its key."""
    path = tmp_path / "own.pem"
    what = ("-subj", "/CN=own", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-newkey", "rsa:2048", "-nodes")
    subprocess.run(["openssl", "req", "-x509", *what, "-keyout", path, "-out", f"{path}.crt"], check=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


@pytest.fixture
def url(certificate: Path) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/user/alice/x/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("ask", [lambda url: fetch("GET", url), lambda url: stdio.dial(url, "token", "key")])
def test_an_unknown_ca_is_named_with_what_to_do(ask: Callable[[str], object], url: str) -> None:
    with pytest.raises(Failure, match=r"does not trust the certificate of 127\.0\.0\.1:\d+: .*SSL_CERT_FILE"):
        ask(url)


def test_a_ca_that_this_machine_knows_is_trusted(url: str, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    assert fetch("GET", url)[0] == 204
    with pytest.raises(Failure, match=r"does not trust the certificate of localhost:.*mismatch"):
        fetch("GET", url.replace("127.0.0.1", "localhost"))
