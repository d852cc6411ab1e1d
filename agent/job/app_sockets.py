"""How the agent reaches an app that has no login: listening so that only the agent can connect.

`socket`: a Unix socket in the session's own folder. `private`: a port in the app's own network. `port`: a port of the
node, for an app that authenticates its caller by a secret.
"""

from __future__ import annotations

import array
import errno
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from . import ports
from .launch import agent_path
from .processes import descendants
from .readiness import ForeignListener

CONNECT_TIMEOUT_S = 5.0
PRIVATE_PORT = 8000  # in a network where nothing else listens
STOCK = 16
LONGEST_SOCKET_PATH = 100  # of 108 bytes, unix(7)


class AppSocket:
    """One app's connection method.

    `values` fill its command, `before` precedes it, `keep` are descriptors it inherits.
    """

    values: Mapping[str, str]
    before: tuple[str, ...] = ()
    keep: tuple[int, ...] = ()

    def connect(self, timeout_s: float = CONNECT_TIMEOUT_S) -> socket.socket:
        """Connect to the app; without a timeout only if it is possible at once, else BlockingIOError.

        Raises OSError.
        """
        raise NotImplementedError

    def vouch(self, pid: int) -> None:
        """Check that the app of process `pid` would answer. Raises ForeignListener."""

    def started(self) -> None:
        """Release what the app's process has inherited."""

    def close(self) -> None:
        """Clean up after the app has ended."""


class UnixSocket(AppSocket):
    def __init__(self, folder: str) -> None:
        """`folder`: the session's own, which only its user may enter."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if len(folder) > LONGEST_SOCKET_PATH - len("/app.sock"):
            self._folder = tempfile.TemporaryDirectory(prefix="dsp-", dir="/tmp")
            folder = self._folder.name
        self._path = os.path.join(folder, "app.sock")
        self.values = {"socket": self._path}

    def connect(self, timeout_s: float = CONNECT_TIMEOUT_S) -> socket.socket:
        return connected(socket.socket(socket.AF_UNIX), self._path, timeout_s)

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()


class PrivatePort(AppSocket):
    """A helper in the app's network (see `private.py`) creates sockets there and hands them over, some in advance."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stock: list[socket.socket] = []
        self._channel, self._inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.settimeout(CONNECT_TIMEOUT_S)
        self.values = {"ip": "127.0.0.1", "port": str(PRIVATE_PORT)}
        self.keep = (self._inner.fileno(),)
        self.before = (sys.executable, agent_path(), "in-private-network", str(self._inner.fileno()))

    def connect(self, timeout_s: float = CONNECT_TIMEOUT_S) -> socket.socket:
        return connected(self._socket(may_wait=timeout_s > 0), ("127.0.0.1", PRIVATE_PORT), timeout_s)

    def _socket(self, *, may_wait: bool) -> socket.socket:
        while True:
            with suppress(IndexError):
                return self._stock.pop()
            if not may_wait:
                raise BlockingIOError
            with self._lock:
                if not self._stock:
                    self._stock_up()

    def _stock_up(self) -> None:
        received = array.array("i")
        self._channel.send(str(STOCK).encode())
        answer, ancillary, _, _ = self._channel.recvmsg(200, socket.CMSG_SPACE(STOCK * received.itemsize))
        if not ancillary:
            raise ConnectionRefusedError(answer.decode() or "the app's network is gone")
        received.frombytes(ancillary[0][2][: STOCK * received.itemsize])
        self._stock += [socket.socket(fileno=number) for number in received]

    def started(self) -> None:
        self._inner.close()

    def close(self) -> None:
        self._inner.close()
        self._channel.close()
        while self._stock:
            self._stock.pop().close()


class NodePort(AppSocket):
    def __init__(self, within: tuple[int, int]) -> None:
        self._port = ports.free_port("127.0.0.1", within)
        self.values = {"ip": "127.0.0.1", "port": str(self._port)}

    def connect(self, timeout_s: float = CONNECT_TIMEOUT_S) -> socket.socket:
        return connected(socket.socket(socket.AF_INET), ("127.0.0.1", self._port), timeout_s)

    def vouch(self, pid: int) -> None:
        if ports.is_theirs("127.0.0.1", self._port, lambda: {pid, *descendants()}) is False:
            raise ForeignListener(self._port)


def app_socket(listen: str, folder: str, within: tuple[int, int]) -> AppSocket:
    """Return the connection method for the catalogue's `listen`. Raises KeyError for an unknown value, OSError."""
    makers: dict[str, Callable[[], AppSocket]] = {
        "socket": lambda: UnixSocket(folder),
        "private": PrivatePort,
        "port": lambda: NodePort(within),
    }
    return makers[listen]()


def connected(socket: socket.socket, address: str | tuple[str, int], timeout_s: float) -> socket.socket:
    """Connect the socket; without a timeout it may still be connecting, and data sent waits for that.

    Raises OSError.
    """
    socket.settimeout(timeout_s)
    try:
        socket.connect(address)
    except OSError as error:
        if error.errno != errno.EINPROGRESS:
            socket.close()
            raise
    return socket
