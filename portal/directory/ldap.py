"""The directory over LDAP, in its own threads: a slow directory never stalls the caller's event loop.

A directory that hangs is left alone for a while (`circuit`), so that callers fail at once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import TypeVar

import structlog

from portal.circuit import Circuit
from portal.directory.by_ldap3 import Ldap3Client
from portal.directory.client import Attributes, Connection, WrongPassword
from portal.directory.listing import read
from portal.directory.servers import Servers
from portal.directory.user import DirectoryUser, Listing, is_member, normalise
from portal.errors import ConfigurationError, DirectoryUnavailable
from portal.settings import Ldap

log = structlog.get_logger()
Answer = TypeVar("Answer")

THREADS = 8
MAX_PASSWORD_CHARS = 1024
ATTRIBUTES = ["cn", "displayName", "mail", "uidNumber", "gidNumber", "memberOf"]
NAMED_BY = re.compile(r"\(([A-Za-z][A-Za-z0-9-]*)=\{username\}\)")


class LdapDirectory:
    """Implements Directory."""

    def __init__(self, settings: Ldap) -> None:
        """Raise ConfigurationError if the settings contradict each other or a file cannot be read."""
        self._settings = settings
        self._client = Ldap3Client(settings)
        self._servers = Servers(settings.servers, self._client)
        self._password = _service_password(settings)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="ldap")
        self.circuit = Circuit(
            "The directory",
            DirectoryUnavailable,
            slow_s=settings.timeout_s / 2,
            hint="Users seen in the last hour can keep working. Others can try again in a minute.",
        )
        self._patience_s = 2 * settings.timeout_s * max(1, len(settings.servers)) + 1

    async def authenticate(self, username: str, password: str) -> DirectoryUser | None:
        """Return the account if the password is right.

        An empty password would be an anonymous bind, which many servers accept: refuse it here.
        """
        name = normalise(username)
        if name is None or not password or len(password) > MAX_PASSWORD_CHARS or "\0" in password:
            return None
        try:
            return await self._in_thread(lambda: self._authenticate(name, password))
        except WrongPassword:
            return None

    async def account(self, username: str) -> DirectoryUser | None:
        name = normalise(username)
        if name is None:
            return None
        return await self._in_thread(lambda: self._as_service(lambda connection: self._find(connection, name)[1]))

    async def accounts(self, usernames: Sequence[str]) -> list[DirectoryUser | None]:
        """Return these accounts, each as `account` does, over one connection."""
        names = [normalise(username) for username in usernames]

        def find(connection: Connection) -> list[DirectoryUser | None]:
            return [None if name is None else self._find(connection, name)[1] for name in names]

        return await self._in_thread(lambda: self._as_service(find))

    async def listing(self) -> Listing:
        """Return all users and groups."""
        return await self._in_thread(lambda: self._as_service(lambda connection: read(connection, self._settings)))

    async def health(self) -> str:
        return await self._in_thread(lambda: self._as_service(lambda connection: connection.url))

    async def certificate_ends(self) -> datetime:
        """Return when the answering server's certificate expires, with LDAPS or StartTLS."""
        return await self._in_thread(lambda: self._as_service(lambda connection: connection.certificate_ends()))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, question: Callable[[], Answer]) -> Answer:
        with self.circuit.attempt():
            future = asyncio.wrap_future(self._threads.submit(question))
            try:
                return await asyncio.wait_for(future, self._patience_s)
            except TimeoutError as error:
                raise DirectoryUnavailable(f"The directory did not answer within {self._patience_s:.0f} s.") from error

    def _as_service(self, question: Callable[[Connection], Answer]) -> Answer:
        try:
            return self._servers.ask(self._settings.bind_dn, self._password, question)
        except WrongPassword as error:
            log.error("directory.service_account_refused", bind_dn=self._settings.bind_dn, error=str(error))
            raise DirectoryUnavailable("The directory refuses the portal's own account.") from error

    def _authenticate(self, name: str, password: str) -> DirectoryUser | None:
        if not self._settings.bind_dn:
            dn = self._dn_by_name(name)
            return self._servers.ask(dn, password, lambda connection: self._find(connection, name)[1])

        def find_then_bind(connection: Connection) -> DirectoryUser | None:
            dn, account = self._find(connection, name)
            if account is not None:
                try:
                    connection.rebind(dn, password)
                except WrongPassword:
                    return None
            return account

        return self._as_service(find_then_bind)

    def _dn_by_name(self, name: str) -> str:
        attribute = NAMED_BY.fullmatch(self._settings.user_filter)
        if attribute is None:
            raise ConfigurationError("ldap.bind_dn must be set: ldap.user_filter alone does not give an account's DN.")
        return f"{attribute[1]}={self._client.in_dn(name)},{self._settings.user_base}"

    def _find(self, connection: Connection, name: str) -> tuple[str, DirectoryUser | None]:
        """Return (DN, account) of the only entry with this name."""
        wanted = self._settings.user_filter.replace("{username}", self._client.in_filter(name))
        entries = list(connection.search(self._settings.user_base, wanted, ATTRIBUTES))
        if len(entries) != 1:
            if entries:
                log.error("directory.ambiguous_account", username=name, entries=len(entries))
            return "", None
        dn, attributes = entries[0]
        groups = self._groups(connection, name, dn, attributes)
        settings = self._settings
        return dn, DirectoryUser(
            username=name,
            display_name=_first(attributes, "displayName") or _first(attributes, "cn") or name,
            mail=_first(attributes, "mail"),
            uid=_number(attributes, "uidNumber"),
            gid=_number(attributes, "gidNumber"),
            groups=groups,
            allowed=not settings.user_groups or is_member(groups, [*settings.user_groups, *settings.admin_groups]),
            admin=is_member(groups, settings.admin_groups),
        )

    def _groups(self, connection: Connection, name: str, dn: str, attributes: Attributes) -> tuple[str, ...]:
        """Return the names of the account's groups: those the filter finds, or `memberOf` if the filter is empty."""
        if not self._settings.group_filter:
            return tuple(sorted({self._client.first_value(group) for group in attributes.get("memberof", [])}))
        wanted = self._settings.group_filter
        for field, value in (("username", name), ("dn", dn), ("gid", _first(attributes, "gidNumber"))):
            wanted = wanted.replace(f"{{{field}}}", self._client.in_filter(value))
        entries = connection.search(self._settings.group_base, wanted, ["cn"])
        return tuple(sorted({_first(group, "cn") for _, group in entries} - {""}))


def _service_password(settings: Ldap) -> str:
    if not settings.bind_dn:
        return ""
    if settings.bind_password_file is None:
        raise ConfigurationError("ldap.bind_dn is set, so ldap.bind_password_file must be set too.")
    try:
        return settings.bind_password_file.read_text().rstrip("\r\n")
    except OSError as error:
        raise ConfigurationError(f"{settings.bind_password_file} cannot be read: {error.strerror}.") from error


def _first(attributes: Attributes, name: str) -> str:
    values = attributes.get(name.lower())
    return values[0] if values else ""


def _number(attributes: Attributes, name: str) -> int | None:
    text = _first(attributes, name)
    return int(text) if text.isascii() and text.isdigit() else None
