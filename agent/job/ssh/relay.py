"""One SSH connection: `agent.pyz serve-ssh CLIENT HOLDER`, a process of its own inside the session's environment.

CLIENT is the file descriptor of the client's connection, whose websocket request has been read and checked. HOLDER is
the descriptor of a socket to the process that checked it: if that process closes the socket, the connection ends, and a
byte from here tells that process that the connection is in use. Standard input brings a line of JSON that says what to
serve, then sentences for the user; its end ends the connection.
"""

from __future__ import annotations

import base64
import grp
import hashlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import Any

from . import command
from .frames import (
    BINARY,
    CLOSE,
    GOING_AWAY,
    PING,
    PONG,
    PROTOCOL_ERROR,
    TEXT,
    BrokenFrames,
    Frames,
    closing,
    head,
    message,
)

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
PIECE = 262_144
ROOM = 16  # for a frame's head
USED_EVERY_S = 30.0
#: A client that is silent this long is pinged, and after as many pings in vain taken for lost. sshd's own keepalives
#: would look like use.
PING_S = 60
MOST_PINGS = 5
USED = "used"
LOGIN_ENDED = "Your login has ended, or was revoked. Run `portal login`."
APP_ENDED = "The session's app has ended."
NO_TERMINALS = (
    "This node cannot open terminals over SSH, because its /dev/pts is mounted without the group tty (gid=5). "
    "Commands, copies and ports work. Tell the administrators."
)
#: Of the job or of the agent alone.
NOT_KEPT = frozenset(["JPY_PARENT_PID", "SHLVL", "_", "PWD", "OLDPWD", "TERM"])
SETTINGS = """\
HostKey "{host_key}"
AuthorizedKeysFile "{keys}"
AuthenticationMethods publickey
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
HostbasedAuthentication no
PermitRootLogin no
UsePAM no
StrictModes no
PermitUserEnvironment no
PermitUserRC no
AllowUsers {user}
AcceptEnv LANG LC_*
AllowTcpForwarding yes
AllowStreamLocalForwarding yes
AllowAgentForwarding yes
GatewayPorts no
PermitTunnel no
PermitTTY {terminals}
X11Forwarding no
PrintMotd no
PrintLastLog no
UseDNS no
PidFile none
LoginGraceTime 30
LogLevel ERROR
Subsystem sftp {sftp}
ForceCommand "{python}" -I "{agent}" ssh-command "{folder}"
"""


