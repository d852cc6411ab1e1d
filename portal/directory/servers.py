"""Connections to the directory's servers: in order, verified, bounded in time; a dead server is skipped for a while."""

from __future__ import annotations

import math
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import urlsplit

import ldap3
import structlog
from ldap3.core import results
from ldap3.core.exceptions import LDAPException

from portal.errors import ConfigurationError, DirectoryUnavailable
from portal.settings import Ldap

log = structlog.get_logger()
Answer = TypeVar("Answer")

DEAD_FOR_S = 30.0

# RFC 4511, 4.1.9 and appendix A.2. A locked account or an expired password is reported as "unwilling".
REFUSALS = {
    results.RESULT_INVALID_CREDENTIALS,
    results.RESULT_NO_SUCH_OBJECT,
    results.RESULT_INVALID_DN_SYNTAX,
    results.RESULT_INAPPROPRIATE_AUTHENTICATION,
    results.RESULT_UNWILLING_TO_PERFORM,
}


class WrongPassword(Exception):
    """The directory rejected the credentials."""


class Servers:
    """Thread-safe: every connection is made, used and closed within one call."""

    def __init__(self, settings: Ldap, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Raise ConfigurationError if the CA file cannot be used."""
        self._settings = settings
        self._monotonic = monotonic
        self._dead_until: dict[str, float] = {}
        self._lock = threading.Lock()
        for url in settings.servers:
            _server(url, settings)

    def ask(self, dn: str, password: str, question: Callable[[ldap3.Connection], Answer]) -> Answer:
        """Put `question` to a server that answers, bound as `dn` (both empty: anonymously).

        A server that fails at any step is left alone for a while, and the next one is tried. Raises WrongPassword if
        the bind is refused, DirectoryUnavailable if no server answers.
        """
        failures = []
        for url in self._in_turn():
            try:
                answer = self._ask_one(url, dn, password, question)
            except (LDAPException, OSError) as error:
                reason = _reason(error)
                self._remember(url, dead=True)
                failures.append(f"{url}: {reason}")
                log.warning("directory.server_failed", server=url, error=reason)
                continue
            self._remember(url, dead=False)
            return answer
        raise DirectoryUnavailable(f"The directory does not answer ({'; '.join(failures)}).")

    def _in_turn(self) -> list[str]:
        """Return healthy servers in the settings' order, then recently failed ones: better late than no answer."""
        now = self._monotonic()
        with self._lock:
            dead = {url for url, until in self._dead_until.items() if until > now}
        return sorted(self._settings.servers, key=lambda url: url in dead)

    def _remember(self, url: str, *, dead: bool) -> None:
        with self._lock:
            if dead:
                self._dead_until[url] = self._monotonic() + DEAD_FOR_S
            else:
                self._dead_until.pop(url, None)

    def _ask_one(self, url: str, dn: str, password: str, question: Callable[[ldap3.Connection], Answer]) -> Answer:
        connection = ldap3.Connection(
            # A new object each time: ldap3's remembers for minutes that an address has failed.
            _server(url, self._settings),
            user=dn or None,
            password=password or None,
            authentication=ldap3.SIMPLE if dn else ldap3.ANONYMOUS,
            receive_timeout=math.ceil(self._settings.timeout_s),
            read_only=True,
            auto_referrals=False,
        )
        try:
            connection.open(read_server_info=False)
            # Without it StartTLS and bind wait for delayed acknowledgements: 48 ms instead of 3.5.
            connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._settings.start_tls and not url.startswith("ldaps:"):
                connection.start_tls(read_server_info=False)
            check_bind(connection, connection.bind(read_server_info=False))
            return question(connection)
        finally:
            _close(connection)


def check_bind(connection: ldap3.Connection, done: bool) -> None:
    """Raise WrongPassword or OSError unless the bind is `done`."""
    if done:
        return
    result = connection.result
    text = f"{result.get('description')} {result.get('message') or ''}".strip()
    if result.get("result") in REFUSALS:
        raise WrongPassword(text)
    raise OSError(f"refused the bind: {text}")


def _server(url: str, settings: Ldap) -> ldap3.Server:
    try:
        tls = ldap3.Tls(
            validate=ssl.CERT_REQUIRED,  # ldap3 verifies nothing by default
            ca_certs_file=str(settings.ca_file) if settings.ca_file else None,
            sni=urlsplit(url).hostname,
        )
    except LDAPException as error:
        hint = "Name a file with the CA's certificates in PEM, readable for the portal's account."
        raise ConfigurationError(
            f"ldap.ca_file: {settings.ca_file} cannot be used: {_reason(error)}.", hint=hint
        ) from error
    return ldap3.Server(url, tls=tls, get_info=ldap3.NONE, connect_timeout=settings.timeout_s)


def _close(connection: ldap3.Connection) -> None:
    with suppress(LDAPException, OSError):  # it was not open, or no longer is
        connection.unbind()
    if connection.socket is not None:  # ldap3 leaves it open when connecting or TLS has failed
        connection.socket.close()


def _reason(error: Exception) -> str:
    """ldap3 wraps causes in layers of quotes and brackets; the first line inside them is the useful one."""
    text = str(error).strip("(\"',) ").partition("\n")[0]
    return text[:200] or type(error).__name__
