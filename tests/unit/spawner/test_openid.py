"""Logins of an OpenID provider: oauthenticator's own class under our rules, asking a provider on loopback."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from oauthenticator.oauth2 import _serialize_state
from tornado.httpclient import HTTPClientError

from spawner.federated import federated
from tests.identity_provider import CLIENT, Provider, identity_provider

CALLBACK = "https://jupyter.example.org/hub/oauth_callback"
VERIFIER = "v" * 43


@pytest.fixture
def provider() -> Iterator[Provider]:
    known = {
        "alice": {"preferred_username": "alice", "groups": ["gpu-users", "physics"]},
        "ada": {"preferred_username": "ada", "groups": ["hpc-admins"]},
        "eve": {"preferred_username": "eve", "groups": ["others"]},
        "odd": {"preferred_username": "../alice", "groups": ["gpu-users"]},
    }
    with identity_provider(known) as provider:
        yield provider


@pytest.fixture
def logins(provider: Provider) -> Iterator[Any]:
    """The authenticator with the options of docs/how-to/other-logins.md."""
    kind: Any = federated("oauthenticator.generic.GenericOAuthenticator")
    kind.site_user_groups, kind.site_admin_groups = ["gpu-users"], ["hpc-admins"]
    result = kind(
        client_id=CLIENT,
        client_secret=provider.secret,
        oauth_callback_url=CALLBACK,
        authorize_url=f"{provider.url}/authorize",
        token_url=f"{provider.url}/token",
        userdata_url=f"{provider.url}/userinfo",
        scope=["openid", "profile", "groups"],
        username_claim="preferred_username",
        auth_state_groups_key="oauth_user.groups",
        enable_auth_state=True,
    )
    yield result
    result.http_client.close()


async def come_back(logins: Any, provider: Provider, username: str) -> Any:
    """Log in as the Hub's callback does, with the code that the browser brings from the provider."""
    provider.signed_in = username
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    asked = {"client_id": CLIENT, "response_type": "code", "scope": " ".join(logins.scope), "state": "s"}
    address = provider.authorize({**asked, "redirect_uri": CALLBACK, "code_challenge": challenge})
    code = address.partition("code=")[2].partition("&")[0]
    handler = SimpleNamespace(
        get_argument=lambda name: code,
        get_state_cookie=lambda: _serialize_state({"code_verifier": VERIFIER}),
        request=SimpleNamespace(remote_ip="10.0.0.1"),
    )
    return await logins.get_authenticated_user(handler, None)


def user(model: dict[str, Any]) -> Any:
    async def get_auth_state() -> Any:
        return model["auth_state"]

    return SimpleNamespace(name=model["name"], get_auth_state=get_auth_state)


@pytest.mark.parametrize(("username", "groups"), [("alice", ["gpu-users", "physics"]), ("ada", ["hpc-admins"])])
async def test_person_of_the_provider_gets_in_with_groups(
    logins: Any, provider: Provider, username: str, groups: list[str]
) -> None:
    model = await come_back(logins, provider, username)
    assert (model["name"], model["groups"], model["admin"]) == (username, groups, False)
    assert provider.asked == ["/token", "/userinfo"]


@pytest.mark.parametrize("username", ["eve", "odd"])
async def test_outsider_and_odd_name_do_not_get_in(logins: Any, provider: Provider, username: str) -> None:
    assert await come_back(logins, provider, username) is None


async def test_portal_with_a_wrong_secret_lets_nobody_in(logins: Any, provider: Provider) -> None:
    logins.client_secret = "wrong"
    with pytest.raises(HTTPClientError, match="401"):
        await come_back(logins, provider, "alice")


async def test_word_of_the_provider_holds_at_the_next_look(logins: Any, provider: Provider) -> None:
    alice = user(await come_back(logins, provider, "alice"))
    provider.people["alice"]["groups"] = ["hpc-admins"]
    assert (await logins.refresh_user(alice))["groups"] == ["hpc-admins"]
    provider.people["alice"]["groups"] = ["others"]
    assert await logins.refresh_user(alice) is False
    del provider.people["alice"]
    assert await logins.refresh_user(alice) is False
