"""JupyterLab in Chromium, from the click that starts it to a cell's first output: times, and what was transferred."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

OUTPUT = "output"
MARKS = ("address", "launcher", "notebook", OUTPUT)
KERNEL = ".jp-LauncherCard[data-category='Notebook'][title^='Python 3']"
CELL = ".jp-Notebook .jp-Cell .cm-content"
IDLE = re.compile(r"Python 3 .*\| Idle")
RESULT = ".jp-Notebook .jp-OutputArea-output"


@dataclass
class Visit:
    """Seconds from the click to each mark; requests that left the browser until the launcher, and what they brought."""

    marks: dict[str, float] = field(default_factory=dict)
    kb: float = 0.0
    requests: int = 0


class Traffic:
    """Counts what the browser transfers, without what its cache answers."""

    def __init__(self, page: Page, line: Mapping[str, float] | None) -> None:
        self.bytes = 0.0
        self._cached: set[str] = set()
        self._answered: set[str] = set()
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        devtools.on("Network.responseReceived", self._received)
        devtools.on("Network.loadingFinished", self._finished)
        devtools.send("Network.enable")
        if line is not None:
            rate = line["mbit_s"] * 1e6 / 8
            devtools.send(
                "Network.emulateNetworkConditions",
                {
                    "offline": False,
                    "latency": line["latency_ms"],
                    "downloadThroughput": rate,
                    "uploadThroughput": rate,
                },
            )

    @property
    def requests(self) -> int:
        return len(self._answered - self._cached)

    def _received(self, event: Mapping[str, Any]) -> None:
        response = event["response"]
        if response.get("fromDiskCache") or not response["url"].startswith("http"):
            self._cached.add(event["requestId"])
        self._answered.add(event["requestId"])

    def _finished(self, event: Mapping[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self.bytes += event["encodedDataLength"]


def visit(page: Page, click: Callable[[Page], None], line: Mapping[str, float] | None) -> Visit:
    """Start a session by `click`, and work in it until a cell has printed. Raises TimeoutError."""
    traffic, seen = Traffic(page, line), Visit()
    began = time.monotonic()

    def mark(name: str) -> None:
        seen.marks[name] = time.monotonic() - began

    click(page)
    mark("address")
    before, requests_before = traffic.bytes, traffic.requests
    page.locator(KERNEL).first.wait_for()
    mark("launcher")
    seen.kb = round((traffic.bytes - before) / 1000, 1)
    seen.requests = traffic.requests - requests_before
    page.locator(KERNEL).first.click()
    page.locator(CELL).first.wait_for()
    mark("notebook")
    page.get_by_text(IDLE).wait_for()  # JupyterLab loses a cell that is run before its kernel is connected
    page.locator(CELL).first.click()
    page.keyboard.type("print(6*7)")
    page.keyboard.press("Shift+Enter")
    page.locator(RESULT, has_text="42").first.wait_for()
    mark(OUTPUT)
    return seen
