"""Ports of this node: find a free one, and find whose socket listens on one (proc(5), /proc/net/tcp)."""

from __future__ import annotations

import os
import random
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LISTEN = "0A"
ESTABLISHED = "01"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to recognise, not to bind
TRIES = 100


class Socket(NamedTuple):
    state: str
    ip: str
    port: int
    uid: int
    inode: int


def own_address(portal: tuple[str, int]) -> str:
    """Return this node's address on the route to the portal. Sends no packet: connecting a UDP socket only routes."""
    for family, kind, protocol, _, address in socket.getaddrinfo(*portal, type=socket.SOCK_DGRAM):
        with socket.socket(family, kind, protocol) as probe:
            try:
                probe.connect(address)
            except OSError:
                continue
            return str(probe.getsockname()[0])
    return "127.0.0.1"


def free_port(ip: str, ports: tuple[int, int]) -> int:
    """Return a port of the range that is free just now. Raises OSError if a hundred tries find none."""
    low, high = ports
    for _ in range(TRIES):
        port = random.randint(low, high)  # noqa: S311 - to spread, not to hide
        with socket.socket(family_of(ip), socket.SOCK_STREAM) as probe:
            try:
                probe.bind((ip, port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port between {low} and {high} on {ip}")


def is_free(ip: str, port: int) -> bool:
    """Return whether a server could listen there; connections of an earlier server do not matter."""
    with socket.socket(family_of(ip), socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ip, port))
        except OSError:
            return False
        return True


def family_of(ip: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in ip else socket.AF_INET


def tcp_sockets(proc: Path = Path("/proc")) -> Iterator[Socket]:
    """List the node's TCP sockets as the kernel reports them."""
    for name in ("tcp", "tcp6"):
        try:
            lines = (proc / "net" / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            address, _, port = fields[1].rpartition(":")
            yield Socket(fields[3], _address(address), int(port, 16), int(fields[7]), int(fields[9]))


def listeners(ip: str, port: int, proc: Path = Path("/proc")) -> set[Socket]:
    """Return the sockets that would answer a connection to ip:port."""
    answering = {ip, f"::ffff:{ip}", *EVERYWHERE}
    return {
        tcp_socket
        for tcp_socket in tcp_sockets(proc)
        if tcp_socket.state == LISTEN and tcp_socket.port == port and tcp_socket.ip in answering
    }


def is_theirs(ip: str, port: int, pids: Callable[[], Iterable[int]]) -> bool | None:
    """Return whether one of these processes listens on ip:port; None: nobody does.

    `pids` is called after the sockets were read, so that it knows the process of each.
    """
    found = listeners(ip, port)
    if owned_by(found, pids()):
        return True
    # A process that has ended since then owns nothing, and its socket is gone, too.
    return False if found & listeners(ip, port) else None


def connections(port: int, proc: Path = Path("/proc")) -> int:
    """Count the open connections to the port."""
    return sum(1 for tcp_socket in tcp_sockets(proc) if tcp_socket.state == ESTABLISHED and tcp_socket.port == port)


def owned_by(sockets: Iterable[Socket], pids: Iterable[int], proc: Path = Path("/proc")) -> bool:
    """Return whether one of these processes holds one of these sockets."""
    wanted = {f"socket:[{socket.inode}]" for socket in sockets}
    for pid in pids:
        folder = proc / str(pid) / "fd"
        try:
            for descriptor in os.listdir(folder):
                if os.readlink(folder / descriptor) in wanted:
                    return True
        except OSError:
            continue
    return False


def _address(text: str) -> str:
    """Decode an address; the kernel writes it as 32-bit words in host byte order."""
    words = [int(text[at : at + 8], 16) for at in range(0, len(text), 8)]
    raw = struct.pack(f"={len(words)}I", *words)
    return socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw)
