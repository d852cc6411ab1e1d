"""Entrances for programs and for browsers: agents, the Hub's spawner, forged requests, passwords."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest

from tests.demo_site import API, DemoSite, Front
from tests.person import Live, Person

PORTAL = "/services/portal"
KEY = "ab" * 32


@pytest.fixture(scope="module")
def live(kept_site: DemoSite, person: Callable[[str], Person]) -> Live:
    return person("alice").ready(gpus=1)


@pytest.fixture(scope="module")
def secret(kept_site: DemoSite, live: Live) -> str:
    """Return the one-time secret of the job, as root reads it on the node."""
    return secret_of(kept_site, "alice")


def secret_of(site: DemoSite, user: str) -> str:
    agent = site.run("pgrep", "--oldest", "-u", user, "-f", "agent.pyz").strip()
    match = re.search(r"DSP_SECRET=([0-9a-f]+)", site.run("cat", f"/proc/{agent}/environ"))
    assert match
    return match[1]


def hello(session: str, secret: str, key: str = KEY) -> dict[str, object]:
    return {"session": session, "secret": secret, "key": key, "job_id": 1, "node": "evil", "host": "evil", "pid": 1}


# --- agents ---


def test_agent_with_a_wrong_secret_gets_nothing(kept_site: DemoSite, live: Live) -> None:
    node = live.now()["node"]
    for guess in ("", "0" * 64, live.id):
        answer = httpx2.post(f"{kept_site.url}{PORTAL}/agent/hello", json=hello(live.id, guess))
        assert answer.status_code == 403
        assert "launch" not in answer.text
    assert live.now()["node"] == node


def test_agent_with_the_right_secret_but_another_key_gets_nothing(kept_site: DemoSite, live: Live, secret: str) -> None:
    answer = httpx2.post(f"{kept_site.url}{PORTAL}/agent/hello", json=hello(live.id, secret))
    assert answer.status_code == 403
    assert "launch" not in answer.text
    assert live.now()["node"] != "evil"


def test_agent_endpoints_want_the_key_of_the_session(
    kept_site: DemoSite, live: Live, secret: str, person: Callable[[str], Person]
) -> None:
    bodies: dict[str, dict[str, object]] = {
        "progress": {"message": "forged"},
        "ready": {"ip": "127.0.0.1", "port": 9},
        "report": {"cpu_percent": 1, "memory_mib": 1, "gpus": [], "connections": 0},
        "ended": {"exit_code": 0, "signal": None, "code": "finished", "text": "forged", "log_tail": ""},
    }
    keys = ["", f"Bearer {live.id}:{KEY}", f"Bearer {live.id}:{secret}", f"Bearer {live.id}:", f"Bearer :{KEY}"]
    keys += [f"token {person('alice').token}", f"Bearer {person('admin').token}", f"Bearer abcdefghijkm:{KEY}"]
    for path, body in bodies.items():
        for key in keys:
            answer = httpx2.post(
                f"{kept_site.url}{PORTAL}/agent/{path}", json=body, headers={"Authorization": key} if key else {}
            )
            assert answer.status_code in (401, 403, 404), (path, key, answer.text)
    assert live.now()["state"] == "ready"
    assert "forged" not in str(live.events())


def test_agents_environment_and_memory_are_closed_to_other_processes_of_its_user(
    kept_site: DemoSite, live: Live
) -> None:
    agent = kept_site.run("pgrep", "--oldest", "-u", "alice", "-f", "agent.pyz").strip()
    for file in ("environ", "mem", "maps"):
        tried = kept_site.run("runuser", "-u", "alice", "--", "sh", "-c", f"cat /proc/{agent}/{file} 2>&1 || true")
        assert "Permission denied" in tried
    assert "agent.pyz" in kept_site.run("runuser", "-u", "alice", "--", "cat", f"/proc/{agent}/cmdline")


def test_secret_of_an_ended_session_is_worth_nothing(kept_site: DemoSite, person: Callable[[str], Person]) -> None:
    ended = person("carol").ready(gpus=0)
    secret = secret_of(kept_site, "carol")
    ended.stop()
    ended.ended()
    answer = httpx2.post(f"{kept_site.url}{PORTAL}/agent/hello", json=hello(ended.id, secret))
    assert answer.status_code == 410


# --- the Hub's own ---


def test_internal_endpoints_are_closed_from_outside(
    kept_site: DemoSite, live: Live, person: Callable[[str], Person]
) -> None:
    start = {
        "username": "bob", "server_name": "forged", "user_options": {}, "env": {}, "api_token": "x",
        "base_url": "/user/bob/forged/",
    }  # fmt: skip
    calls = [
        ("GET", "/internal/alive", None),
        ("GET", f"/internal/sessions/{live.id}/wait", None),
        ("POST", f"/internal/sessions/{live.id}/stop", {"reason": "forged"}),
        ("POST", "/internal/start", start),
    ]
    tokens = [None, *(person(name).token for name in ("alice", "admin")), kept_site.secret("proxy_token"), "0" * 64]
    for method, path, body in calls:
        for token in tokens:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            answer = httpx2.request(method, f"{kept_site.url}{PORTAL}{path}", json=body, headers=headers)
            assert answer.status_code == 401, (path, answer.text)
    assert live.now()["state"] == "ready"
    assert kept_site.jobs("--user=bob") == []


# --- browsers ---


@contextmanager
def logged_in(site: DemoSite, name: str) -> Iterator[tuple[httpx2.Client, str]]:
    """Yield a browser that is logged in at the portal, and its CSRF token."""
    with site.browser(name) as browser:
        browser.get(f"{PORTAL}/login").raise_for_status()
        yield browser, browser.get(f"{API}/me").json()["csrf_token"]


def test_write_with_the_cookie_alone_is_refused(kept_site: DemoSite) -> None:
    body = {"app": "jupyterlab", "resources": {"gpus": 1}}
    with logged_in(kept_site, "dave") as (dave, mine), logged_in(kept_site, "bob") as (_, bobs):
        for headers in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": bobs}, {"X-CSRF-Token": mine[:-1] + "x"}):
            answer = dave.post(f"{API}/sessions", json=body, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")
        forged = dave.post(f"{API}/sessions", data={"app": "jupyterlab"}, headers={"Origin": "http://evil.example"})
        assert forged.status_code == 403
        assert kept_site.jobs("--user=dave") == []
        assert dave.post(f"{API}/sessions/check", json=body, headers={"X-CSRF-Token": mine}).status_code == 200


def test_login_cookie_is_closed_to_scripts_and_other_sites(kept_site: DemoSite) -> None:
    with kept_site.browser("dave") as browser:
        response = browser.get(f"{PORTAL}/login")
        hops = [*response.history, response]
        (cookie,) = [
            line for hop in hops for line in hop.headers.get_list("set-cookie") if line.startswith("portal-login=")
        ]
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=lax", f"path={PORTAL}"} <= attributes


def test_login_leads_nowhere_else(kept_site: DemoSite) -> None:
    for target in ("//evil.example", "http://evil.example/", "/services/portal/../../hub/logout", "/hub/logout", "\\x"):
        with kept_site.browser("dave") as browser:
            landed = browser.get(f"{PORTAL}/login", params={"next": target})
            assert str(landed.url).startswith(f"{kept_site.url}{PORTAL}/")
            assert ".." not in landed.url.path


def test_forged_return_from_the_login_is_refused(kept_site: DemoSite) -> None:
    with kept_site.browser("dave") as browser:
        answer = browser.get(f"{PORTAL}/oauth_callback", params={"code": "forged", "state": "forged"})
        assert answer.status_code == 401
        assert "portal-login" not in {cookie.name for cookie in browser.cookies.jar}


# --- passwords ---


class Guesser:
    """Tries passwords from its own address."""

    def __init__(self, site: DemoSite, *, forwarded: tuple[str, ...] = ()) -> None:
        address = f"127.{1 + secrets.randbelow(250)}.{secrets.randbelow(250)}.{1 + secrets.randbelow(250)}"
        self._site = site
        self._forwarded = forwarded
        self._browser = Front(site, transport=httpx2.HTTPTransport(local_address=address))

    def __enter__(self) -> Guesser:
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()

    def page(self, username: str, password: str) -> httpx2.Response:
        if "_xsrf" not in self._browser.cookies:
            self._browser.get("/hub/login")
        headers = {name: f"192.0.2.{secrets.randbelow(250)}" for name in self._forwarded}
        form = {"username": username, "password": password, "_xsrf": self._browser.cookies["_xsrf"]}
        return self._browser.post("/hub/login", data=form, headers=headers)

    def api(self, username: str, password: str) -> httpx2.Response:
        body = {"auth": {"username": username, "password": password}}
        return self._browser.post(f"/hub/api/users/{username}/tokens", json=body)


def nobody() -> str:
    return f"nobody-{secrets.token_hex(4)}"


def test_guesses_at_one_account_are_stopped_wherever_they_come_from(kept_site: DemoSite) -> None:
    user = nobody()
    with Guesser(kept_site) as first, Guesser(kept_site) as second:
        assert [first.page(user, "guess").status_code for _ in range(5)] == [403] * 5
        assert [second.page(user, "guess").status_code for _ in range(5)] == [403] * 5
        refused = second.page(user, "guess")
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) > 0
        assert "Too many failed logins" in refused.text
        assert second.page(nobody(), "guess").status_code == 403, "Others are not hurt."


@pytest.mark.parametrize(
    "forwarded",
    [(), ("X-Forwarded-For",), ("X-Real-IP",), ("X-Forwarded-For", "X-Real-IP")],
    ids=["plainly", "with a forged X-Forwarded-For", "with a forged X-Real-IP", "with both"],
)
def test_guesses_from_one_address_are_stopped_whomever_they_are_at(
    forwarded: tuple[str, ...], kept_site: DemoSite
) -> None:
    with Guesser(kept_site, forwarded=forwarded) as guesser:
        assert [guesser.page(nobody(), "guess").status_code for _ in range(10)] == [403] * 10
        assert guesser.page(nobody(), "guess").status_code == 429
        dave = kept_site.accounts["dave"]
        assert guesser.page("dave", dave.password).status_code == 429, "The right password does not help now."
    with Guesser(kept_site) as elsewhere:
        assert elsewhere.page("dave", dave.password).status_code == 302


def test_guesses_by_the_api_count_as_those_by_the_page(kept_site: DemoSite) -> None:
    user = nobody()
    with Guesser(kept_site) as guesser:
        answers = [guesser.api(user, "guess").status_code for _ in range(10)]
        assert set(answers) <= {403, 404}
        assert guesser.page(user, "guess").status_code == 429


def test_empty_password_is_no_login(kept_site: DemoSite) -> None:
    """Many directories treat it as an anonymous bind, and succeed."""
    with Guesser(kept_site) as guesser:
        assert guesser.page("dave", "").status_code == 403
        assert guesser.page("", "").status_code == 403


@pytest.mark.parametrize("name", ["*", "dave)(uid=*", "d*", "\\64ave", "cn=admin", "dave,ou=people"])
def test_name_with_the_directorys_syntax_is_no_login(name: str, kept_site: DemoSite) -> None:
    with Guesser(kept_site) as guesser:
        assert guesser.page(name, kept_site.accounts["dave"].password).status_code in (400, 403)
