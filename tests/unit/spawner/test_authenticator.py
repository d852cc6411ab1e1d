"""Logins: each refusal says why, and a directory that is away throws nobody out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from tornado import web

from portal.directory import DirectoryUser, LoginGate
from portal.errors import DirectoryUnavailable
from spawner.authenticator import DirectoryAuthenticator
from tests.unit.spawner.conftest import FakeLoginReports

ALICE = DirectoryUser(
    "alice", "Alice Example", "alice@example.org", 5001, 5001, ("ops", "users"), allowed=True, admin=True
)
EVE = DirectoryUser("eve", "Eve", "", 5002, 5002, (), allowed=False, admin=False)


class FakeDirectory:
    def __init__(self) -> None:
        self.accounts = {"alice": ALICE, "eve": EVE}
        self.away = False

    async def authenticate(self, username: str, password: str) -> DirectoryUser | None:
        return await self.account(username) if password == "right" else None

    async def account(self, username: str) -> DirectoryUser | None:
        if self.away:
            raise DirectoryUnavailable("The directory does not answer (ldaps://x: refused).")
        return self.accounts.get(username)

    async def health(self) -> str:
        return "ldaps://x"


@pytest.fixture
def directory() -> FakeDirectory:
    return FakeDirectory()


@pytest.fixture
def authenticator(directory: FakeDirectory) -> DirectoryAuthenticator:
    class Authenticator(DirectoryAuthenticator):
        gate = LoginGate("3/minute")
        user_groups: ClassVar[list[str]] = ["users"]
        support = "hpc-help@example.org"

    Authenticator.directory = directory
    return Authenticator()


def handler(address: str = "10.0.0.1") -> Any:
    return SimpleNamespace(request=SimpleNamespace(remote_ip=address), user_from_username=lambda name: None)


async def login(authenticator: DirectoryAuthenticator, username: str, password: str, address: str = "10.0.0.1") -> Any:
    return await authenticator.authenticate(handler(address), {"username": username, "password": password})


async def test_login_gives_name_groups_and_rights(authenticator: DirectoryAuthenticator) -> None:
    assert await login(authenticator, "alice", "right") == {
        "name": "alice",
        "admin": False,  # of the Hub, whose role may act as everybody
        "groups": ["ops", "users"],
        "user_info": {"name": "alice", "display_name": "Alice Example"},
    }
    assert authenticator.manage_groups
    assert authenticator.allow_all


@pytest.mark.parametrize(
    ("username", "password", "words", "reason"),
    [
        ("alice", "wrong", "Wrong user name or password", "wrong_password"),
        ("nobody", "right", "Wrong user name or password", "wrong_password"),
        ("eve", "right", "Ask hpc-help@example.org to be added to the group “users”", "not_allowed"),
    ],
)
async def test_refusal_says_why_and_is_reported(
    authenticator: DirectoryAuthenticator,
    failed: FakeLoginReports,
    username: str,
    password: str,
    words: str,
    reason: str,
) -> None:
    with pytest.raises(web.HTTPError) as refused:
        await login(authenticator, username, password)
    assert refused.value.status_code == 403
    assert words in str(refused.value.log_message)
    assert failed.failures == [(username, "10.0.0.1", reason)]


async def test_too_many_failures_say_when_to_come_back(
    authenticator: DirectoryAuthenticator, failed: FakeLoginReports
) -> None:
    for _ in range(3):
        with pytest.raises(web.HTTPError):
            await login(authenticator, "alice", "wrong")
    with pytest.raises(web.HTTPError) as refused:
        await login(authenticator, " Alice ", "right", address="10.9.9.9")
    assert refused.value.status_code == 429
    assert "Try again in" in str(refused.value.log_message)
    assert int(vars(refused.value)["headers"]["Retry-After"]) > 0
    assert failed.failures[-1] == (" Alice ", "10.9.9.9", "too_many_logins")


async def test_directory_that_is_away_is_said_and_counts_for_nothing(
    authenticator: DirectoryAuthenticator, directory: FakeDirectory
) -> None:
    directory.away = True
    for _ in range(5):
        with pytest.raises(web.HTTPError) as refused:
            await login(authenticator, "alice", "right")
        assert refused.value.status_code == 503
    directory.away = False
    assert (await login(authenticator, "alice", "right"))["name"] == "alice"


async def test_refresh_follows_the_directory(authenticator: DirectoryAuthenticator, directory: FakeDirectory) -> None:
    alice: Any = SimpleNamespace(name="alice")
    refreshed = await authenticator.refresh_user(alice)
    assert isinstance(refreshed, dict)
    assert refreshed["groups"] == ["ops", "users"]
    directory.away = True
    assert await authenticator.refresh_user(alice) is True
    directory.away = False
    directory.accounts.clear()
    assert await authenticator.refresh_user(alice) is False
