"""Resolves names that end in `.localhost` to this machine (RFC 6761, 6.3): browsers do, the C library often does
not.
"""

from __future__ import annotations

import socket
from typing import Any

_ask_the_system = socket.getaddrinfo


def _getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
    if isinstance(host, str | bytes) and (host if isinstance(host, str) else host.decode()).endswith(".localhost"):
        host = "127.0.0.1"
    return _ask_the_system(host, *arguments, **options)


def know_localhost() -> None:
    """Make every client of this process resolve them."""
    socket.getaddrinfo = _getaddrinfo
