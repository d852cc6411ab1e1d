"""The ways to an app that has no login: where it listens, so that nobody but the agent can connect.

`socket`: a Unix socket in the session's own folder. `private`: a port in a network of the app's own. `port`: a port of
the node, for an app that knows its caller by a secret.
"""

from __future__ import annotations

import array
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping

from . import ports
from .launch import agent_path
from .processes import descendants
from .readiness import ForeignListener

CONNECT_TIMEOUT_S = 5.0
PRIVATE_PORT = 8000  # in a network where nobody else listens
LONGEST_SOCKET_PATH = 100  # of 108 bytes, unix(7)


class Way:
    """One app's way; `values` fill its command, `before` stands before it, `keep` are descriptors it inherits."""

    values: Mapping[str, str]
    before: tuple[str, ...] = ()
    keep: tuple[int, ...] = ()

    def connect(self) -> socket.socket:
        """A connection to the app, blocking, with a timeout. Raises OSError."""
        raise NotImplementedError

    def vouch(self, pid: int) -> None:
        """Make sure that it is the app of process `pid` that would answer. Raises ForeignListener."""

    def started(self) -> None:
        """The app's process has what it inherits."""

    def close(self) -> None:
        """The app has ended."""


class SocketWay(Way):
    def __init__(self, folder: str) -> None:
        """`folder`: the session's own, which its user alone may enter."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if len(folder) > LONGEST_SOCKET_PATH - len("/app.sock"):
            self._folder = tempfile.TemporaryDirectory(prefix="dsp-", dir="/tmp")
            folder = self._folder.name
        self._path = os.path.join(folder, "app.sock")
        self.values = {"socket": self._path}

    def connect(self) -> socket.socket:
        return _connected(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), self._path)

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()


class PrivateWay(Way):
    """A helper in the app's network (see `private.py`) connects there, and hands the socket over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channel, self._inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.settimeout(CONNECT_TIMEOUT_S + 1)
        self.values = {"ip": "127.0.0.1", "port": str(PRIVATE_PORT)}
        self.keep = (self._inner.fileno(),)
        self.before = (sys.executable, agent_path(), "in-private-network", str(self._inner.fileno()))

    def connect(self) -> socket.socket:
        received = array.array("i")
        with self._lock:
            self._channel.send(self.values["port"].encode())
            answer, ancillary, _, _ = self._channel.recvmsg(200, socket.CMSG_SPACE(received.itemsize))
        if not ancillary:
            raise ConnectionRefusedError(answer.decode() or "the app's network is gone")
        received.frombytes(ancillary[0][2][: received.itemsize])
        made = socket.socket(fileno=received[0])
        made.settimeout(CONNECT_TIMEOUT_S)
        return made

    def started(self) -> None:
        self._inner.close()

    def close(self) -> None:
        self._inner.close()
        self._channel.close()


class PortWay(Way):
    def __init__(self, within: tuple[int, int]) -> None:
        self._port = ports.free_port("127.0.0.1", within)
        self.values = {"ip": "127.0.0.1", "port": str(self._port)}

    def connect(self) -> socket.socket:
        made = _connected(socket.socket(socket.AF_INET, socket.SOCK_STREAM), ("127.0.0.1", self._port))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def vouch(self, pid: int) -> None:
        found = ports.listeners("127.0.0.1", self._port)
        if found and not ports.owned_by(found, {pid, *descendants()}):
            raise ForeignListener(self._port)


def way(listen: str, folder: str, within: tuple[int, int]) -> Way:
    """The way for what the catalogue calls `listen`. Raises KeyError for another word, OSError."""
    makers: dict[str, Callable[[], Way]] = {
        "socket": lambda: SocketWay(folder),
        "private": PrivateWay,
        "port": lambda: PortWay(within),
    }
    return makers[listen]()


def _connected(connection: socket.socket, address: str | tuple[str, int]) -> socket.socket:
    connection.settimeout(CONNECT_TIMEOUT_S)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection
