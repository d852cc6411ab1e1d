"""The routes as seen by a stranger, a user, a page and a script: access, and the shape of errors."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from cryptography.fernet import Fernet
from fastapi import FastAPI
from starlette.responses import Response

from portal.app import attach, describe
from portal.auth.cookies import Cookies, LoginState
from portal.auth.endpoints import safe_next
from portal.sessions.view import render
from portal.slurm.snapshot import Snapshot
from portal.tickets import is_logout_ticket
from portal.wiring import Portal
from tests.unit.http.conftest import token
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import START

PREFIX = "/services/portal"


def page_cookies(portal: Portal) -> tuple[dict[str, str], str]:
    """Log a browser in; return its cookies and its CSRF token."""
    response = Response()
    portal.cookies.set_login(response, "alices-token")
    header = response.headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    cookies = {"portal-login": header.split("=", 1)[1].split(";", 1)[0]}
    login = portal.cookies.login(cookies)
    assert login is not None
    return cookies, portal.cookies.csrf_token(login)


@cache
def every_route() -> list[tuple[str, str]]:
    return [(method.upper(), path) for path, methods in describe()["paths"].items() for method in methods]


async def test_no_route_of_the_api_answers_a_stranger(http: httpx2.AsyncClient) -> None:
    routes = every_route()
    assert len(routes) >= 12
    for method, path in routes:
        answer = await http.request(method, path.replace("{", "").replace("}", ""), json={})
        assert answer.status_code == 401, (method, path)
        assert answer.json()["error"]["code"] == "not_authenticated"


async def test_who_is_not_let_in_by_the_directory_gets_nothing(http: httpx2.AsyncClient) -> None:
    answer = await http.get(f"{PREFIX}/api/me", headers=token("evas-token"))
    assert answer.status_code == 403


def administrators_routes() -> list[tuple[str, str]]:
    """By address; those outside of /admin are named here."""
    elsewhere = ("/api/audit", "/api/audit/csv", "/api/environments/{name}/install")
    return [(method, path) for method, path in every_route() if "/api/admin/" in path or path.endswith(elsewhere)]


async def test_administrators_routes_refuse_users(http: httpx2.AsyncClient) -> None:
    routes = administrators_routes()
    assert len(routes) >= 6
    for method, path in routes:
        answer = await http.request(method, re.sub(r"{\w+}", "1", path), json={}, headers=token("alices-token"))
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden"), (method, path)


async def test_a_token_identifies_its_user(http: httpx2.AsyncClient) -> None:
    answer = await http.get(f"{PREFIX}/api/me", headers=token("alices-token"))
    assert (answer.json()["username"], answer.json()["csrf_token"]) == ("alice", None)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_a_page_must_send_its_csrf_token_to_write(portal: Portal, http: httpx2.AsyncClient) -> None:
    cookies, csrf = page_cookies(portal)
    http.cookies.update(cookies)
    assert (await http.get(f"{PREFIX}/api/me")).json()["csrf_token"] == csrf
    url = f"{PREFIX}/api/sessions/abcdefghijkm"
    for headers in ({}, {"X-CSRF-Token": "0" * 64}):
        refused = await http.delete(url, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "csrf")
    assert (await http.delete(url, headers={"X-CSRF-Token": csrf})).status_code == 404


@pytest.mark.parametrize("site", ["same-site", "cross-site", "none"])
async def test_a_write_from_another_hosts_page_is_refused_even_with_the_token(
    portal: Portal, http: httpx2.AsyncClient, site: str
) -> None:
    """Hosts of sessions are the same site as the portal's: their pages' requests bring the portal's cookies."""
    cookies, csrf = page_cookies(portal)
    http.cookies.update(cookies)
    headers = {"X-CSRF-Token": csrf, "Sec-Fetch-Site": site}
    refused = await http.delete(f"{PREFIX}/api/sessions/abcdefghijkm", headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "csrf")
    headers["Sec-Fetch-Site"] = "same-origin"
    ours = await http.delete(f"{PREFIX}/api/sessions/abcdefghijkm", headers=headers)
    assert ours.status_code == 404


async def test_no_page_of_another_host_may_read_or_hold_a_page(http: httpx2.AsyncClient) -> None:
    origin = {"Origin": "https://alice.hub.example.org"}
    asked = {**origin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-csrf-token"}
    for answer in (
        await http.get(f"{PREFIX}/api/me", headers={**origin, **token("alices-token")}),
        await http.options(f"{PREFIX}/api/me", headers=asked),
        await http.get(f"{PREFIX}/login", headers=origin),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_cookies_have_names_that_no_other_host_can_set_where_the_host_is_the_portals_alone() -> None:
    cipher, response = Fernet(Fernet.generate_key()), Response()
    cookies = Cookies(cipher, path=PREFIX, secure=True, own_host=True, csrf_key="x")
    cookies.set_login(response, "alices-token")
    (name, sealed), *attributes = (part.partition("=")[::2] for part in response.headers["set-cookie"].split("; "))
    assert name == "__Host-portal-login"
    assert {("Path", "/"), ("Secure", "")} <= set(attributes)
    assert "Domain" not in dict(attributes)
    assert cookies.login({name: sealed}) is not None
    assert cookies.login({"portal-login": sealed}) is None, "Somebody else's host may have set this one."


async def test_a_cookie_made_for_another_purpose_is_no_login(portal: Portal) -> None:
    response = Response()
    portal.cookies.set_state(response, LoginState("s", "v", "/"))
    sealed = response.headers["set-cookie"].split("=", 1)[1].split(";", 1)[0]
    assert portal.cookies.login({"portal-login": sealed}) is None
    assert portal.cookies.login({"portal-login": "nonsense"}) is None


async def test_a_start_before_the_cluster_is_known_says_so(http: httpx2.AsyncClient) -> None:
    answer = await http.post(f"{PREFIX}/api/sessions", json={"app": "jupyterlab"}, headers=token("alices-token"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "slurm_unavailable")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"app": "jupyterlab", "resources": {"walltime_s": 0}}, "resources.walltime_s"),
        ({"app": "jupyterlab", "resources": {"partition": "a\nb"}}, "resources.partition"),
        ({"app": "jupyterlab", "name": "a\x1bb"}, "name"),
        ({"app": "jupyterlab", "resources": {"cmd": "id"}}, "resources.cmd"),
        ({"resources": {}}, "app"),
        ([1], "body"),
    ],
)
async def test_bad_input_is_told_at_its_field(http: httpx2.AsyncClient, body: object, field: str) -> None:
    answer = await http.post(f"{PREFIX}/api/sessions", json=body, headers=token("alices-token"))
    error = answer.json()["error"]
    assert answer.status_code == 422
    assert field in [field["field"] for field in error["fields"]]
    assert error["message"]
    assert error["hint"]
    assert error["request_id"]


async def test_a_body_of_ten_megabytes_and_one_that_is_no_json_are_refused(http: httpx2.AsyncClient) -> None:
    large = await http.post(
        f"{PREFIX}/api/sessions", content=b'{"app":"' + b"x" * 10_000_000 + b'"}', headers=token("alices-token")
    )
    assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(2_000):
            yield b"x" * 10_000

    unannounced = await http.post(f"{PREFIX}/api/sessions", content=endless(), headers=token("alices-token"))
    assert (unannounced.status_code, unannounced.json()["error"]["code"]) == (413, "too_large")
    broken = await http.post(
        f"{PREFIX}/api/sessions",
        content=b"{",
        headers=token("alices-token") | {"Content-Type": "application/json"},
    )
    assert (broken.status_code, broken.json()["error"]["message"]) == (422, "The body is not valid JSON.")


async def test_anothers_session_is_not_there(portal: Portal, http: httpx2.AsyncClient) -> None:
    await portal.sessions.store.add(session_row("abcdefghijkm", owner="alice", at=START), "Asked.")
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/events"), ("GET", "/log")):
        url = f"{PREFIX}/api/sessions/abcdefghijkm{path}"
        theirs = await http.request(method, url, headers=token("bobs-token"))
        nobodys = await http.request(method, url.replace("abc", "zzz"), headers=token("bobs-token"))
        assert theirs.status_code == nobodys.status_code == 404
    listed = await http.get(f"{PREFIX}/api/sessions", headers=token("bobs-token"))
    assert listed.json()["items"] == []
    mine = await http.get(f"{PREFIX}/api/sessions/abcdefghijkm", headers=token("alices-token"))
    assert mine.json()["id"] == "abcdefghijkm"


async def test_the_hubs_routes_are_for_the_hub(http: httpx2.AsyncClient) -> None:
    for headers in ({}, token("alices-token"), {"Authorization": "Bearer "}):
        assert (await http.get(f"{PREFIX}/internal/alive", headers=headers)).status_code == 401
    right = {"Authorization": "Bearer " + f"{0:064x}"}
    assert (await http.get(f"{PREFIX}/internal/alive", headers=right)).json() == {"sessions": {}}
    assert (await http.get(f"{PREFIX}/internal/node-gpus", headers=right)).json() == {"most": None}


