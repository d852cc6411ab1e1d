"""Ports of a session's own programs, opened in the browser: by whom, and whose programs."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2
import pytest

from tests.demo_site import DemoSite, setting
from tests.person import Live, Person
from tests.security.logins import log_out
from tests.security.test_other_people import handshake

SMALL = {"gpus": 0, "cpus": 1, "memory_mib": 2048}
#: Like Streamlit, a tornado server with a websocket; it says what it saw.
SERVER = """
import asyncio, json, sys
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler
class Seen(RequestHandler):
    def get(self):
        self.set_cookie("theirs", "1", path="/")
        self.write({"path": self.request.uri, "headers": dict(self.request.headers.get_all()), "who": sys.argv[2]})
    def post(self):
        self.write({"size": len(self.request.body)})
class Page(RequestHandler):
    def get(self):
        self.redirect("/landed")
class Echo(WebSocketHandler):
    def on_message(self, message):
        self.write_message(message)
async def main():
    Application([("/.*redirect", Page), ("/.*echo", Echo), ("/.*", Seen)]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()
asyncio.run(main())
"""
PORTS = {"lab": 8511, "terminal": 8512, "neighbour": 8513, "later": 8514, "loggedout": 8515, "off": 8516}


def in_shell(live: Live, command: str, until: bytes) -> None:
    """Type a command into a terminal session, and wait for what it prints."""

    async def typed() -> None:
        token = {"Authorization": f"token {live.owner.token}"}
        url = live.url.replace("http:", "ws:") + "shells/1"
        async with aiohttp.ClientSession(headers=token) as session, session.ws_connect(url) as socket:
            await socket.send_str(json.dumps([200, 40]))
            await socket.send_bytes(command.encode() + b"\r")
            text = b""
            while until not in text:
                message = await asyncio.wait_for(socket.receive(), 30)
                assert message.type is aiohttp.WSMsgType.BINARY, message
                text += message.data

    asyncio.run(typed())


def bring(site: DemoSite, user: str) -> None:
    encoded = base64.b64encode(SERVER.encode()).decode()
    site.run("sh", "-c", f"echo {encoded} | base64 -d >~/port_app.py", user=user)


def serve_in_terminal(live: Live, port: int) -> None:
    in_shell(live, f"python port_app.py {port} {live.owner.name} & echo started-$((40+2))", b"started-42")


def session_of(person: Person, name: str) -> Live:
    bring(person.site, person.name)
    live = person.open("terminal", name=name, resources=SMALL)
    live.until("ready")
    return live


@pytest.fixture(scope="module")
def alice(person: Callable[[str], Person]) -> Person:
    return person("alice")


@pytest.fixture(scope="module")
def terminal(alice: Person) -> Live:
    live = session_of(alice, "shell")
    serve_in_terminal(live, PORTS["terminal"])
    return live


@pytest.fixture(scope="module")
def lab(alice: Person) -> Live:
    bring(alice.site, "alice")
    live = alice.ready("lab", **SMALL)
    start = f"import subprocess; subprocess.Popen(['python', 'port_app.py', '{PORTS['lab']}', 'alice']); print('up')"
    assert "up" in live.kernel().run(start)
    return live


@pytest.fixture(params=["lab", "terminal"])
def live(request: pytest.FixtureRequest) -> Live:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


def port_of(live: Live) -> int:
    return PORTS["lab" if live.now()["app"] == "jupyterlab" else "terminal"]


def at(live: Live, port: int, path: str = "", form: str = "") -> str:
    return f"{urlsplit(live.now()['ports_url']).path}{form}{port}/{path}"


def listed(live: Live, port: int) -> dict[str, Any]:
    def there() -> dict[str, Any] | None:
        usage = live.now()["usage"]
        return next((found for found in usage["ports"] if found["port"] == port), None) if usage else None

    return live.site.wait_for(there, f"port {port} to be listed", 15) or {}


def answers(live: Live, port: int) -> dict[str, Any]:
    def there() -> dict[str, Any] | None:
        answer = live.owner.web.get(at(live, port))
        return dict(answer.json()) if answer.status_code == 200 else None

    return live.site.wait_for(there, f"port {port} to answer", 20) or {}


def test_a_port_is_listed_soon_with_its_program_and_nothing_of_jupyters(live: Live) -> None:
    assert listed(live, port_of(live))["process"] == "port_app.py"
    assert {found["port"] for found in live.now()["usage"]["ports"]} <= set(PORTS.values())


def test_the_program_sees_paths_without_the_prefix_and_neither_cookies_nor_token(live: Live) -> None:
    answers(live, port_of(live))
    with live.site.browser("alice") as browser:
        page = browser.get(at(live, port_of(live), "a?b=c"), headers={"Accept": "text/html"})
        page = browser.get(at(live, port_of(live), "a?b=c"), headers={"Accept": "text/html"})
    seen = page.json()
    assert (seen["path"], seen["who"]) == ("/a?b=c", "alice")
    headers = {name.lower(): value for name, value in seen["headers"].items()}
    assert headers["x-forwarded-prefix"] == at(live, port_of(live)).rstrip("/")
    assert "authorization" not in headers
    assert headers["cookie"] == "theirs=1"
    assert page.headers["set-cookie"] == f"theirs=1; Path={at(live, port_of(live))}"


def test_the_absolute_form_keeps_the_prefix(live: Live) -> None:
    answers(live, port_of(live))
    path = at(live, port_of(live), "x", form="absolute/")
    assert live.owner.web.get(path).json()["path"] == path
    moved = live.owner.web.get(at(live, port_of(live), "redirect"), follow_redirects=False)
    assert moved.headers["location"] == at(live, port_of(live), "landed")


def test_a_body_of_megabytes_passes(live: Live) -> None:
    answers(live, port_of(live))
    answer = live.owner.web.post(at(live, port_of(live)), content=b"x" * 5_000_000)
    assert answer.json() == {"size": 5_000_000}


def test_what_the_page_asks_for_at_its_hosts_root_comes_from_its_port(live: Live) -> None:
    answers(live, port_of(live))
    page = live.site.at(at(live, port_of(live), "deep/page"))
    origin = "/".join(live.now()["url"].split("/")[:3])
    found = live.owner.web.get(f"{origin}/static/app.js?v=1", headers={"Referer": page}, follow_redirects=True)
    assert found.json()["path"] == "/static/app.js?v=1"


def echo(live: Live, port: int, **headers: str) -> int:
    """Talk over a websocket; return the status of a refusal, or 101."""

    async def talk() -> int:
        url = live.site.at(at(live, port, "echo")).replace("http", "ws", 1)
        async with aiohttp.ClientSession(headers=headers) as session:
            try:
                async with session.ws_connect(url, max_msg_size=1 << 22) as socket:
                    for text in ("hello", "x" * 300_000):
                        await socket.send_str(text)
                        assert await asyncio.wait_for(socket.receive_str(), 20) == text
                    return 101
            except aiohttp.WSServerHandshakeError as error:
                return error.status

    return asyncio.run(talk())


def test_websockets_pass_for_the_owner_and_pages_of_the_host_alone(live: Live) -> None:
    answers(live, port_of(live))
    token = {"Authorization": f"token {live.owner.token}"}
    assert echo(live, port_of(live), **token) == 101
    assert echo(live, port_of(live), **token, Origin=live.site.sessions_url("alice")) == 101
    assert echo(live, port_of(live), **token, Origin="http://evil.example") == 403


@pytest.mark.parametrize("who", ["bob", "admin", "nobody"])
def test_nobody_else_opens_it_by_request_or_websocket(live: Live, who: str, person: Callable[[str], Person]) -> None:
    answers(live, port_of(live))
    token = {} if who == "nobody" else {"Authorization": f"token {person(who).token}"}
    answer = httpx2.get(live.site.at(at(live, port_of(live))), headers=token, follow_redirects=False)
    assert answer.status_code in (302, 403, 404)
    assert "who" not in answer.text
    assert echo(live, port_of(live), **token) in (200, 403, 404)  # 200: led to the login page


def test_a_logout_ends_it(live: Live) -> None:
    answers(live, port_of(live))
    with live.site.browser("alice") as browser:
        path = at(live, port_of(live))
        assert browser.get(path, headers={"Accept": "text/html"}).status_code == 200
        log_out(browser)

        def refused() -> bool:
            return browser.get(path, follow_redirects=False).status_code in (302, 403)

        assert live.site.wait_for(refused, "the login to be over", 60)


def test_open_websockets_end_soon_after_a_logout_and_with_the_session(alice: Person) -> None:
    live = session_of(alice, "closing")
    serve_in_terminal(live, PORTS["loggedout"])
    answers(live, PORTS["loggedout"])
    path = at(live, PORTS["loggedout"])
    url = live.site.at(path + "echo").replace("http", "ws", 1)
    token = {"Authorization": f"token {alice.token}"}

    async def show() -> None:
        async with aiohttp.ClientSession() as session:
            ours = await session.ws_connect(url, headers={"Cookie": cookies})
            other = await session.ws_connect(url, headers=token)
            log_out(browser)
            await closed(ours)
            await other.send_str("still here")
            assert await other.receive_str(timeout=20) == "still here"
            live.stop()
            await closed(other)

    with live.site.browser("alice") as browser:
        assert browser.get(path, headers={"Accept": "text/html"}).status_code == 200
        jar = browser.cookies.jar
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar if path.startswith(cookie.path))
        asyncio.run(show())
    assert handshake(url, {"Cookie": cookies}) in (302, 403, 404, 503)
    live.ended()


async def closed(socket: aiohttp.ClientWebSocketResponse) -> None:
    while (await socket.receive(timeout=60)).type not in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR):
        pass


def test_no_port_opens_where_the_site_has_switched_it_off(alice: Person) -> None:
    with setting(alice.site, "", replace=("[agent]\n", "[agent]\nopen_ports = false\n")):
        for live in (session_of(alice, "off"), alice.ready("off-lab", **SMALL)):
            assert live.now()["ports_url"] is None
            serving = live.now()["app"] == "terminal"
            if serving:
                serve_in_terminal(live, PORTS["off"])
            refused = alice.web.get(f"{urlsplit(live.url).path.removesuffix('lab')}proxy-port/{PORTS['off']}/")
            assert refused.status_code in (404, 503)
            assert "who" not in refused.text
            live.stop()
            live.ended()


def test_a_neighbours_program_is_never_connected_to(live: Live, person: Callable[[str], Person]) -> None:
    theirs = session_of(person("bob"), "neighbour")
    assert theirs.now()["node"] is not None
    try:
        serve_in_terminal(theirs, PORTS["neighbour"])
        assert answers(theirs, PORTS["neighbour"])["who"] == "bob"
        refused = live.owner.web.get(at(live, PORTS["neighbour"]))
        assert refused.status_code == 403
        assert "outside this session" in refused.text
        usage = live.site.wait_for(lambda: live.now()["usage"], "the agent's first word of what is used")
        assert PORTS["neighbour"] not in {found["port"] for found in usage["ports"]}
    finally:
        theirs.stop()
        theirs.ended()


def test_another_session_of_the_same_user_does_not_open_it(lab: Live, terminal: Live) -> None:
    answers(lab, PORTS["lab"])
    assert terminal.owner.web.get(at(terminal, PORTS["lab"])).status_code == 403


def test_what_cannot_be_opened_is_said(live: Live) -> None:
    nothing = live.owner.web.get(at(live, PORTS["later"]))
    assert (nothing.status_code, nothing.headers["refresh"]) == (503, "2")
    assert "Nothing listens on 8514 yet" in nothing.text
    system = live.owner.web.get(at(live, 22))
    assert (system.status_code, "belong to the system" in system.text) == (403, True)
    assert live.owner.web.get(at(live, 99999)).status_code == 404


def test_jupyters_own_ports_are_refused(lab: Live) -> None:
    found = lab.kernel().run("from ipykernel.connect import get_connection_info; print(get_connection_info())")
    port = json.loads(found)["shell_port"]
    refused = lab.owner.web.get(at(lab, port))
    assert (refused.status_code, "one of its kernels" in refused.text) == (403, True)


def test_a_port_without_a_slash_leads_to_the_one_with_it(live: Live) -> None:
    moved = live.owner.web.get(at(live, port_of(live)).rstrip("/") + "?a=b", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (302, f"{at(live, port_of(live))}?a=b")
