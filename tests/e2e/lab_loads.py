"""Which of JupyterLab's shared files a browser loads, and which of them come over the line."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.demo_site import DemoSite

SHARED = "/services/portal/jupyterlab/"
LAUNCHER = ".jp-LauncherCard"


def await_files(site: DemoSite) -> None:
    """Wait until the portal holds JupyterLab's files: sessions that start earlier serve their own."""
    site.wait_for(
        lambda: list((site.folder / "portal/data/jupyterlab").glob("*/main.*.js.gz")),
        "the portal to hold the files of JupyterLab",
        timeout_s=120,
    )


class Loads:
    """The files of JupyterLab that a page and those after it in its tab have loaded."""

    def __init__(self, page: Page) -> None:
        self._urls: dict[str, str] = {}
        self._cached: set[str] = set()
        self._finished: dict[str, float] = {}
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.responseReceived", self._received)
        devtools.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        devtools.on("Network.loadingFinished", self._done)
        devtools.send("Network.enable")

    def _received(self, event: dict[str, Any]) -> None:
        response = event["response"]
        if SHARED in response["url"]:
            self._urls[event["requestId"]] = response["url"]
            if response.get("fromDiskCache") or response.get("fromPrefetchCache"):
                self._cached.add(event["requestId"])

    def _done(self, event: dict[str, Any]) -> None:
        self._finished[event["requestId"]] = event["encodedDataLength"]

    def transferred(self) -> list[str]:
        """Return what came over the line, in order."""
        return [url for one, url in self._urls.items() if one in self._finished and one not in self._cached]

    def all(self) -> list[str]:
        return list(self._urls.values())
