"""No app of the catalogue lets a stranger in: by request, by websocket, or on its own node."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

import aiohttp
import httpx2
import pytest

from demo import directory, people
from portal.settings.apps import shipped
from tests.demo_site import DemoSite
from tests.person import Live, Person
from tests.security.logins import log_out
from tests.security.test_other_people import handshake
from tests.standins.site import bring_in

# Those that a site has to switch on are shown in tests/apps, by the real programs.
APPS = [name for name, app in shipped().items() if app.get("enabled", True)]
OPTIONS = {"tensorboard": {"folder": "~/runs"}}
WEBSOCKET = {
    "jupyterlab": "api/events/subscribe",
    "terminal": "shells/1",
    "digits": "socket.io/",
    "vscode": "stable/socket",
}
# docs/explanation/security.md: a minute; the rest allows for a busy machine.
ENDED_WITHIN_S = 75


@pytest.fixture(scope="module")
def alices(kept_site: DemoSite, person: Callable[[str], Person]) -> dict[str, Live]:
    """A session of alice's for each app of the catalogue."""
    bring_in(kept_site)
    resources = {"gpus": 0, "cpus": 1, "memory_mib": 2048}
    alice = person("alice")
    sessions = {app: alice.open(app, OPTIONS.get(app), resources=resources) for app in APPS}
    for session in sessions.values():
        session.until("ready")
    return sessions


def address(session: Live) -> str:
    return session.address


def strangers(person: Callable[[str], Person]) -> dict[str, Mapping[str, str]]:
    return {"nobody": {}, "bob": {"Authorization": f"token {person('bob').token}"}}


