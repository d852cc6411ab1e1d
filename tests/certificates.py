"""One TLS context for all HTTP clients of a test process: to read the system's certificates takes each one 25 ms of a
core, and tests make thousands of clients.
"""

from __future__ import annotations

import os
import ssl
from functools import cache

import httpcore2

_read = httpcore2.default_ssl_context


@cache
def _context(trust_env: bool, _file: str | None, _folder: str | None) -> ssl.SSLContext:
    return _read(_trust_env=trust_env)


def _default_ssl_context(*, _trust_env: bool = True) -> ssl.SSLContext:
    return _context(_trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


def read_once() -> None:
    httpcore2.default_ssl_context = _default_ssl_context
