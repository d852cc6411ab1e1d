"""What the directory needs of an LDAP library. `by_ldap3` implements it; another library can replace it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

Attributes = dict[str, list[str]]
"""By name in lower case."""


class WrongPassword(Exception):
    """The directory rejected the credentials."""


class Connection(Protocol):
    """A bound connection. Every call is bounded in time and raises OSError if the server fails, or refuses it."""

    @property
    def url(self) -> str: ...

    def search(
        self, base: str, search_filter: str, attributes: list[str], *, most: int | None = None
    ) -> Iterator[tuple[str, Attributes]]:
        """Yield (DN, attributes) of each entry below `base`, none if there is no `base`.

        With `most`, page by page (RFC 2696), stopping at about that many.
        """
        ...

    def rebind(self, dn: str, password: str) -> None:
        """Bind as somebody else. Raises WrongPassword."""
        ...

    def certificate_ends(self) -> datetime:
        """Return when the server's certificate expires, with LDAPS or StartTLS."""
        ...


class Client(Protocol):
    def connect(self, url: str, dn: str, password: str) -> AbstractContextManager[Connection]:
        """Connect to one server with a verified certificate, and bind; anonymously if `dn` and `password` are empty.

        Raises WrongPassword, OSError.
        """
        ...

    def in_filter(self, text: str) -> str:
        """Return the text as a value in a search filter (RFC 4515, 3)."""
        ...

    def in_dn(self, text: str) -> str:
        """Return the text as a value in a DN (RFC 4514, 2.4)."""
        ...

    def first_value(self, dn: str) -> str:
        """`cn=gpu-users,ou=groups,…` → `gpu-users`."""
        ...
