"""What the directory does before and around the network; tests/integration/test_directory.py has a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.directory import LdapDirectory
from portal.directory.servers import DEAD_FOR_S, Servers
from portal.directory.user import is_member, normalise
from portal.errors import ConfigurationError, DirectoryUnavailable
from portal.settings import Ldap

NEVER_ASKED = Ldap(servers=["ldaps://127.0.0.1:9"], timeout_s=0.2)


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[LdapDirectory]:
    directory = LdapDirectory(NEVER_ASKED)
    monkeypatch.setattr(Servers, "ask", lambda *arguments: pytest.fail("the network was asked"))
    yield directory
    directory.close()


@pytest.mark.parametrize("password", ["", "x" * 2000, "nul\0byte"])
async def test_odd_password_never_reaches_the_network(directory: LdapDirectory, password: str) -> None:
    assert await directory.authenticate("alice", password) is None


@pytest.mark.parametrize("username", ["", "*", "alice)(uid=*", "a b", "../x", "12345", "-rf", "ü", "a" * 40, "alice\n"])
async def test_odd_username_never_reaches_the_network(directory: LdapDirectory, username: str) -> None:
    if username != "alice\n":  # white space around a name is a slip, not an attack
        assert await directory.authenticate(username, "x") is None
        assert await directory.account(username) is None
    assert normalise(" Alice\n") == "alice"


@given(st.text())
def test_normalised_name_is_plain_ascii_or_nothing(text: str) -> None:
    name = normalise(text)
    assert name is None or (name.isascii() and name == name.lower() and not set(name) & set('*()\\/,=+<>#;" \0\n'))


def test_groups_are_compared_without_case() -> None:
    assert is_member(["GPU-Users"], ["gpu-users"])
    assert not is_member(["gpu-users-2"], ["gpu-users"])
    assert not is_member([], ["gpu-users"])


async def test_nobody_answering_is_unavailable_and_bounded() -> None:
    directory = LdapDirectory(Ldap(servers=["ldaps://127.0.0.1:9", "ldaps://127.0.0.1:10"], timeout_s=0.2))
    began = time.monotonic()
    with pytest.raises(DirectoryUnavailable, match="does not answer"):
        await directory.account("alice")
    assert time.monotonic() - began < 3
    directory.close()


def test_dead_server_is_asked_last_until_it_is_forgotten() -> None:
    clock = SimpleNamespace(now=0.0)
    asked: list[str] = []
    dead = {"ldaps://one"}

    class Client:
        @contextmanager
        def connect(self, url: str, *_: str) -> Iterator[str]:
            asked.append(url)
            if url in dead:
                raise OSError("refused")
            yield url

    servers: Any = Servers(["ldaps://one", "ldaps://two"], cast(Any, Client()), lambda: clock.now)
    assert [servers.ask("", "", lambda connection: connection) for _ in range(2)] == ["ldaps://two"] * 2
    assert asked == ["ldaps://one", "ldaps://two", "ldaps://two"]
    clock.now += DEAD_FOR_S + 1
    dead.clear()
    assert servers.ask("", "", lambda connection: connection) == "ldaps://one"
    dead |= {"ldaps://one", "ldaps://two"}
    with pytest.raises(DirectoryUnavailable, match=r"ldaps://one: refused; ldaps://two: refused"):
        servers.ask("", "", lambda connection: connection)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Ldap(bind_dn="cn=x"), "bind_password_file"),
        (Ldap(bind_dn="cn=x", bind_password_file="/nowhere/password"), "/nowhere/password cannot be read"),
        (Ldap(ca_file="/nowhere/ca.pem"), "/nowhere/ca.pem cannot be used"),
    ],
)
def test_settings_that_cannot_work_are_said_at_start(settings: Ldap, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        LdapDirectory(settings)
