"""Each user's things are private: sessions, logs, events, Jupyter over HTTP and websocket, files, processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import aiohttp
import httpx2
import pytest

from tests.demo_site import API, DemoSite, Front
from tests.person import Kernel, Live, Person


@dataclass
class Alices:
    """A session of alice's with a notebook, and strangers who try to get in."""

    live: Live
    kernel: Kernel
    address: str
    bobs_kernel: Kernel


@pytest.fixture(scope="module")
def alices(kept_site: DemoSite, person: Callable[[str], Person]) -> Alices:
    live, bobs = person("alice").start("Alice's own", gpus=1), person("bob").start(gpus=1)
    live.until("ready")
    bobs.until("ready")
    return Alices(live, live.kernel(), live.address, bobs.kernel())


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("DELETE", ""), ("GET", "/log"), ("GET", "/events")],
    ids=["see", "stop", "read the log of", "follow"],
)
def test_another_user_cannot(method: str, path: str, alices: Alices, person: Callable[[str], Person]) -> None:
    answer = person("bob").api(method, f"/sessions/{alices.live.id}{path}")
    unknown = person("bob").api(method, f"/sessions/abcdefghijkm{path}")
    assert (answer.status_code, unknown.status_code) == (404, 404)
    replace = [response.json()["error"]["message"].replace(alices.live.id, "ID") for response in (answer, unknown)]
    assert replace[0] == replace[1].replace("abcdefghijkm", "ID"), "Whether it exists is not told either."
    assert alices.live.now()["state"] == "ready"


def test_another_user_does_not_find_it_in_a_list(alices: Alices, person: Callable[[str], Person]) -> None:
    assert alices.live.id not in [session["id"] for session in person("bob").sessions("all")]


def test_another_user_cannot_open_a_template_in_it(alices: Alices, person: Callable[[str], Person]) -> None:
    template = person("bob").api("GET", "/templates").json()["items"][0]["id"]
    answer = person("bob").api("POST", f"/templates/{template}/open", json={"session": alices.live.id})
    assert answer.status_code == 404


def test_another_user_cannot_take_it_over_at_the_hub(alices: Alices, person: Callable[[str], Person]) -> None:
    bob = person("bob")
    answer = bob.hub("POST", "/servers/stolen", json={"user_options": {"session": alices.live.id}})
    assert 400 <= answer.status_code < 500
    assert [session for session in bob.sessions() if session["server_name"] == "stolen"] == []


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_another_user_cannot_act_on_its_server_at_the_hub(
    method: str, alices: Alices, person: Callable[[str], Person]
) -> None:
    server = alices.live.now()["server_name"]
    answer = person("bob").web.request(method, f"/hub/api/users/alice/servers/{server}")
    assert answer.status_code in (403, 404)
    assert alices.live.now()["state"] == "ready"


# --- Jupyter ---


def strangers(site: DemoSite, person: Callable[[str], Person]) -> dict[str, Mapping[str, str]]:
    return {"nobody": {}, "bob": {"Authorization": f"token {person('bob').token}"}}


