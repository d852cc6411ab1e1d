"""The LDAP client, built on ldap3: verified, bounded in time, with a new connection each time."""

from __future__ import annotations

import math
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import ldap3
from ldap3.core import results
from ldap3.core.exceptions import LDAPException
from ldap3.utils.conv import escape_filter_chars
from ldap3.utils.dn import escape_rdn, parse_dn

from portal.directory.client import Attributes, WrongPassword
from portal.errors import ConfigurationError
from portal.settings import Ldap

PIECE = 500
PAGED_RESULTS = "1.2.840.113556.1.4.319"  # RFC 2696

# RFC 4511, 4.1.9 and appendix A.2. A locked account or an expired password is reported as "unwilling".
REFUSALS = {
    results.RESULT_INVALID_CREDENTIALS,
    results.RESULT_NO_SUCH_OBJECT,
    results.RESULT_INVALID_DN_SYNTAX,
    results.RESULT_INAPPROPRIATE_AUTHENTICATION,
    results.RESULT_UNWILLING_TO_PERFORM,
}


class Ldap3Client:
    """Implements Client."""

    def __init__(self, settings: Ldap) -> None:
        """Raise ConfigurationError if the CA file cannot be used."""
        self._settings = settings
        for url in settings.servers:
            self._server(url)

    @contextmanager
    def connect(self, url: str, dn: str, password: str) -> Iterator[Ldap3Connection]:
        connection = ldap3.Connection(
            # A new object each time: ldap3's remembers for minutes that an address has failed.
            self._server(url),
            user=dn or None,
            password=password or None,
            authentication=ldap3.SIMPLE if dn else ldap3.ANONYMOUS,
            receive_timeout=math.ceil(self._settings.timeout_s),
            read_only=True,
            auto_referrals=False,
        )
        try:
            with _as_os_errors():
                connection.open(read_server_info=False)
                # Without it StartTLS and bind wait for delayed acknowledgements: 48 ms instead of 3.5.
                connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._settings.start_tls and not url.startswith("ldaps:"):
                    connection.start_tls(read_server_info=False)
                _check_bind(connection, connection.bind(read_server_info=False))
            yield Ldap3Connection(url, connection)
        finally:
            _close(connection)

    def in_filter(self, text: str) -> str:
        return str(escape_filter_chars(text))

    def in_dn(self, text: str) -> str:
        return str(escape_rdn(text))

    def first_value(self, dn: str) -> str:
        with _as_os_errors():
            return str(parse_dn(dn)[0][1])

    def _server(self, url: str) -> ldap3.Server:
        ca_file = self._settings.ca_file
        try:
            tls = ldap3.Tls(
                validate=ssl.CERT_REQUIRED,  # ldap3 verifies nothing by default
                ca_certs_file=str(ca_file) if ca_file else None,
                sni=urlsplit(url).hostname,
            )
        except LDAPException as error:
            hint = "Name a file with the CA's certificates in PEM, readable by the portal's account."
            raise ConfigurationError(f"ldap.ca_file: {ca_file} cannot be used: {_reason(error)}.", hint=hint) from error
        return ldap3.Server(url, tls=tls, get_info=ldap3.NONE, connect_timeout=self._settings.timeout_s)


class Ldap3Connection:
    """Implements Connection."""

    def __init__(self, url: str, connection: ldap3.Connection) -> None:
        self.url = url
        self._connection = connection

    def search(
        self, base: str, search_filter: str, attributes: list[str], *, most: int | None = None
    ) -> Iterator[tuple[str, Attributes]]:
        cookie: bytes | None = None
        count = 0
        while True:
            paging = {} if most is None else {"paged_size": PIECE, "paged_cookie": cookie}
            with _as_os_errors():
                self._connection.search(base, search_filter, attributes=attributes, **paging)
            result: dict[str, Any] = self._connection.result
            if result["result"] == results.RESULT_NO_SUCH_OBJECT:
                return
            if result["result"] != results.RESULT_SUCCESS:
                raise OSError(f"refused the search under {base}: {_words(result)}")
            for entry in self._connection.response:
                if entry["type"] == "searchResEntry":
                    count += 1
                    values = entry["raw_attributes"].items()
                    yield entry["dn"], {key.lower(): [_text(value) for value in some] for key, some in values}
            control = result.get("controls", {}).get(PAGED_RESULTS)
            cookie = control["value"]["cookie"] if control else None
            if not cookie or most is None or count >= most:
                return

    def rebind(self, dn: str, password: str) -> None:
        with _as_os_errors():
            done = self._connection.rebind(user=dn, password=password, read_server_info=False)
        _check_bind(self._connection, done)

    def certificate_ends(self) -> datetime:
        certificate = dict(self._connection.socket.getpeercert())
        return datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)


def _check_bind(connection: ldap3.Connection, done: bool) -> None:
    """Raise WrongPassword or OSError unless the bind is `done`."""
    if done:
        return
    if connection.result.get("result") in REFUSALS:
        raise WrongPassword(_words(connection.result))
    raise OSError(f"refused the bind: {_words(connection.result)}")


def _words(result: dict[str, Any]) -> str:
    return f"{result.get('description')} {result.get('message') or ''}".strip()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _close(connection: ldap3.Connection) -> None:
    with suppress(LDAPException, OSError):  # it was not open, or no longer is
        connection.unbind()
    if connection.socket is not None:  # ldap3 leaves it open when connecting or TLS has failed
        connection.socket.close()


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except LDAPException as error:
        raise OSError(_reason(error)) from error


def _reason(error: Exception) -> str:
    """ldap3 wraps causes in layers of quotes and brackets; the first line inside them is the useful one."""
    text = str(error).strip("(\"',) ").partition("\n")[0]
    return text[:200] or type(error).__name__
