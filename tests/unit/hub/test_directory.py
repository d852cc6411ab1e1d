"""Accounts of a site without LDAP logins: what the Hub knows of them."""

from __future__ import annotations

import pytest

from portal.errors import DirectoryUnavailable, HubUnavailable
from portal.hub.directory import HubDirectory
from portal.settings import Ldap

GROUPS = Ldap(user_groups=["gpu-users"], admin_groups=["hpc-admins"])


class FakeHub:
    def __init__(self) -> None:
        self.known: dict[str, tuple[str, ...]] = {"alice": ("gpu-users",), "ada": ("HPC-Admins",), "eve": ()}
        self.away = False

    async def groups(self, username: str) -> tuple[str, ...] | None:
        if self.away:
            raise HubUnavailable("JupyterHub does not answer.")
        return self.known.get(username)

    async def healthy(self) -> bool:
        return not self.away


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


@pytest.fixture
def directory(hub: FakeHub) -> HubDirectory:
    return HubDirectory(hub, GROUPS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "allowed", "admin"), [("alice", True, False), ("ada", True, True), ("eve", False, False)]
)
async def test_rights_follow_the_groups(directory: HubDirectory, name: str, allowed: bool, admin: bool) -> None:
    account = await directory.account(name)
    assert account is not None
    assert (account.allowed, account.admin) == (allowed, admin)


async def test_somebody_unknown_is_no_account_and_no_answer_is_not_no(directory: HubDirectory, hub: FakeHub) -> None:
    assert await directory.account("mallory") is None
    assert await directory.account("../users") is None
    hub.away = True
    with pytest.raises(DirectoryUnavailable):
        await directory.account("alice")
    with pytest.raises(DirectoryUnavailable):
        await directory.health()


async def test_passwords_are_not_asked_here(directory: HubDirectory) -> None:
    with pytest.raises(DirectoryUnavailable):
        await directory.authenticate("alice", "secret")
