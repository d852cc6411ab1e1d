"""Logins of an OpenID provider, by oauthenticator's own class: login, groups, main job, and who has left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from demo import people
from tests.demo_site import API, INSIDE, DemoSite, Front
from tests.identity_provider import CLIENT, Provider, identity_provider
from tests.other_logins import main_job, other_logins

pytestmark = pytest.mark.slow
SECRET = str(INSIDE / "portal" / "secrets" / "oidc_client_secret")


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    known = {
        "alice": {"sub": "a-1", "preferred_username": "alice", "groups": [people.LOGIN_GROUP, "physics"]},
        "bob": {"sub": "b-2", "preferred_username": "bob", "groups": [people.LOGIN_GROUP]},
        "admin": {"sub": "c-3", "preferred_username": "admin", "groups": [people.ADMIN_GROUP]},
        "eve": {"sub": "d-4", "preferred_username": "eve", "groups": ["others"]},
        "odd": {"sub": "e-5", "preferred_username": "../alice", "groups": [people.LOGIN_GROUP]},
    }
    with identity_provider(known) as provider:
        yield provider


@pytest.fixture(scope="module")
def open_id(kept_site: DemoSite, provider: Provider) -> Iterator[DemoSite]:
    """The site with the settings of docs/how-to/other-logins.md, the Hub asking the provider anew after a second."""
    login = f"""
[login]
authenticator = "oauthenticator.generic.GenericOAuthenticator"
secret_files = {{ client_secret = "{SECRET}" }}

[login.options]
client_id = "{CLIENT}"
oauth_callback_url = "{kept_site.hub_url}/hub/oauth_callback"
authorize_url = "{provider.url}/authorize"
token_url = "{provider.url}/token"
userdata_url = "{provider.url}/userinfo"
scope = ["openid", "profile", "groups"]
username_claim = "preferred_username"
auth_state_groups_key = "oauth_user.groups"
enable_auth_state = true
auth_refresh_age = 1
login_service = "Example ID"
"""
    kept_site.run("install", "-m", "600", "-o", "portal", "/dev/stdin", SECRET, stdin=provider.secret)
    with other_logins(kept_site, login):
        yield kept_site
    kept_site.run("rm", SECRET)


@contextmanager
def browser(site: DemoSite, provider: Provider, username: str) -> Iterator[tuple[httpx2.Client, httpx2.Response]]:
    """Give a client that has come back from the provider, and the page that it saw then."""
    provider.signed_in = username
    with Front(site, follow_redirects=True, timeout=60) as front:
        page = front.get("/hub/login")
        assert "Log in with Example ID" in page.text
        yield front, front.get("/hub/oauth_login")


def test_main_job_is_done_with_a_login_of_the_provider(open_id: DemoSite, provider: Provider) -> None:
    with browser(open_id, provider, "alice") as (alice, page):
        assert page.status_code == 200
        assert {"/authorize", "/token", "/userinfo"} <= set(provider.asked)
        where = main_job(open_id, alice)
        assert alice.get(str(alice.get(where).json()["url"])).status_code == 200


def test_administrators_are_those_of_the_provider(open_id: DemoSite, provider: Provider) -> None:
    with browser(open_id, provider, "admin") as (admin, _):
        admin.get("/services/portal/login").raise_for_status()
        assert admin.get(f"{API}/me").json()["admin"]


@pytest.mark.parametrize("username", ["eve", "odd", "nobody"])
def test_outsider_odd_name_and_nobody_do_not_get_in(open_id: DemoSite, provider: Provider, username: str) -> None:
    with browser(open_id, provider, username) as (web, page):
        assert page.status_code >= 400
        assert web.get(f"{API}/me").status_code == 401


def test_who_has_left_at_the_provider_is_let_out_by_the_next_look(open_id: DemoSite, provider: Provider) -> None:
    with browser(open_id, provider, "bob") as (bob, _):
        assert bob.get("/hub/home").status_code == 200
        provider.people["bob"]["groups"] = ["others"]
        open_id.wait_for(lambda: "/login" in str(bob.get("/hub/token").url), "the Hub to ask bob to log in", 60)
        assert bob.get("/hub/oauth_login").status_code == 403
        provider.people["bob"]["groups"] = [people.LOGIN_GROUP]
        assert bob.get("/hub/oauth_login").status_code == 200
        del provider.people["bob"]
        open_id.wait_for(lambda: "/login" in str(bob.get("/hub/token").url), "the Hub to ask bob again", 60)
