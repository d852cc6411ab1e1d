"""How many bytes this user's TCP connections on the node have carried, from the kernel's own counters (sock_diag(7)).

Ordinary users may read them. Closed connections are no longer counted.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import Iterator

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLM_F_REQUEST, NLM_F_DUMP = 0x1, 0x300
INET_DIAG_INFO = 2
HEADER = struct.Struct("=IHHII")
ATTRIBUTE = struct.Struct("=HH")
REQUEST = struct.Struct("=BBBBI48x")
#: Of struct inet_diag_msg: source port, destination port, cookie; then uid and inode.
COOKIE = slice(44, 52)
IDS = struct.Struct("=II")
IDS_AT, MESSAGE_SIZE = 64, 72
#: Of struct tcp_info: tcpi_bytes_acked and tcpi_bytes_received (Linux 4.1).
CARRIED = struct.Struct("=QQ")
CARRIED_AT = 120
ROOM = 1 << 16
TIMEOUT_S = 2.0


def carried(uid: int | None = None) -> dict[bytes, int]:
    """Return the bytes sent and received by each connection, by the kernel's cookie for it. Raises OSError."""
    mine = os.getuid() if uid is None else uid
    counts: dict[bytes, int] = {}
    for family in (socket.AF_INET, socket.AF_INET6):
        for message in _dump(family):
            if IDS.unpack_from(message, IDS_AT)[0] == mine and (count := _bytes_of(message)) is not None:
                counts[message[COOKIE]] = count
    return counts


def _dump(family: int) -> Iterator[bytes]:
    request = REQUEST.pack(family, socket.IPPROTO_TCP, 1 << (INET_DIAG_INFO - 1), 0, 0xFFFFFFFF)
    header = HEADER.pack(HEADER.size + len(request), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(TIMEOUT_S)
        kernel.sendto(header + request, (0, 0))
        while True:
            piece = kernel.recv(ROOM)
            at = 0
            while at + HEADER.size <= len(piece):
                size, kind = HEADER.unpack_from(piece, at)[:2]
                if kind == NLMSG_DONE:
                    return
                if kind == NLMSG_ERROR or size < HEADER.size:
                    raise OSError("the kernel does not list connections")
                if size >= HEADER.size + MESSAGE_SIZE:
                    yield piece[at + HEADER.size : at + size]
                at += (size + 3) & ~3


def _bytes_of(message: bytes) -> int | None:
    at = MESSAGE_SIZE
    while at + ATTRIBUTE.size <= len(message):
        size, kind = ATTRIBUTE.unpack_from(message, at)
        if size < ATTRIBUTE.size:
            return None
        info = message[at + ATTRIBUTE.size : at + size]
        if kind == INET_DIAG_INFO and len(info) >= CARRIED_AT + CARRIED.size:
            sent, received = CARRIED.unpack_from(info, CARRIED_AT)
            return int(sent + received)
        at += (size + 3) & ~3
    return None
