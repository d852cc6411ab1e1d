"""What the portal knows of a person, and what it asks of a directory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

# What Linux takes as a login name (useradd(8)), and not a mere number, which programs take for a uid.
USERNAME = re.compile(r"(?![0-9]+$)[a-z0-9_][a-z0-9_.-]{0,31}")


@dataclass(frozen=True, slots=True)
class Account:
    """One person of the directory.

    `allowed`: may log in, by the site's `user_groups`; `admin`: by its `admin_groups`. `uid` and `gid` are None where
    the directory keeps no Unix numbers.
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
    """`members` are those with an account, by login name; direct ones only."""

    name: str
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Listing:
    people: tuple[Person, ...] = ()
    groups: tuple[Group, ...] = ()


class Directory(Protocol):
    """All calls are bounded in time and raise DirectoryUnavailable when no server answers."""

    async def authenticate(self, username: str, password: str) -> Account | None:
        """Return the account when the password is right; None when it is not, or when there is no such account."""
        ...

    async def account(self, username: str) -> Account | None:
        """Return the account; None when there is none."""
        ...

    async def accounts(self, usernames: Sequence[str]) -> list[Account | None]:
        """Return these accounts, each as `account` does."""
        ...

    async def listing(self) -> Listing:
        """Return everybody and every group."""
        ...

    async def health(self) -> str:
        """Return the server that answers."""
        ...


def normalise(username: str) -> str | None:
    """Return the one spelling of a login name (directories ignore case, Unix does not); None for an odd one."""
    name = username.strip().lower()
    return name if USERNAME.fullmatch(name) else None


def is_member(groups: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether one of the groups is among the wanted ones; names are compared as a directory does, without case."""
    return not {name.casefold() for name in groups}.isdisjoint(name.casefold() for name in wanted)
