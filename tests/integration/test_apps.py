"""Apps behind the proxy on a real cluster: TensorBoard, the terminal, DIGITS (a stand-in), and how they fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import aiohttp
import pytest

from demo.site import INSIDE
from tests.demo_site import DemoSite
from tests.person import Live, Person
from tests.standins.site import bring_in

SMALL = {"gpus": 0, "cpus": 1, "memory_mib": 2048}


@pytest.fixture(scope="module")
def alice(kept_site: DemoSite, person: Callable[[str], Person]) -> Person:
    bring_in(kept_site)
    return person("alice")


@pytest.fixture(scope="module")
def digits(alice: Person) -> Live:
    live = alice.open("digits", resources={"gpus": 2})
    live.until("ready")
    return live


def over_websocket(live: Live, path: str, talk: Callable[[Any], Any], **headers: str) -> Any:
    async def opened() -> Any:
        token = {"Authorization": f"token {live.owner.token}"} | headers
        url = live.url.replace("http:", "ws:") + path
        async with aiohttp.ClientSession(headers=token) as session, session.ws_connect(url) as socket:
            return await asyncio.wait_for(talk(socket), 30)

    return asyncio.run(opened())


# --- TensorBoard ---


def test_several_tensorboards_run_at_once_each_on_its_folder(alice: Person) -> None:
    boards = [alice.open("tensorboard", {"folder": f"~/{name}"}) for name in ("one", "two")]
    for live, name in zip(boards, ("one", "two"), strict=True):
        live.until("ready")
        result = alice.web.get(f"{live.now()['url']}data/environment").json()
        assert result["data_location"].endswith(f"/alice/{name}")
    assert boards[0].now()["resources"]["gpus"] == 0
    font = "/font-roboto/oMMgfZMQthOryQo9n22dcuvvDin1pK8aKteLpeZ5c0A.woff2"  # at the host's root, whatever its prefix
    page = boards[0].now()["url"]
    answer = alice.web.get(urljoin(page, font), headers={"Referer": page}, follow_redirects=True)
    assert (answer.status_code, answer.content[:4]) == (200, b"wOF2")


def test_what_is_wrong_with_a_folder_is_told_before_anything_starts(alice: Person, kept_site: DemoSite) -> None:
    def check(folder: str) -> dict[str, Any]:
        body = {"app": "tensorboard", "options": {"folder": folder}}
        return dict(alice.api("POST", "/sessions/check", json=body).json())

    kept_site.run("sh", "-c", "mkdir -p ~/empty ~/full/run && touch ~/full/run/events.out.tfevents.1", user="alice")
    assert "does not exist yet" in check("~/nowhere")["warnings"][0]["message"]
    assert "files yet" in check("~/empty")["warnings"][0]["message"]
    assert check("~/full")["warnings"] == []
    hidden = check("/run/portal-demo/home/bob/runs")
    assert (hidden["ok"], hidden["problems"][0]["field"]) == (False, "options.folder")
    body = {"app": "tensorboard", "options": {"folder": "/run/portal-demo/home/bob/runs"}}
    refused = alice.api("POST", "/sessions", json=body)
    assert refused.status_code == 422
    assert refused.json()["error"]["fields"][0]["field"] == "options.folder"


# --- the terminal ---


def test_the_terminal_has_a_shell_in_the_session_and_keeps_it_when_the_page_goes(alice: Person) -> None:
    live = alice.open("terminal", resources=SMALL)
    live.until("ready")

    async def until(socket: aiohttp.ClientWebSocketResponse, wanted: bytes) -> bytes:
        text = b""
        while wanted not in text:
            message = await socket.receive()
            assert message.type is aiohttp.WSMsgType.BINARY, message
            text += message.data
        return text

    async def first(socket: aiohttp.ClientWebSocketResponse) -> bytes:
        await socket.send_str(json.dumps([100, 40]))
        await socket.send_bytes(b"stty size; id -un; echo $SLURM_JOB_ID; echo kept-$((40+2))\r")
        return await until(socket, b"kept-42")

    text = over_websocket(live, "shells/1", first).decode()
    assert "40 100" in text
    assert "alice" in text
    assert str(live.now()["job_id"]) in text

    async def again(socket: aiohttp.ClientWebSocketResponse) -> tuple[bytes, str]:
        shown = await until(socket, b"kept-42")
        await socket.send_bytes(b"exit 3\r")
        while (message := await socket.receive()).type is not aiohttp.WSMsgType.TEXT:
            pass
        return shown, message.data

    shown, ended = over_websocket(live, "shells/1", again)
    assert b"kept-42" in shown
    assert json.loads(ended) == {"ended": 3}


# --- DIGITS ---


def test_digits_opens_logged_in_as_its_user_at_its_own_path(digits: Live) -> None:
    seen = digits.owner.web.get(f"{digits.now()['url']}models/1?a=b").json()
    assert (seen["username"], seen["path"], seen["gpus"]) == ("alice", "models/1", "0,1")
    assert seen["jobs_dir"].endswith("/alice/digits-jobs")
    assert seen["cookies"] == ["username"]
    assert "Authorization" not in seen["headers"]


def test_digits_own_login_makes_nobody_somebody_else_and_sets_no_cookie_for_the_host(digits: Live) -> None:
    url = digits.address
    answer = digits.owner.web.post(f"{url}login", data={"username": "mallory"})
    assert (answer.status_code, answer.headers["location"]) == (302, url)
    assert "set-cookie" not in answer.headers
    page = digits.owner.web.get(f"{url}models", headers={"Cookie": "username=mallory"})
    assert page.json()["username"] == "alice"
    assert page.headers["set-cookie"].endswith(f"Path={url}")


def test_digits_live_updates_come_by_polling_and_by_websocket(digits: Live) -> None:
    polling = f"{digits.now()['url']}socket.io/?EIO=3&transport=polling"
    opened = digits.owner.web.get(polling).text
    assert '"upgrades": ["websocket"]' in opened
    assert "job update" in digits.owner.web.get(f"{polling}&sid=s1").text

    async def upgrade(socket: aiohttp.ClientWebSocketResponse) -> str:
        await socket.send_str("2probe")
        assert await socket.receive_str() == "3probe"
        await socket.send_str("5")
        return await socket.receive_str()

    path = "socket.io/?EIO=3&transport=websocket&sid=s1"
    assert "job update" in over_websocket(digits, path, upgrade, Origin=digits.site.sessions_url("alice"))


def test_digits_jobs_folder_is_made_for_its_user_alone(digits: Live) -> None:
    shown = digits.site.run("stat", "--format", "%U %a", "/run/portal-demo/home/alice/digits-jobs")
    assert shown.strip() == "alice 700"


def test_digits_without_caffe_says_so_and_gives_its_resources_back(alice: Person) -> None:
    live = alice.open("digits", environment="digits-without-caffe", resources=SMALL)
    end = live.ended()["end"]
    assert end["code"] == "app_failed"
    assert "Pycaffe not found" in end["text"]
    assert "A valid Caffe installation was not found" in live.log()["text"]


def test_an_environment_without_jupyter_is_found_out_once_and_shown_with_the_reason(alice: Person) -> None:
    where = "without-jupyter"

    def lab(path: str, key: str) -> dict[str, Any]:
        return next(app for app in alice.api("GET", path).json()[key] if app["name"] == "jupyterlab")

    assert where in lab("/options", "apps")["environments"]
    end = alice.open("jupyterlab", environment=where, resources=SMALL).ended()["end"]
    assert end["code"] == "no_jupyter"
    assert "This environment has no JupyterHub" in end["text"]
    assert where not in lab("/options", "apps")["environments"]
    reasons = {source["environment"]: source["reason"] for source in lab("/apps", "items")["sources"]}
    assert reasons[where] == "Your last session in it found no JupyterHub there."
    refused = alice.api("POST", "/sessions", json={"app": "jupyterlab", "environment": where})
    assert (refused.status_code, refused.json()["error"]["fields"][0]["field"]) == (422, "environment")


def test_a_program_that_modules_lack_is_found_out_once_and_shown_with_the_reason(
    alice: Person, kept_site: DemoSite
) -> None:
    where, folder = "without-jupyter", INSIDE / "home" / "alice" / ".config" / "portal" / "apps"
    app = f'title = "Viewer"\ncommand = ["not-there", "{{port}}"]\nenvironments = ["{where}"]\n'
    kept_site.run("mkdir", "-p", str(folder), user="alice")
    kept_site.run("tee", str(folder / "viewer.toml"), user="alice", stdin=app)

    def viewer() -> dict[str, Any]:
        return next(app for app in alice.api("GET", "/apps").json()["items"] if app["name"] == "my-viewer")

    try:
        assert viewer()["available"]
        end = alice.open("my-viewer", environment=where, resources=SMALL).ended()["end"]
        assert end["code"] == "no_program"
        assert "not-there is not in this environment" in end["text"]
        assert not viewer()["available"]
        said = "Your last session in it did not find the program not-there."
        assert {source["environment"]: source["reason"] for source in viewer()["sources"]} == {where: said}
        refused = alice.api("POST", "/sessions", json={"app": "my-viewer", "environment": where})
        assert (refused.status_code, said in refused.text) == (422, True)
    finally:
        kept_site.run("rm", "-f", str(folder / "viewer.toml"), user="alice")


def test_a_session_is_started_again_as_it_was(alice: Person) -> None:
    options = {"jobs": "~/other-jobs"}
    first = alice.open("digits", options, environment="digits", resources=SMALL)
    said = first.now()
    first.stop()
    again = alice.open(said["app"], said["options"], environment=said["environment"], resources=SMALL).now()
    for key in ("app", "options", "environment", "modules"):
        assert again[key] == said[key]
    assert again["options"] == options
