"""Where notifications go in tests: a real SMTP server and a real HTTPS receiver on loopback, with a CA of their own.

Both can be made to fail, to hang and to come back.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

USERNAME, PASSWORD = "portal@cluster.example", "the mail password"
REFUSED = "550 5.1.1 no such user"


@dataclass(frozen=True, slots=True)
class Certificate:
    ca: Path
    cert: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.cert, self.key)
        return context


def certificate(folder: Path) -> Certificate:
    """Make a self-signed certificate for `localhost`, which is its own CA."""
    made = Certificate(folder / "cert.pem", folder / "cert.pem", folder / "key.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ["-addext", names, "-keyout", str(made.key), "-out", str(made.cert)]
    subprocess.run([*command.split(), *files], check=True, capture_output=True, timeout=60)
    return made


@dataclass
class MailServer:
    """Takes mail for everybody but `nobody@…`; `failing` is its answer to every message, `hangs` until set."""

    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    failing: str | None = None
    hangs: threading.Event | None = None
    connections: int = 0
    logins: list[bytes] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd names it
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address.startswith("nobody@"):
            return REFUSED
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.failing is not None:
            return self.failing
        parsed = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        parsed["X-Envelope-To"] = ", ".join(envelope.rcpt_tos)
        self.letters.append(parsed)
        if self.hangs is not None:
            hangs = self.hangs
            await asyncio.get_running_loop().run_in_executor(None, hangs.wait, 30)
        return "250 OK queued"

    def login(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append(data.login)
        good = (data.login, data.password) == (USERNAME.encode(), PASSWORD.encode())
        return AuthResult(success=good, handled=False)


@contextmanager
def mail_server(tls: ssl.SSLContext | None, *, port: int = 0, state: MailServer | None = None) -> Iterator[MailServer]:
    """Serve SMTP on loopback: with `tls`, STARTTLS and a login are required."""
    state = state or MailServer()
    options: dict[str, Any] = {"tls_context": tls, "require_starttls": True, "auth_required": True} if tls else {}
    controller = Controller(
        state, hostname="127.0.0.1", port=port or _free_port(), authenticator=state.login, **options
    )
    controller.start()
    state.port = controller.port
    try:
        yield state
    finally:
        controller.stop()


def _free_port() -> int:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return int(result.getsockname()[1])


@dataclass
class Receiver:
    """Records what is posted; `status` is its answer, `hangs` until set."""

    port: int = 0
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: threading.Event | None = None
    posts: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def url(self, path: str = "hooks/a-secret-path") -> str:
        return f"https://{self.host}/{path}"


@contextmanager
def receiver(tls: ssl.SSLContext) -> Iterator[Receiver]:
    """Serve HTTPS on loopback."""
    state = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.paths.append(self.path)
            state.posts.append(json.loads(body) if body else {})
            hangs = state.hangs
            if hangs is not None and not hangs.wait(30):
                return
            self.send_response(state.status)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Be silent."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: Any) -> None:
            """Clients that give up are part of the tests."""

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        if state.hangs is not None:
            state.hangs.set()
        server.shutdown()
        thread.join()
        server.server_close()
