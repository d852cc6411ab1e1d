"""This portal: POST to its API until the session's event stream reports ready, as the web app does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import httpx2

from bench.testbed.site import Resources
from tests.demo_site import API, DemoSite, Front

ENDS_WITHIN_S = 60


class PortalPeer:
    name = "portal"
    title = "this portal"

    def __init__(self, site: DemoSite, resources: Resources, user: str) -> None:
        self._site = site
        self._http = Front(
            site,
            headers={"Authorization": f"token {site.token(user)}"},
            timeout=httpx2.Timeout(60),
            trust_env=False,
        )
        self._body = {"app": "jupyterlab", "resources": {**asdict(resources), "nodes": 1}}
        self.session: dict[str, Any] = {}

    @property
    def base_url(self) -> str:
        """Return the path that the session's server serves."""
        return f"/user/{self.session['owner']}/{self.session['server_name']}/"

    def start(self) -> float:
        began = time.monotonic()
        self.ask()
        for event in self.events():
            if event["state"] == "ready":
                took = time.monotonic() - began
                self._http.get(f"{self.base_url}api/status").raise_for_status()
                return took
        raise RuntimeError(f"The session ended before it was ready: {self.look()['end']}")

    def ask(self) -> None:
        response = self._http.post(f"{API}/sessions", json=self._body)
        if not response.is_success:
            raise RuntimeError(f"The portal refused: {response.status_code} {response.text}")
        self.session = response.json()

    def events(self) -> Iterator[dict[str, Any]]:
        """Follow the session's progress from start to end."""
        kind = ""
        with self._http.stream("GET", f"{self._path}/events") as stream:
            stream.raise_for_status()
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    kind = value
                elif field == "data" and kind == "progress":
                    yield json.loads(value)

    def look(self) -> dict[str, Any]:
        response = self._http.get(self._path)
        response.raise_for_status()
        return dict(response.json())

    def log(self) -> str:
        response = self._http.get(f"{self._path}/log", params={"limit": 1_000_000})
        response.raise_for_status()
        return str(response.json()["text"])

    def stop(self) -> None:
        self._http.delete(self._path).raise_for_status()
        self._site.wait_for(lambda: self.look()["state"] == "ended", "the session to end", timeout_s=ENDS_WITHIN_S)

    @property
    def _path(self) -> str:
        return f"{API}/sessions/{self.session['id']}"
