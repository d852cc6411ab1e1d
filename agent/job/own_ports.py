"""The TCP ports on which the session's own processes listen, and connections that reach these processes alone.

Nodes are shared: another user's program may listen on the same number, or take it over at any moment. Each connection
is checked twice. The sockets that answer there must belong to this session before connecting, and be the same sockets
afterwards: then nobody else can have listened in between.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import ports
from .app_sockets import connected

MOST_LISTED = 64
FIRST_EPHEMERAL = 32768
KERNEL_FILES = "kernel-*.json"
NAME_LENGTH = 64


class OwnPorts:
    FIRST_PORT = 1024
    """The first one that opens: those below belong to the system."""

    def __init__(self, pids: Callable[[], Iterable[int]], runtime: Path, *, proc: Path = Path("/proc")) -> None:
        """`pids`: the session's processes, without this one. `runtime`: Jupyter's folder with its kernels' ports."""
        self._pids = pids
        self._runtime = runtime
        self._proc = proc
        self.reserved: Callable[[], int] = lambda: 0
        """Returns the port of the session itself."""

    def listed(self) -> list[dict[str, Any]]:
        """Return the ports, each with its process's name, in order; kernels' internal ports are left out."""
        holders, internal = self._holders(), self._internal()
        found: dict[int, str] = {}
        for listener in self._listeners():
            pid = holders.get(listener.inode)
            if pid is None or listener.port < self.FIRST_PORT or listener.port in internal or listener.port in found:
                continue
            words = self._command(pid)
            if listener.port >= FIRST_EPHEMERAL and _is_kernel(words):
                continue  # pyzmq's and the debugger's: they are in no file
            found[listener.port] = self._name(pid, words)
        return [{"port": port, "process": found[port]} for port in sorted(found)[:MOST_LISTED]]

    def seen(self) -> frozenset[int]:
        """Return what changes when a program of this user starts or stops listening; much cheaper than `listed`."""
        user = os.getuid()
        return frozenset(listener.inode for listener in self._listeners() if listener.uid == user)

    def is_internal(self, port: int) -> bool:
        """Return whether the port belongs to Jupyter, one of its kernels or the session's proxy."""
        return port in self._internal()

    def connect(self, port: int, timeout_s: float) -> socket.socket:
        """Connect to the session's own process on `port`; without a timeout, raise BlockingIOError.

        Raises ConnectionRefusedError if nothing listens there, PermissionError if a program outside this session does,
        OSError.
        """
        if timeout_s <= 0:
            raise BlockingIOError
        listeners = [listener for listener in self._listeners() if listener.port == port]
        if not listeners:
            raise ConnectionRefusedError(f"nothing listens on {port}")
        refused: OSError = PermissionError(f"{port} belongs to another program")
        for ip in _addresses(listeners):
            answering = self._answering(ip, port)
            if not self._all_ours(answering):
                continue
            try:
                connection = connected(socket.socket(ports.family_of(ip), socket.SOCK_STREAM), (ip, port), timeout_s)
            except OSError as error:
                refused = error
                continue
            if self._answering(ip, port) == answering and self._all_ours(answering):
                return connection
            connection.close()
            refused = PermissionError(f"{port} has just changed hands")
        raise refused

    def _answering(self, ip: str, port: int) -> frozenset[int]:
        """Return the inodes of all sockets that might answer a connection to ip:port."""
        wanted = {ip, "::"} if ":" in ip else {ip, f"::ffff:{ip}", *ports.EVERYWHERE}
        return frozenset(at.inode for at in self._listeners() if at.port == port and at.ip in wanted)

    def _all_ours(self, inodes: frozenset[int]) -> bool:
        return bool(inodes) and inodes <= self._holders().keys()

    def _listeners(self) -> list[ports.Socket]:
        """Return the sockets that listen on loopback or on all addresses."""
        return [
            found
            for found in ports.tcp_sockets(self._proc)
            if found.state == ports.LISTEN and (found.ip in (*ports.EVERYWHERE, "::1") or _is_loopback(found.ip))
        ]

    def _holders(self) -> dict[int, int]:
        """Return the sockets that the session's processes hold: inode → process."""
        holders: dict[int, int] = {}
        for pid in self._pids():
            folder = self._proc / str(pid) / "fd"
            with suppress(OSError):
                for descriptor in os.listdir(folder):
                    with suppress(OSError):
                        target = os.readlink(folder / descriptor)
                        if target.startswith("socket:["):
                            holders.setdefault(int(target[8:-1]), pid)
        return holders

    def _internal(self) -> set[int]:
        internal = {self.reserved()}
        for path in self._runtime.glob(KERNEL_FILES):
            with suppress(OSError, ValueError, AttributeError):
                connection = json.loads(path.read_text())
                internal |= {number for name, number in connection.items() if name.endswith("_port")}
        return internal

    def _command(self, pid: int) -> list[str]:
        try:
            return (self._proc / str(pid) / "cmdline").read_text(errors="replace").split("\0")[:-1]
        except OSError:
            return []

    def _name(self, pid: int, words: list[str]) -> str:
        """Return what a person calls the process: for an interpreter, the module or script that it runs."""
        try:
            name = (self._proc / str(pid) / "comm").read_text(errors="replace").strip()
        except OSError:
            name = ""
        if name.startswith("python"):
            script = next((word for word in words[1:] if not word.startswith("-")), "")
            name = os.path.basename(script) or name
        return "".join(c for c in name if c.isprintable())[:NAME_LENGTH]


def _addresses(listeners: Iterable[ports.Socket]) -> list[str]:
    """Return where to try to connect, without duplicates."""
    found: dict[str, None] = {}
    for listener in listeners:
        if listener.ip == "::":
            found.update({"::1": None, "127.0.0.1": None})
        elif listener.ip == "0.0.0.0":  # noqa: S104 - to recognise, not to bind
            found["127.0.0.1"] = None
        else:
            found[listener.ip.replace("::ffff:", "")] = None
    return list(found)


def _is_loopback(ip: str) -> bool:
    return ip.startswith(("127.", "::ffff:127."))


def _is_kernel(words: list[str]) -> bool:
    return any(os.path.basename(word).startswith("kernel-") and word.endswith(".json") for word in words)