@pytest.mark.parametrize("who", ["nobody", "bob"])
@pytest.mark.parametrize("app", APPS)
def test_a_stranger_is_refused_by_request_and_websocket(
    app: str, who: str, alices: dict[str, Live], kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    headers = strangers(person)[who]
    url = kept_site.at(address(alices[app]))
    for path in ("", "lab", "data/environment", "api/status", "login", "stable/x"):
        visit = httpx2.get(url + path, headers={**headers, "Accept": "text/html"})
        # Jupyter answers that there is no such page, and redirects from its root, before it checks the user.
        assert visit.status_code in (302, 403) or (app, visit.status_code) == ("jupyterlab", 404)
        assert visit.status_code != 302 or visit.headers["location"].startswith(
            (f"{kept_site.hub_url}/hub/", address(alices[app]))
        )
        posted = httpx2.post(url + path, headers=headers, json={}).status_code
        assert posted in (403, 405) or (app, posted) == ("jupyterlab", 404)
    socket = url.replace("http:", "ws:") + WEBSOCKET.get(app, "")
    assert handshake(socket, headers) in (302, 403)


@pytest.mark.parametrize("app", APPS)
def test_its_owner_gets_in(
    app: str, alices: dict[str, Live], kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    """Shows that the refusals above are refusals of the stranger, not of everybody."""
    alice = person("alice")
    assert alice.web.get(address(alices[app])).status_code in (200, 302)
    if app in WEBSOCKET:
        url = kept_site.at(address(alices[app])).replace("http:", "ws:") + WEBSOCKET[app]
        token = {"Authorization": f"token {alice.token}"}
        assert handshake(url, token) == 101
        if app != "jupyterlab":
            assert handshake(url, token | {"Origin": "http://evil.example"}) == 403


def test_open_websockets_end_soon_after_a_logout_and_after_their_token_is_revoked(
    alices: dict[str, Live], kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    """Those of an app behind the proxy, and those of a kernel's channels, which Jupyter itself admits."""
    alice = person("alice")
    kernel = alices["jupyterlab"].kernel()
    pages = [address(alices[app]) for app in ("terminal", "jupyterlab")]
    urls = [kept_site.at(pages[0]).replace("http:", "ws:") + WEBSOCKET["terminal"], kernel.socket]

    async def show(over: list[Mapping[str, str]]) -> None:
        async with aiohttp.ClientSession() as session, AsyncExitStack() as stack:

            async def opened(url: str, headers: Mapping[str, str]) -> asyncio.Task[aiohttp.WSMsgType]:
                socket = await stack.enter_async_context(session.ws_connect(url, headers=headers))
                return asyncio.ensure_future(_end_of(socket))

            stay = [await opened(url, {"Authorization": f"token {alice.token}"}) for url in urls]
            end = {
                await opened(url, headers): f"{app} by {way}"
                for app, url in zip(("terminal", "jupyterlab"), urls, strict=True)
                for way, headers in zip(("cookie", "token"), over, strict=True)
            }
            log_out(browser)
            alice.hub("DELETE", f"/tokens/{revoked['id']}").raise_for_status()
            still_open = (await asyncio.wait(end, timeout=ENDED_WITHIN_S))[1]
            assert {end[task] for task in still_open} == set()
            assert not any(task.done() for task in stay)

    revoked = alice.hub("POST", "/tokens", json={"note": "to be revoked", "expires_in": 600}).json()
    with kept_site.browser("alice") as browser:
        for page in pages:
            assert browser.get(page, headers={"Accept": "text/html"}).url.path.startswith(page)
        cookies = [
            f"{cookie.name}={cookie.value}"
            for cookie in browser.cookies.jar
            if any(p.startswith(cookie.path) for p in pages)
        ]
        over = [{"Cookie": "; ".join(cookies)}, {"Authorization": f"token {revoked['token']}"}]
        assert [handshake(url, headers) for url in urls for headers in over] == [101] * 4
        asyncio.run(show(over))
    assert [handshake(url, headers) for url in urls for headers in over] == [403] * 4
    assert kernel.run("print('still here')") == "still here\n"


@pytest.mark.slow
def test_who_is_taken_out_of_the_directory_loses_open_websockets_and_tokens(
    kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    """The Hub queries the directory every minute, the proxy the Hub every half minute."""
    carol = person("carol")
    resources = {"gpus": 0, "cpus": 1, "memory_mib": 2048}
    lives = {app: carol.open(app, resources=resources) for app in ("terminal", "jupyterlab")}
    for live in lives.values():
        live.until("ready")
    urls = [kept_site.at(address(live)).replace("http:", "ws:") + WEBSOCKET[app] for app, live in lives.items()]
    token = {"Authorization": f"token {carol.token}"}

    async def show() -> None:
        async with aiohttp.ClientSession(headers=token) as session:
            sockets = [await session.ws_connect(url) for url in urls]
            membership(kept_site, "delete", "carol")
            await asyncio.wait_for(asyncio.gather(*map(_end_of, sockets)), 180)

    assert carol.hub("GET", "").status_code == 200
    try:
        asyncio.run(show())
        assert carol.hub("GET", "").status_code == 403
        assert [handshake(url, token) for url in urls] == [403, 403]
        assert carol.api("GET", "/me").status_code in (401, 403)
    finally:
        membership(kept_site, "add", "carol")
    kept_site.wait_for(lambda: carol.hub("GET", "").status_code == 200, "the Hub to know carol again")
    for live in lives.values():
        live.stop()
        live.ended()


def membership(site: DemoSite, change: str, name: str) -> None:
    """Add a user to the group of those who may log in, or remove them."""
    group, member = f"cn={people.LOGIN_GROUP},ou=groups,{people.SUFFIX}", f"uid={name},ou=people,{people.SUFFIX}"
    text = f"dn: {group}\nchangetype: modify\n{change}: member\nmember: {member}\n"
    site.run("ldapmodify", "-Q", "-Y", "EXTERNAL", "-H", directory.LDAPI, stdin=text)


async def _end_of(socket: aiohttp.ClientWebSocketResponse) -> aiohttp.WSMsgType:
    while True:
        message = await socket.receive()
        if message.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            return message.type


# --- on the node ---

LOOK = """
import glob, http.client, json, os, socket
answers = {}
for ip, port in LISTENERS:
    for path in PATHS:
        connection = http.client.HTTPConnection("127.0.0.1" if ip == "0.0.0.0" else ip, port, timeout=3)
        try:
            connection.request("GET", path)
            answers[f"{port} {path}"] = connection.getresponse().status
        except TimeoutError:
            answers[f"{port} {path}"] = "TimeoutError"
            break  # a kernel's own ports, which speak no HTTP on any path
        except (OSError, http.client.HTTPException) as error:
            answers[f"{port} {path}"] = type(error).__name__
sockets = {}
for folder in FOLDERS:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(folder + "/app.sock")
            sockets[folder] = "IN"
        except OSError as error:
            sockets[folder] = type(error).__name__
print(json.dumps({"ports": answers, "sockets": sockets}))
"""


@dataclass(frozen=True)
class OnTheNode:
    """What bob's notebook could reach of alice's apps on their shared node."""

    ports: dict[str, int | str]
    sockets: dict[str, str]


@pytest.fixture(scope="module")
def seen_by_bob(alices: dict[str, Live], kept_site: DemoSite, person: Callable[[str], Person]) -> OnTheNode:
    # Slurm starts nothing on a node where a job is just ending.
    kept_site.wait_for(lambda: all(job["state"] != "COMPLETING" for job in kept_site.jobs()), "ended jobs to be gone")
    bobs = person("bob").ready(gpus=0)
    nodes = {session.now()["node"] for session in alices.values()}
    assert nodes == {bobs.now()["node"]}, "The two users' jobs must share a node for this to show anything."
    return look_around(bobs, "alice", ["/", *(address(session) for session in alices.values())])


def look_around(live: Live, owner: str, paths: list[str]) -> OnTheNode:
    """Try all that `owner` listens with on the node, from another user's notebook."""
    site = live.site
    # The folder of the owner's app sockets; another user's process could at best guess their names.
    folders = site.run("find", "/tmp", "-maxdepth", "1", "-name", "dsp-*", "-user", owner).split()
    code = LOOK.replace("LISTENERS", repr(listeners(site, owner))).replace("PATHS", repr(paths))
    data = json.loads(live.kernel().run(code.replace("FOLDERS", repr(folders))))
    return OnTheNode(data["ports"], data["sockets"])


def listeners(site: DemoSite, user: str) -> list[tuple[str, int]]:
    """Return where a user's processes listen. Sites of a machine share its ports; `ss` names this one's processes."""
    uid = site.run("id", "-u", user).strip()
    lines = site.run("ss", "-Hltnpe4").splitlines()
    own = [line for line in lines if "users:(" in line and f" uid:{uid} " in line]
    addresses = (line.split()[3].rpartition(":") for line in own)
    return sorted((address.partition("%")[0], int(port)) for address, _, port in addresses)


def test_another_users_job_on_the_node_reaches_no_app_by_tcp(seen_by_bob: OnTheNode) -> None:
    """Every port that a process of alice's listens on, on every path: the login, or nothing."""
    web = {key: status for key, status in seen_by_bob.ports.items() if isinstance(status, int)}
    assert len({key.split()[0] for key in web}) >= len(APPS), "The proxies at least must have been found."
    assert {key: status for key, status in web.items() if status not in (302, 403, 404)} == {}


def test_another_users_job_on_the_node_reaches_no_apps_socket(seen_by_bob: OnTheNode) -> None:
    outcomes = list(seen_by_bob.sockets.values())
    assert outcomes.count("PermissionError") >= len(APPS)
    assert set(outcomes) <= {"PermissionError", "FileNotFoundError"}  # one that has ended meanwhile


def test_an_app_in_a_network_of_its_own_is_not_on_the_nodes_ports(alices: dict[str, Live], kept_site: DemoSite) -> None:
    """DIGITS listens on 0.0.0.0:8000 in its own network; on the node, nothing of alice's does."""
    shown = kept_site.run("sh", "-c", "cat /proc/net/tcp | awk '$4 == \"0A\" {print $2, $8}'")
    uid = kept_site.run("id", "-u", "alice").strip()
    assert f"{8000:04X}" not in [line.split()[0].split(":")[1] for line in shown.splitlines() if line.split()[1] == uid]
