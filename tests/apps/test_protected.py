"""The real apps let nobody in but their owner: by request, by websocket, on their node, and after a logout."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial

import aiohttp
import httpx2
import pytest

from tests.apps.conftest import READY_TIMEOUT_S, SMALL
from tests.apps.real import OPTIONS
from tests.demo_site import DemoSite
from tests.person import Live, Person
from tests.security.logins import log_out
from tests.security.test_apps import ENDED_WITHIN_S, _end_of, look_around
from tests.security.test_other_people import handshake

WEBSOCKET = {"streamlit": "_stcore/stream", "voila": "api/kernels/1/channels", "desktop": "rfb"}
LASTING = ("streamlit", "desktop")
APPS = list(OPTIONS)
# Every X display of the node, and every VNC server, as another user of the node finds them.
KNOCK = """
import json, socket, subprocess
paths = {line.split()[-1] for line in open("/proc/net/unix")}
displays, vnc = {}, {}
for path in paths:
    if path.startswith("@/tmp/.X11-unix/X"):
        display = ":" + path.rpartition("X")[2]
        done = subprocess.run(["xdpyinfo", "-display", display], capture_output=True, text=True)
        displays[display] = done.stderr if done.returncode else "IN"
    elif path.endswith("/vnc.sock"):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(path)
                vnc[path] = "IN"
            except OSError as error:
                vnc[path] = type(error).__name__
print(json.dumps({"displays": displays, "vnc": vnc}))
"""


@pytest.fixture(scope="module")
def alices(alice: Person) -> dict[str, Live]:
    sessions = {app: alice.open(app, OPTIONS[app], resources=SMALL) for app in APPS}
    for session in sessions.values():
        session.until("ready", timeout_s=READY_TIMEOUT_S)
    return sessions


@pytest.mark.parametrize("who", ["nobody", "bob"])
@pytest.mark.parametrize("app", APPS)
def test_a_stranger_is_refused_by_request_and_websocket(
    app: str, who: str, alices: dict[str, Live], kept_site: DemoSite, person: Callable[[str], Person]
) -> None:
    headers = {"Authorization": f"token {person('bob').token}"} if who == "bob" else {}
    url = kept_site.at(alices[app].address)
    for path in (
        "",
        "_stcore/health",
        "config",
        "health",
        "voila/static/voila.js",
        "api/2.0/mlflow/experiments/search",
        "desktop.js",
        "v1/models",
        "healthz",
    ):
        assert httpx2.get(url + path, headers=headers).status_code in (302, 403), path
        assert httpx2.post(url + path, headers=headers, json={}).status_code == 403, path
    assert handshake(url.replace("http:", "ws:") + WEBSOCKET.get(app, ""), headers) in (302, 403)


@pytest.mark.parametrize("app", APPS)
def test_its_owner_gets_in(app: str, alices: dict[str, Live], alice: Person) -> None:
    answer = alice.web.get(alices[app].address, follow_redirects=True)  # VS Code leads to its folder
    assert answer.status_code == 200
    assert answer.url.path == alices[app].address


def test_another_users_job_on_the_node_reaches_none(alices: dict[str, Live], person: Callable[[str], Person]) -> None:
    bobs = person("bob").ready(gpus=0)
    assert {session.now()["node"] for session in alices.values()} == {bobs.now()["node"]}, "They share a node."
    paths = ["/", "/health", "/healthz", "/config", "/_stcore/health"]
    seen = look_around(bobs, "alice", [*paths, *(session.address for session in alices.values())])
    web = {key: status for key, status in seen.ports.items() if isinstance(status, int)}
    assert len({key.split()[0] for key in web}) >= len(APPS), "The proxies at least must have been found."
    assert {key: status for key, status in web.items() if status not in (302, 403, 404)} == {}
    assert list(seen.sockets.values()).count("PermissionError") >= len(APPS)
    assert "IN" not in seen.sockets.values()


def test_another_users_job_on_the_node_reaches_neither_the_display_nor_its_vnc_server(
    alices: dict[str, Live], person: Callable[[str], Person]
) -> None:
    bobs = person("bob").ready(gpus=0)
    assert bobs.now()["node"] == alices["desktop"].now()["node"]
    seen = json.loads(bobs.kernel().run(KNOCK))
    assert seen["displays"]
    for answer in seen["displays"].values():
        assert "Authorization required" in answer
    assert seen["vnc"]
    assert set(seen["vnc"].values()) == {"PermissionError"}


def test_a_logout_ends_open_websockets_and_shuts_the_pages(alices: dict[str, Live], kept_site: DemoSite) -> None:
    pages = {app: session.address for app, session in alices.items()}
    sockets = {app: kept_site.at(pages[app]).replace("http:", "ws:") + WEBSOCKET[app] for app in LASTING}

    async def show(cookies: Mapping[str, Mapping[str, str]]) -> None:
        async with aiohttp.ClientSession() as session, AsyncExitStack() as stack:
            ends = []
            for app, socket in sockets.items():
                opened = await stack.enter_async_context(session.ws_connect(socket, headers=cookies[app]))
                ends.append(asyncio.ensure_future(_end_of(opened)))
            await asyncio.sleep(1)
            assert not any(end.done() for end in ends)
            log_out(browser)
            await asyncio.wait_for(asyncio.gather(*ends), ENDED_WITHIN_S)

    with kept_site.browser("alice") as browser:
        for page in pages.values():
            assert browser.get(page, headers={"Accept": "text/html"}).url.path.startswith(page)
        jar = [(cookie.path, f"{cookie.name}={cookie.value}") for cookie in browser.cookies.jar]
        cookies = {
            app: {"Cookie": "; ".join(cookie for path, cookie in jar if page.startswith(path))}
            for app, page in pages.items()
        }
        asyncio.run(show(cookies))
    for app, page in pages.items():
        kept_site.wait_for(partial(shut, kept_site.at(page), cookies[app]), f"{app} to be shut", ENDED_WITHIN_S)


def shut(url: str, cookies: Mapping[str, str]) -> bool:
    return httpx2.get(url, headers=cookies).status_code in (302, 403)