async def test_health_and_metrics_answer_without_a_login(http: httpx2.AsyncClient) -> None:
    health = await http.get(f"{PREFIX}/healthz")
    assert (health.status_code, health.json()["hub"], health.json()["slurm"]) == (200, False, "unknown")
    assert "portal_event_readers 0.0" in (await http.get(f"{PREFIX}/metrics")).text


@pytest.mark.parametrize(
    "target",
    [
        None,
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/hub/",
        "/services/portal-evil",
        "/services/portal/..//x",
    ],
)
def test_after_login_nobody_is_sent_elsewhere(target: str | None) -> None:
    assert safe_next(target, PREFIX) == f"{PREFIX}/"


def test_after_login_the_page_that_was_asked_for_opens() -> None:
    assert safe_next("/services/portal/sessions/new?gpus=2", PREFIX) == "/services/portal/sessions/new?gpus=2"


async def test_the_login_goes_to_the_hub_with_pkce(http: httpx2.AsyncClient) -> None:
    answer = await http.get(f"{PREFIX}/login?next=/services/portal/sessions")
    assert answer.status_code == 302
    assert answer.headers["location"].startswith("/hub/api/oauth2/authorize?")
    assert "code_challenge_method=S256" in answer.headers["location"]
    refused = await http.get(f"{PREFIX}/oauth_callback?code=x&state=wrong", headers={"Accept": "text/html"})
    assert refused.status_code == 401
    assert "Log in" in refused.text


async def test_value_that_the_database_cannot_hold_is_refused_not_a_crash(http: httpx2.AsyncClient) -> None:
    alice = {"Authorization": "token alices-token"}
    far = f"/sessions/abcdefghijkm/events?after={2**62}"
    for path, status in (("/sessions/abc%00def", 404), (far, 422), ("/sessions/abc%00def/events", 404)):
        answer = await http.get(f"/services/portal/api{path}", headers=alice)
        assert answer.status_code == status, (path, answer.text)
        assert answer.json()["error"]["message"].endswith(".")


async def test_logout_is_a_write_of_the_portals_own_page_and_a_link_only_asks(
    portal: Portal, http: httpx2.AsyncClient
) -> None:
    cookies, csrf = page_cookies(portal)
    http.cookies.update(cookies)
    asked = await http.get(f"{PREFIX}/logout")
    assert (asked.headers["location"], "set-cookie" in asked.headers) == ("/hub/logout", False)
    assert (await http.post(f"{PREFIX}/api/logout")).json()["error"]["code"] == "csrf"
    done = await http.post(f"{PREFIX}/api/logout", headers={"X-CSRF-Token": csrf})
    where = urlsplit(done.json()["location"])
    assert where.path == "/hub/logout"
    (ticket,) = parse_qs(where.query)["ticket"]
    assert is_logout_ticket(portal.settings.secrets.hub_key, "alice", ticket, now_s=time.time())
    assert 'portal-login=""' in done.headers["set-cookie"]


async def test_program_with_a_token_gets_no_ticket(http: httpx2.AsyncClient) -> None:
    done = await http.post(f"{PREFIX}/api/logout", headers={"Authorization": "token alices-token"})
    assert done.json() == {"location": "/hub/logout"}


async def test_portal_with_a_host_of_its_own_names_the_hubs_host_and_keeps_its_cookies(
    portal: Portal, app: FastAPI, http: httpx2.AsyncClient
) -> None:
    server = portal.settings.server.model_copy(update={"public_url": "https://portal.example.org"})
    hub = portal.settings.hub.model_copy(update={"public_url": "https://jupyter.example.org"})
    settings = portal.settings.model_copy(update={"server": server, "hub": hub})
    attach(app, replace(portal, settings=settings))
    login = await http.get("/services/portal/login")
    where = urlsplit(login.headers["location"])
    asked = parse_qs(where.query)
    assert (where.scheme, where.netloc, where.path) == ("https", "jupyter.example.org", "/hub/api/oauth2/authorize")
    assert asked["redirect_uri"] == ["https://portal.example.org/services/portal/oauth_callback"]
    cookie = login.headers["set-cookie"].lower()
    assert "domain=" not in cookie, "A cookie of this host alone."
    assert "path=/services/portal" in cookie
    assert "httponly" in cookie
    assert (await http.get("/services/portal/logout")).headers["location"] == "https://jupyter.example.org/hub/logout"
    assert (await http.get("/services/portal/tokens")).headers["location"] == "https://jupyter.example.org/hub/token"
    row = session_row("abcdefghijkm", owner="alice", at=START, state="ready", base_url="/user/alice/x/")
    assert render(row, settings, Snapshot(), None).url == "https://jupyter.example.org/user/alice/x/lab"
