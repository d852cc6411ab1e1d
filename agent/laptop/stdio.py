"""`portal ssh --stdio NAME`: the connection to a session, between standard input and output, as ssh's ProxyCommand."""

from __future__ import annotations

import base64
import os
import secrets
import select
import socket
import ssl
import sys
import threading
import time
from typing import Any, NoReturn
from urllib.parse import urlsplit

from . import hosts, sessions, web
from .api import call, sentence
from .device import Device
from .errors import Failure, NotLoggedIn
from .frames import BINARY, CLOSE, PING, PONG, TEXT, BrokenFrames, Frames, close_reason, head, message

PIECE = 262_144
ROOM = 16
PING_S = 20.0
SILENT_S = 90.0
MOST_HEAD = 65_536
LOGIN = "This device's login has expired or was revoked, or is not for this session. Run: portal login"


def run(device: Device, name: str) -> int:
    """Connect standard input and output to the session's SSH server, until either ends. Raises Failure."""
    session = sessions.find(device, name)
    connection, host_key, rest = dial(sessions.base_url(device, session), device.token, hosts.public_key())
    host = name if name.endswith(sessions.DOMAIN) else sessions.alias(session) + sessions.DOMAIN
    hosts.remember_host_key(host, host_key)
    ended = Pump(connection, rest).run()
    if ended is None:
        ended = _how_it_ended(device, str(session["id"]))
    if ended:
        tell(ended)
    return 0


def dial(url: str, token: str, key: str) -> tuple[socket.socket, str, bytes]:
    """Open the websocket; return its connection, the session's host key, and what came after. Raises Failure."""
    opened = web.open_to(f"{url}.portal/ssh")
    nonce = base64.b64encode(secrets.token_bytes(16)).decode()
    try:
        opened.connect()
    except OSError as error:
        raise Failure(web.no_answer(url, error)) from error
    connection = opened.sock
    request = (
        f"GET {urlsplit(url).path}.portal/ssh HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {nonce}\r\nAuthorization: token {token}\r\nPortal-Ssh-Key: {key}\r\n\r\n"
    )
    try:
        connection.sendall(request.encode())
        status, headers, rest = _answer(connection)
    except OSError as error:
        raise Failure(web.no_answer(url, error)) from error
    if status != 101:
        _refuse(status, connection, headers, rest)
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection, headers.get("portal-ssh-host-key", ""), rest


def _answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read the head of the answer. Raises Failure, OSError."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        data += piece
        if not piece or len(data) > MOST_HEAD:
            raise Failure("The session's answer cannot be read. Try again in a minute.")
    text, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = text.decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split(" ")[1]), headers, rest


def _refuse(status: int, connection: socket.socket, headers: dict[str, str], rest: bytes) -> NoReturn:
    if status in (301, 302, 303, 307, 401, 403):
        raise NotLoggedIn(LOGIN)
    wanted = min(int(headers.get("content-length") or 0), MOST_HEAD)
    while len(rest) < wanted and (piece := connection.recv(4096)):
        rest += piece
    if said := sentence(rest):
        raise Failure(said)
    if status == 404:
        raise Failure("This session has no SSH: it has ended, is not yours, or was started before the site had SSH.")
    raise Failure(f"The session answered HTTP {status}. Try again in a minute.")


def tell(text: str) -> None:
    """Tell the user, whose terminal may be in raw mode."""
    sys.stderr.write(f"\r\nportal: {text}\r\n")
    sys.stderr.flush()


def _how_it_ended(device: Device, session_id: str) -> str:
    """Ask the portal why the connection was lost."""
    try:
        session: Any = call(device, f"/sessions/{session_id}")
    except Failure as error:
        return f"The connection was lost. {error}"
    if session["state"] in ("stopping", "ended"):
        end = session.get("end") or {}
        return str(end.get("text") or session.get("reason") or "The session has ended.")
    return "The connection was lost; the session is still running. Connect again."


class Pump:
    """Passes bytes both ways. The other side reads and writes at the same time, so this side may block in either."""

    def __init__(self, connection: socket.socket, rest: bytes) -> None:
        self._connection = connection
        self._rest = rest
        self._frames = Frames(masked=False)
        self._source = _standard_input()
        self._buffer = bytearray(ROOM + PIECE)
        self._view = memoryview(self._buffer)
        self._incoming = memoryview(bytearray(PIECE))
        self._heard_at = self._pinged_at = time.monotonic()
        self._ended: str | None = None
        self._over = False

    def run(self) -> str | None:
        """Return the other side's sentence, empty if it closed without one, None if the connection was lost."""
        try:
            if self._rest:
                self._take(memoryview(self._rest))
            while not self._over:
                self._step()
        except (OSError, BrokenFrames):
            pass
        return self._ended

    def _step(self) -> None:
        waiting = isinstance(self._connection, ssl.SSLSocket) and self._connection.pending() > 0
        wanted = [self._connection, self._source]
        ready = [self._connection] if waiting else select.select(wanted, [], [], PING_S)[0]
        now = time.monotonic()
        if self._connection in ready:
            count = self._connection.recv_into(self._incoming)
            self._heard_at = now
            if not count:
                self._over = True
                return
            self._take(self._incoming[:count])
        if self._source in ready:
            self._give()
        if now - self._heard_at > SILENT_S:
            self._over = True
        elif now - max(self._heard_at, self._pinged_at) >= PING_S:
            self._pinged_at = now
            self._connection.sendall(message(PING, masked=True))

    def _give(self) -> None:
        """Send what ssh writes; the head goes right before the piece in one buffer."""
        count = self._read()
        if not count:
            self._over, self._ended = True, ""
            return
        start = head(BINARY, count, masked=True)
        begin = ROOM - len(start)
        self._buffer[begin:ROOM] = start
        self._connection.sendall(self._view[begin : ROOM + count])

    def _read(self) -> int:
        if isinstance(self._source, socket.socket):
            return self._source.recv_into(self._view[ROOM:])
        return os.readv(self._source, [self._view[ROOM:]])

    def _take(self, data: memoryview) -> None:
        for kind, piece in self._frames.feed(data):
            if kind == BINARY:
                _write(piece)
            elif kind == TEXT:
                tell(bytes(piece).decode("utf-8", "replace"))
            elif kind == PING:
                self._connection.sendall(message(PONG, bytes(piece), masked=True))
            elif kind == CLOSE:
                self._over, self._ended = True, close_reason(piece)
                return


def _write(data: memoryview) -> None:
    while data:
        data = data[os.write(1, data) :]


def _standard_input() -> Any:
    """Return what `select` can wait for: on Windows a thread copies standard input to a socket."""
    if os.name != "nt":
        _widen(0, 1)
        return 0
    ours, theirs = socket.socketpair()

    def copy() -> None:
        while data := os.read(0, PIECE):
            theirs.sendall(data)
        theirs.close()

    threading.Thread(target=copy, daemon=True).start()
    return ours


def _widen(*descriptors: int) -> None:
    """Ask Linux for pipes of more than 64 KiB."""
    try:
        import fcntl

        for descriptor in descriptors:
            fcntl.fcntl(descriptor, 1031, 1 << 20)  # F_SETPIPE_SZ
    except (ImportError, OSError):
        pass
