"""What sites on one machine share: slots and ports, each claimed by one site for as long as it lives.

A claim is a lock on an open file; the site's first process inherits it, and the kernel drops it when that process ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct
from pathlib import Path

from demo.site import FIRST_PORTS, PORTS_PER_SLOT, SLOTS, SiteError

LOCKS = Path("/run")


class Claims:
    """The claims of one site. Raises SiteError if nothing is free or a requested port is taken."""

    def __init__(self, folder: Path = LOCKS) -> None:
        self._folder = folder
        self._ports: set[int] = set()
        self._port_locks = self._open("ports")
        self._files = [self._port_locks]

    @property
    def files(self) -> list[int]:
        """Descriptors that hold the claims while any process has them open."""
        return [*self._files]

    def close(self) -> None:
        """Close this process's descriptors; a process that inherited them keeps the claims."""
        while self._files:
            os.close(self._files.pop())

    def slot(self) -> int:
        """Claim the first slot that no other running site has."""
        for slot in range(SLOTS):
            lock = self._open(f"{slot}.lock")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self._files.append(lock)
            return slot
        raise SiteError(f"{SLOTS} demo sites run on this machine already.", advice="Stop one of them: ./dev stop")

    def front_port(self, port: int) -> int:
        """Claim the port that browsers use; 0 is any free one."""
        if port == 0:
            while not self._claim(port := _any_port()):
                pass
        elif not self._claim(port):
            raise _taken(port)
        return port

    def inner_ports(self, slot: int) -> dict[str, int]:
        """Claim a port for every inner service: the usual one plus the slot's offset, or the next free one."""
        ports: dict[str, int] = {}
        for name, first in FIRST_PORTS.items():
            port = first + slot * PORTS_PER_SLOT
            while not self._claim(port):
                port += 1
            ports[name] = port
        return ports

    def _claim(self, port: int) -> bool:
        """Claim a port unless another site has claimed it (and may not listen yet) or any program listens on it."""
        if port in self._ports or not _lock_byte(self._port_locks, port) or not is_free(port):
            return False
        self._ports.add(port)
        return True

    def _open(self, name: str) -> int:
        return os.open(self._folder / f"portal-demo.{name}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _lock_byte(file: int, offset: int) -> bool:
    """Lock one byte for this open file description (fcntl(2), F_OFD_SETLK), which children share, unlike lockf."""
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, offset, 1, 0))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def require_free(port: int) -> None:
    """Raise SiteError if something already listens on the port."""
    if not is_free(port):
        raise _taken(port)


def _taken(port: int) -> SiteError:
    return SiteError(
        f"Port {port} is taken by another program.",
        advice=f"Take another with --port (0: any free one), or find the program with: ss -ltnp 'sport = :{port}'",
    )


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise
    return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
