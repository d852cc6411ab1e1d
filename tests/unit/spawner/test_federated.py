"""Another authenticator in the directory's place: the same groups decide."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from jupyterhub.auth import Authenticator, DummyAuthenticator

from portal.errors import ConfigurationError
from spawner.federated import federated
from tests.unit.spawner.conftest import FakeLoginReports

HERE = __name__


class Elsewhere(Authenticator):  # type: ignore[misc]
    """As OIDC's: a model with groups, and an opinion on who administers."""

    async def authenticate(self, handler: Any, data: Any) -> dict[str, Any] | None:
        return {"name": data["username"], "groups": data["groups"], "admin": True} if data["username"] else None

    async def refresh_user(self, user: Any, handler: Any = None) -> dict[str, Any]:
        return {"name": user.name, "groups": user.groups_now, "admin": True}


def authenticator(**options: Any) -> Any:
    kind: Any = federated(f"{HERE}.Elsewhere")
    kind.site_user_groups = ["gpu-users"]
    kind.site_admin_groups = ["hpc-admins"]
    return kind(**options)


async def login(value: Any, username: str, *groups: str) -> Any:
    return await value.get_authenticated_user(None, {"username": username, "groups": list(groups)})


@pytest.mark.parametrize("group", ["gpu-users", "GPU-Users", "hpc-admins"])
async def test_member_gets_in_with_groups_and_is_never_the_hubs_administrator(group: str) -> None:
    model = await login(authenticator(), "alice", group)
    assert (model["name"], model["groups"], model["admin"]) == ("alice", [group], False)


async def test_outsider_nobody_and_odd_names_do_not_get_in(failed: FakeLoginReports) -> None:
    result = authenticator()
    assert await login(result, "eve", "others") is None
    assert await login(result, "eve") is None
    assert await login(result, "", "gpu-users") is None
    assert failed.failures == [("eve", "", "refused"), ("eve", "", "refused"), ("", "", "refused")]
    for name in ("1000", "../alice", "alice smith", "root@elsewhere"):
        assert await login(result, name, "gpu-users") is None


async def test_option_of_the_authenticators_own_narrows_further() -> None:
    result = authenticator(allow_all=False, allowed_users={"alice"})
    assert await login(result, "alice", "gpu-users")
    assert await login(result, "bob", "gpu-users") is None


async def test_groups_follow_a_refresh_and_administration_does_not() -> None:
    model = await authenticator().refresh_user(SimpleNamespace(name="alice", groups_now=["gpu-users", "new"]))
    assert (model["groups"], model["admin"]) == (["gpu-users", "new"], False)


async def test_who_has_left_the_groups_that_may_log_in_must_log_in_again() -> None:
    assert await authenticator().refresh_user(SimpleNamespace(name="alice", groups_now=["others"])) is False


async def test_authenticator_without_groups_takes_those_of_the_unix_account() -> None:
    kind: Any = federated("dummy")
    assert issubclass(kind, DummyAuthenticator)
    kind.site_user_groups = ["root"]
    model = await kind().get_authenticated_user(None, {"username": "root", "password": ""})
    assert "root" in model["groups"]
    assert await kind().get_authenticated_user(None, {"username": "nobody-has-this", "password": ""}) is None


async def test_rules_of_an_openid_providers_class_and_ours_stand_side_by_side() -> None:
    """It has `admin_groups` of its own, for administrators of the Hub."""
    kind: Any = federated("generic-oauth")
    kind.site_user_groups, kind.site_admin_groups = ["gpu-users"], ["hpc-admins"]
    result = kind(auth_state_groups_key="oauth_user.groups", username_claim="sub")
    outcome = {"sub": "alice", "groups": ["hpc-admins"]}
    model = result.ruled(
        await result._apply_managed_groups({"name": "alice", "admin": None, "auth_state": {"oauth_user": outcome}})  # noqa: SLF001  (JupyterHub's name)
    )
    assert (model["groups"], model["admin"]) == (["hpc-admins"], False)
    assert not await result.check_blocked_users("eve", {"groups": ["others"]})


@pytest.mark.parametrize("name", ["nowhere.to.be.Found", "collections.OrderedDict"])
def test_name_that_is_no_authenticator_is_told(name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"login\.authenticator"):
        federated(name)
