"""Accounts and groups, and the interface of a directory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

# Valid Linux login names (useradd(8)), but not mere numbers, which programs take for a uid.
USERNAME = re.compile(r"(?![0-9]+$)[a-z0-9_][a-z0-9_.-]{0,31}")


@dataclass(frozen=True, slots=True)
class DirectoryUser:
    """A user in the directory.

    `allowed`: may log in, by the site's `user_groups`; `admin`: by its `admin_groups`. `uid` and `gid` are None if the
    directory has no Unix numbers.
    """

    username: str
    display_name: str
    mail: str
    uid: int | None
    gid: int | None
    groups: tuple[str, ...]
    allowed: bool
    admin: bool


@dataclass(frozen=True, slots=True)
class Person:
    username: str
    display_name: str
    mail: str


@dataclass(frozen=True, slots=True)
class Group:
    """`members` are login names of users with an account, direct members only."""

    name: str
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Listing:
    people: tuple[Person, ...] = ()
    groups: tuple[Group, ...] = ()


class Directory(Protocol):
    """All calls are bounded in time and raise DirectoryUnavailable when no server answers."""

    async def authenticate(self, username: str, password: str) -> DirectoryUser | None:
        """Return the account if the password is right; None if it is not, or the account does not exist."""
        ...

    async def account(self, username: str) -> DirectoryUser | None:
        """Return the account; None if it does not exist."""
        ...

    async def accounts(self, usernames: Sequence[str]) -> list[DirectoryUser | None]:
        """Return these accounts, each as `account` does."""
        ...

    async def listing(self) -> Listing:
        """Return all users and groups."""
        ...

    async def health(self) -> str:
        """Return the server that answers."""
        ...


def normalise(username: str) -> str | None:
    """Return the canonical spelling of a login name (directories ignore case, Unix does not); None if it is invalid."""
    name = username.strip().lower()
    return name if USERNAME.fullmatch(name) else None


def is_member(groups: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether one of the groups is wanted; compared without case, as directories do."""
    return not {name.casefold() for name in groups}.isdisjoint(name.casefold() for name in wanted)