@pytest.mark.parametrize("who", ["nobody", "bob"])
@pytest.mark.parametrize("path", ["api/contents", "api/kernels", "api/terminals", "lab", "files/.bashrc"])
def test_jupyter_lets_no_stranger_in(
    who: str, path: str, alices: Alices, kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    answer = httpx2.get(kept_site.at(f"{alices.address}{path}"), headers=strangers(kept_site, person)[who])
    assert answer.status_code in (302, 403)
    if answer.status_code == 302:
        assert answer.headers["location"].startswith(f"{kept_site.hub_url}/hub/")
    started = httpx2.post(
        kept_site.at(f"{alices.address}api/kernels"), headers=strangers(kept_site, person)[who], json={}
    )
    assert started.status_code == 403


@pytest.mark.parametrize("who", ["nobody", "bob"])
@pytest.mark.parametrize("what", ["kernel", "terminal", "events"])
def test_jupyter_opens_no_websocket_for_a_stranger(
    who: str, what: str, alices: Alices, kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    if what == "terminal":
        response = person("alice").web.post(f"{alices.address}api/terminals")
        path = f"terminals/websocket/{response.json()['name']}"
    else:
        path = {"kernel": f"api/kernels/{alices.kernel.id}/channels", "events": "api/events/subscribe"}[what]
    url = kept_site.at(f"{alices.address}{path}").replace("http:", "ws:")
    assert handshake(url, strangers(kept_site, person)[who]) in (302, 403)
    assert handshake(url, {"Authorization": f"token {person('alice').token}"}) == 101


def test_jupyter_opens_no_websocket_for_a_page_of_another_site(alices: Alices, kept_site: DemoSite) -> None:
    """Alice's browser, with her cookies, on a page from another site."""
    with kept_site.browser("alice") as browser:
        assert browser.get(f"{alices.address}lab").status_code == 200
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar if cookie.value)
    url = alices.kernel.socket
    assert handshake(url, {"Cookie": cookies, "Origin": kept_site.sessions_url("alice")}) == 101
    assert handshake(url, {"Cookie": cookies, "Origin": "http://evil.example"}) == 403


def handshake(url: str, headers: Mapping[str, str]) -> int:
    """Try to open a websocket; return the status of the answer, 101 if it opens."""

    async def attempt() -> int:
        async with aiohttp.ClientSession(headers=headers) as session:
            try:
                async with session.ws_connect(url):
                    return 101
            except aiohttp.WSServerHandshakeError as error:
                return error.status

    return asyncio.run(asyncio.wait_for(attempt(), 30))


# --- on the node ---


def test_another_users_session_cannot_reach_in_on_the_node(alices: Alices, kept_site: DemoSite) -> None:
    """From bob's notebook: alice's port without the proxy, her files, her processes, her job's secrets."""
    port = alices.kernel.value("__import__('os').environ['JUPYTERHUB_SERVICE_URL']").split("/")[2]
    agent = kept_site.run("pgrep", "-u", "alice", "-f", "agent.pyz").split()[0]
    home = "/run/portal-demo/home/alice"
    attempts = {
        "Jupyter": f"urllib.request.urlopen(urllib.request.Request('http://{port}{alices.address}api/contents', "
        "headers={'Authorization': 'token ' + os.environ['JUPYTERHUB_API_TOKEN']})).status",
        "home": f"os.listdir('{home}')",
        "log": f"open('{home}/.portal/sessions/{alices.live.id}.log').read()",
        "environment": f"open('/proc/{agent}/environ').read()",
        "signal": f"os.kill({agent}, 0)",
    }
    answers = {}
    for what, expression in attempts.items():
        code = (
            f"import os, urllib.request\ntry: {expression}\n"
            "except Exception as error: print(getattr(error, 'code', type(error).__name__))\nelse: print('IN')"
        )
        answers[what] = alices.bobs_kernel.run(code).strip()
    assert answers == {
        "Jupyter": "403",
        "home": "PermissionError",
        "log": "PermissionError",
        "environment": "PermissionError",
        "signal": "PermissionError",
    }


def test_token_of_a_session_uses_the_portal_as_its_user_and_opens_no_other_server(
    alices: Alices, kept_site: DemoSite
) -> None:
    """The token in a notebook's environment, which makes `portal sessions list` work in its terminal."""
    token = alices.kernel.value("__import__('os').environ['JUPYTERHUB_API_TOKEN']")
    headers = {"Authorization": f"token {token}"}
    assert httpx2.get(f"{kept_site.url}{API}/me", headers=headers).json()["username"] == "alice"
    bobs = httpx2.get(kept_site.at(f"{alices.bobs_kernel.address}api/contents"), headers=headers)
    assert bobs.status_code == 403
    more = httpx2.post(f"{kept_site.hub_url}/hub/api/users/alice/tokens", headers=headers, json={})
    assert more.status_code in (403, 404)


# --- strangers ---


def test_account_outside_the_portals_group_may_not_log_in_and_is_told_why(kept_site: DemoSite) -> None:
    eve = kept_site.accounts["eve"]
    with Front(kept_site, follow_redirects=True) as browser:
        browser.get("/hub/login")
        form = {"username": "eve", "password": eve.password, "_xsrf": browser.cookies["_xsrf"]}
        page = browser.post("/hub/login", data=form)
        assert page.status_code == 403
        assert "eve may not use this portal yet" in page.text
        assert browser.get("/hub/home").url.path == "/hub/login"
    body = {"auth": {"username": "eve", "password": eve.password}}
    token = httpx2.post(f"{kept_site.hub_url}/hub/api/users/eve/tokens", json=body)
    assert token.status_code == 403, token.text


@pytest.mark.parametrize("headers", [{}, {"Authorization": "token 0123456789abcdef"}, {"Cookie": "portal-login=x"}])
def test_api_answers_nobody_without_a_login(headers: Mapping[str, str], kept_site: DemoSite) -> None:
    description = httpx2.get(f"{kept_site.url}{API}/openapi.json").json()
    open_to_all = []
    for path, operations in description["paths"].items():
        for method in operations.keys() & {"get", "post", "put", "patch", "delete"}:
            answer = httpx2.request(method.upper(), kept_site.url + path, headers=headers, content=json.dumps({}))
            if answer.status_code != 401:
                open_to_all.append((method, path, answer.status_code))
    assert open_to_all == []


def test_administrator_may_stop_but_neither_open_it_nor_act_as_its_owner(
    kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    admin, live = person("admin"), person("dave").ready(gpus=0)
    assert admin.web.get(f"{live.address}api/status").status_code == 403
    assert admin.web.post("/hub/api/users/dave/tokens", json={"note": "as dave"}).status_code in (403, 404)
    assert admin.web.patch("/hub/api/users/dave", json={"admin": True}).status_code in (403, 404)
    assert "dave" in [user["name"] for user in admin.web.get("/hub/api/users").json()]
    assert admin.web.delete(f"/hub/api/users/dave/servers/{live.now()['server_name']}").status_code in (202, 204)
    assert live.ended()["end"]["code"] == "stopped"