def serve(arguments: list[str]) -> int:
    """Serve one connection until either side ends it."""
    client = socket.socket(fileno=int(arguments[0]))
    holder = socket.socket(fileno=int(arguments[1]))
    client.setblocking(True)
    holder.setblocking(True)
    if client.family != socket.AF_UNIX:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    orders = json.loads(sys.stdin.readline())
    folder = tempfile.mkdtemp(prefix="connection-", dir=orders["folder"])
    try:
        ours, theirs = socket.socketpair()
        terminals = has_terminals()
        with theirs:
            sshd = _start(orders, folder, theirs, terminals)
        relay = Relay(
            client,
            holder,
            ours,
            accept=orders["accept"],
            host_key=orders["host_key"],
            mark=os.path.join(orders["folder"], USED),
        )
        relay.run("" if terminals else NO_TERMINALS)
        sshd.terminate()
        sshd.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def has_terminals() -> bool:
    """Return whether sshd, which is not root, could open a terminal: its device must have the group `tty`."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        return False
    try:
        return os.fstat(theirs).st_gid == grp.getgrnam("tty").gr_gid
    except KeyError:
        return True  # without such a group, sshd does not require it
    finally:
        os.close(ours)
        os.close(theirs)


def _start(orders: dict[str, Any], folder: str, connection: socket.socket, terminals: bool) -> subprocess.Popen[bytes]:
    """Start an sshd for this connection. Raises OSError."""
    keys = _write(folder, "keys", orders["key"] + "\n")
    kept = {
        "environment": {name: value for name, value in os.environ.items() if name not in NOT_KEPT},
        "image": orders["image"],
        "folder": os.getcwd(),
    }
    _write(folder, command.ENVIRONMENT, json.dumps(kept))
    settings = SETTINGS.format(
        host_key=os.path.join(orders["folder"], "host_key"),
        keys=keys,
        user=orders["user"],
        sftp=command.SFTP,
        terminals="yes" if terminals else "no",
        python=sys.executable,
        agent=os.path.abspath(sys.argv[0]),
        folder=folder,
    )
    argv = [orders["sshd"], "-i", "-e", "-f", _write(folder, "sshd_config", settings)]
    return subprocess.Popen(argv, stdin=connection.fileno(), stdout=connection.fileno(), cwd="/")


def _write(folder: str, name: str, text: str) -> str:
    path = os.path.join(folder, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    return path


class Relay:
    """Passes bytes both ways, with a thread for each, so that neither waits for the other."""

    def __init__(
        self,
        client: socket.socket,
        holder: socket.socket,
        sshd: socket.socket,
        *,
        accept: str,
        host_key: str,
        mark: str,
    ) -> None:
        """`mark`: a file that is written to when the connection is used."""
        self._client = client
        self._holder = holder
        self._sshd = sshd
        self._mark = mark
        self._sending = threading.Lock()
        self._used_at = 0.0
        self._ended = threading.Event()
        digest = base64.b64encode(hashlib.sha1(accept.encode() + GUID).digest()).decode()  # noqa: S324 - RFC 6455
        self._greeting = (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {digest}\r\nPortal-Ssh-Host-Key: {host_key}\r\n\r\n"
        ).encode()

    def run(self, note: str = "") -> None:
        """Relay until either side ends, the login ends, or the agent says so; `note` is for the user."""
        signal.signal(signal.SIGTERM, lambda *_: self._close("The session has ended."))
        try:
            self._client.sendall(self._greeting + (message(TEXT, note.encode()) if note else b""))
        except OSError:
            return
        for work in (self._up, self._down, self._hold, self._listen):
            threading.Thread(target=work, daemon=True).start()
        while not self._ended.wait(1.0):  # signals are handled between the waits
            pass
        for connection in (self._client, self._sshd):  # sshd may miss SIGTERM, but not the end of its connection
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _up(self) -> None:
        """Pass on what the client sends."""
        frames = Frames(masked=True)
        buffer = memoryview(bytearray(PIECE))
        try:
            self._client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", PING_S, 0))
            while count := self._receive(buffer):
                for kind, data in frames.feed(buffer[:count]):
                    if kind == BINARY:
                        self._sshd.sendall(data)
                        self._used()
                    elif kind == PING:
                        self._send(message(PONG, bytes(data)))
                    elif kind == CLOSE:
                        return
        except OSError:
            pass
        except BrokenFrames as error:
            self._send(message(CLOSE, closing(PROTOCOL_ERROR, str(error))))
        finally:
            self._ended.set()

    def _receive(self, buffer: memoryview) -> int:
        """Return the count of bytes received; 0 if the client has closed the connection or is lost."""
        for _ in range(MOST_PINGS + 1):
            try:
                return self._client.recv_into(buffer)
            except BlockingIOError:  # noqa: PERF203 - once a minute
                self._send(message(PING))
        return 0

    def _down(self) -> None:
        """Pass on what sshd sends: the head goes right before the piece in one buffer."""
        buffer = bytearray(ROOM + PIECE)
        view = memoryview(buffer)
        try:
            while count := self._sshd.recv_into(view[ROOM:]):
                start = head(BINARY, count, masked=False)
                begin = ROOM - len(start)
                buffer[begin:ROOM] = start
                self._used()
                self._send(view[begin : ROOM + count])
            self._send(message(CLOSE, closing(1000)))
        except OSError:
            pass
        finally:
            self._ended.set()

    def _hold(self) -> None:
        """End when the process that checked the login exits, or says that the login has ended."""
        last = b""
        with suppress(OSError):
            while heard := self._holder.recv(64):
                last = heard
        self._close(LOGIN_ENDED if last == b"login" else APP_ENDED)

    def _listen(self) -> None:
        """Pass the agent's messages to the user until the agent ends the connection."""
        for line in sys.stdin:
            with suppress(ValueError, OSError):
                told = json.loads(line)
                if "end" in told:
                    self._close(str(told["end"]))
                    return
                self._send(message(TEXT, str(told["say"]).encode()[:1000]))
        self._close("The session has ended.")

    def _close(self, reason: str) -> None:
        if not self._ended.is_set():
            if self._sending.acquire(timeout=1.0):  # but do not wait for a client that reads nothing
                try:
                    with suppress(OSError):
                        self._client.settimeout(1.0)
                        self._client.sendall(message(CLOSE, closing(GOING_AWAY, reason)))
                finally:
                    self._sending.release()
            self._ended.set()

    def _send(self, data: Any) -> None:
        with self._sending:
            self._client.sendall(data)

    def _used(self) -> None:
        now = time.monotonic()
        if now - self._used_at > USED_EVERY_S:
            self._used_at = now
            with suppress(OSError):
                self._holder.send(b".")
            with suppress(OSError), open(self._mark, "w"):
                pass  # its modification time is when somebody last used SSH
