"""A user of a demo site: their sessions through the portal's API, their notebooks through Jupyter's REST and
websocket.
"""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2

from tests.demo_site import API, DemoSite, Front

START_TIMEOUT_S = 60
END_TIMEOUT_S = 40
CELL_TIMEOUT_S = 60


@dataclass(frozen=True)
class Person:
    """A user with an account and a Hub token; `web` goes through the proxy, `api` to the portal's API."""

    site: DemoSite
    name: str
    token: str
    web: httpx2.Client

    @classmethod
    def of(cls, site: DemoSite, name: str) -> Person:
        """Log a user in; close it after use."""
        token = site.token(name)
        web = Front(site, headers={"Authorization": f"token {token}"}, timeout=60)
        return cls(site, name, token, web)

    def close(self) -> None:
        self.web.close()

    def api(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return self.web.request(method, API + path, **options)

    def ask(self, name: str | None = None, **resources: Any) -> httpx2.Response:
        body = {"app": "jupyterlab", "name": name, "resources": resources}
        return self.api("POST", "/sessions", json={key: value for key, value in body.items() if value is not None})

    def start(self, name: str | None = None, **resources: Any) -> Live:
        """Request a session and return it as soon as it is accepted."""
        response = self.ask(name, **resources)
        assert response.status_code == 202, response.text
        return Live(self, response.json()["id"])

    def open(self, app: str, options: dict[str, Any] | None = None, **more: Any) -> Live:
        """Start a session of an app, without waiting for it."""
        response = self.api("POST", "/sessions", json={"app": app, "options": options or {}, **more})
        assert response.status_code == 202, response.text
        return Live(self, response.json()["id"])

    def ready(self, name: str | None = None, **resources: Any) -> Live:
        """Start a session and wait until it can be opened."""
        live = self.start(name, **resources)
        live.until("ready")
        return live

    def sessions(self, state: str = "active") -> list[dict[str, Any]]:
        response = self.api("GET", "/sessions", params={"state": state})
        response.raise_for_status()
        return list(response.json()["items"])

    def hub(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return self.web.request(method, f"/hub/api/users/{self.name}{path}", **options)


@dataclass(frozen=True)
class Live:
    """A session that a user started."""

    owner: Person
    id: str

    @property
    def site(self) -> DemoSite:
        return self.owner.site

    def now(self) -> dict[str, Any]:
        response = self.owner.api("GET", f"/sessions/{self.id}")
        response.raise_for_status()
        return dict(response.json())

    def until(self, *states: str, timeout_s: float = START_TIMEOUT_S) -> dict[str, Any]:
        """Wait until it is in one of these states; fail at once if it has ended instead."""

        def there() -> dict[str, Any] | None:
            session = self.now()
            assert session["state"] in states or session["state"] != "ended", session["end"]
            return session if session["state"] in states else None

        return self.site.wait_for(there, f"session {self.id} to be {' or '.join(states)}", timeout_s) or {}

    def stop(self) -> None:
        response = self.owner.api("DELETE", f"/sessions/{self.id}")
        assert response.status_code == 202, response.text

    def ended(self, timeout_s: float = END_TIMEOUT_S) -> dict[str, Any]:
        """Wait for its end and return how it ended, according to its history."""
        return self.until("ended", timeout_s=timeout_s)

    def job(self) -> dict[str, str]:
        """Return slurmctld's record of its job, field by field."""
        return show_job(self.site, self.now()["job_id"])

    def saved(self) -> None:
        """Wait until a killed slurmctld would remember its job: slurmctld saves its state every few seconds."""
        look = ("grep", "--quiet", "--text", f"dsp-{self.id}", "/run/portal-demo/slurm/state/job_state")
        self.site.wait_for(lambda: self.site.process(*look).returncode == 0, "slurmctld to save its state")

    def events(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the events so far."""
        past = []
        with self.follow(after) as frames:
            for kind, data in frames:
                if kind in ("live", "end"):
                    break
                past.append(data)
        return past

    @contextmanager
    def follow(self, after: int = 0, timeout_s: float = 60) -> Iterator[Iterator[tuple[str, Any]]]:
        """Yield the session's server-sent events as (kind, data); fail after a silence of `timeout_s`."""
        path = f"{API}/sessions/{self.id}/events"
        with self.owner.web.stream("GET", path, params={"after": after}, timeout=timeout_s) as response:
            assert response.status_code == 200
            yield frames(response)

    def log(self, **where: int) -> dict[str, Any]:
        response = self.owner.api("GET", f"/sessions/{self.id}/log", params=where)
        response.raise_for_status()
        return dict(response.json())

    @property
    def address(self) -> str:
        """The path of its Jupyter server, /user/alice/x/."""
        return urlsplit(self.url).path.removesuffix("lab")

    @property
    def url(self) -> str:
        """The address where a browser opens it."""
        url = self.now()["url"]
        assert url, "The session is not ready."
        return str(url)

    def kernel(self) -> Kernel:
        address = self.address
        response = self.owner.web.post(f"{address}api/kernels", json={"name": "python3"})
        assert response.status_code == 201, response.text
        return Kernel(self.owner, address, response.json()["id"])

    def typed(self, command: str) -> str:
        """Type a command into a new terminal of JupyterLab and return what it prints."""
        address = self.address
        response = self.owner.web.post(f"{address}api/terminals")
        assert response.status_code == 200, response.text
        url = self.site.at(f"{address}terminals/websocket/{response.json()['name']}").replace("http", "ws", 1)
        # The shell's echo of the line has the sums, what it prints their results.
        line = f"echo begin-$((40+2)); {command}; echo end-$((40+3))\r"
        printed = re.compile(r"begin-42\r\n(.*)end-43\r\n", re.DOTALL)

        async def read() -> str:
            async with (
                aiohttp.ClientSession(headers={"Authorization": f"token {self.owner.token}"}) as session,
                session.ws_connect(url, ssl=self.site.tls) as socket,
            ):
                await socket.send_json(["stdin", line])
                text = ""
                async for frame in socket:
                    kind, *piece = frame.json()
                    text += piece[0] if kind == "stdout" else ""
                    if found := printed.search(text):
                        return found[1].replace("\r\n", "\n")
            raise AssertionError(f"The terminal closed its websocket: {text}")

        return asyncio.run(asyncio.wait_for(read(), CELL_TIMEOUT_S))


@dataclass(frozen=True)
class Kernel:
    """A Python kernel in a session; its variables persist from one `run` to the next."""

    owner: Person
    address: str
    id: str

    @property
    def socket(self) -> str:
        address = self.owner.site.at(f"{self.address}api/kernels/{self.id}/channels")
        return address.replace("http", "ws", 1)

    def run(self, code: str) -> str:
        """Run code as a notebook cell and return its output; fail on an error in it."""
        return asyncio.run(asyncio.wait_for(self._run(code), CELL_TIMEOUT_S))

    def value(self, expression: str) -> Any:
        """Evaluate an expression whose value is JSON."""
        return json.loads(self.run(f"import json; print(json.dumps({expression}))"))

    async def _run(self, code: str) -> str:
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": "execute_request",
            "username": self.owner.name,
            "session": uuid.uuid4().hex,
            "version": "5.3",
        }
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False, "stop_on_error": True}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        printed = []
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"token {self.owner.token}"}) as session,
            session.ws_connect(self.socket, max_msg_size=0, ssl=self.owner.site.tls) as socket,
        ):
            await socket.send_json(message)
            async for frame in socket:
                answer = frame.json()
                if answer["parent_header"].get("msg_id") != header["msg_id"]:
                    continue
                kind, content = answer["header"]["msg_type"], answer["content"]
                if kind == "stream" and content["name"] == "stdout":
                    printed.append(content["text"])
                elif kind == "error":
                    raise AssertionError("\n".join(content["traceback"]))
                elif kind == "status" and content["execution_state"] == "idle":
                    return "".join(printed)
        raise AssertionError("The kernel closed its websocket before the cell was done.")


def frames(response: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """Read a stream of events; ("live", None) separates the past events from the live ones."""
    kind = "message"
    for line in response.iter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))
        elif line.startswith("retry: "):
            yield "live", None


def show_job(site: DemoSite, job_id: int) -> dict[str, str]:
    """Parse `scontrol show job -d` into keys and values; a value ends where the next key begins."""
    text = site.run("scontrol", "--detail", "--oneliner", "show", "job", str(job_id))
    pairs = (part.partition("=") for part in text.split() if "=" in part)
    return {key: value for key, _, value in pairs}
