"""What our extension costs JupyterLab's page: time of its main thread, and bytes, in Chromium.

A sampling profile counts every moment in which code of ours is on the stack, JupyterLab's functions that it calls
included; a trace adds the compilation of our scripts. Waiting for the network or for JupyterLab does not count, and
JupyterLab's launcher counts apart: our code has it open sooner than it would by itself. From the first request until
the status bar shows the session; each load is a new browser's first, with nothing cached.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import testbed, warn_of_load
from tests import chromium
from tests.demo_site import CLONE, DemoSite
from tests.e2e.conftest import log_in
from tests.person import Live, Person

USER = "alice"
#: Wherever they come from: the session itself, or the portal's copy under the id of a build.
OURS = {script.name for script in (CLONE / "agent/lab/labextension/static").iterdir()}
#: Has JupyterLab open its launcher, which it otherwise does itself half a second later: it adds no work.
LAUNCHER = "openLauncher"
SAMPLE_US = 100
COMPILATION = {"v8.compile", "v8.compileModule"}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench lab", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians and all samples there")
    parser.add_argument("-n", type=int, default=10, help="loads that count (default: 10)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    busy = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site, sync_playwright() as playwright:
        person = Person.of(site, USER)
        live = person.ready(gpus=1)
        browser = chromium.launch(playwright)
        loads = [measure(site, browser, live) for _ in range(options.n + 1)][1:]
        browser.close()
        live.stop()
        person.close()
    spreads = {name: Spread(tuple(load[name] for load in loads)) for name in loads[0]}
    for name, spread in spreads.items():
        print(f"{name:24} {spread}")
    result = {name: spread.as_json() for name, spread in spreads.items()}
    report.write(options.json, {"n": options.n, "machine": report.machine(busy), **result})
    return 0


def measure(site: DemoSite, browser: Browser, live: Live) -> dict[str, float]:
    """Load the session's JupyterLab once in a new browser; return milliseconds and kilobytes."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 844})
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("/")
    log_in(page, USER, site.accounts[USER].password)
    page.get_by_role("heading", name="Sessions", exact=True).wait_for()
    devtools = context.new_cdp_session(page)
    sizes: dict[str, float] = {}
    ours: set[str] = set()

    def received(event: dict[str, Any]) -> None:
        if is_ours(event["response"]["url"]):
            ours.add(event["requestId"])

    devtools.on("Network.responseReceived", received)
    devtools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    for command in ("Network.enable", "Profiler.enable"):
        devtools.send(command)
    devtools.send("Profiler.setSamplingInterval", {"interval": SAMPLE_US})
    with tempfile.NamedTemporaryFile(suffix=".json") as trace:
        browser.start_tracing(
            page=page, path=trace.name, categories=["devtools.timeline", "v8", "disabled-by-default-v8.compile"]
        )
        devtools.send("Profiler.start")
        page.goto(site.at(live.address + "lab"))
        page.get_by_role("button", name="Session: time left and use").wait_for()
        profile = devtools.send("Profiler.stop")["profile"]
        browser.stop_tracing()
        events = json.loads(Path(trace.name).read_text())["traceEvents"]
    context.close()
    launcher = running(profile, lambda frame: frame["functionName"] == LAUNCHER and is_ours(frame["url"]))
    code = running(profile, lambda frame: is_ours(frame["url"])) - launcher
    return {
        "our code (ms)": code,
        "compilation (ms)": compiling(events),
        "both (ms)": code + compiling(events),
        "JupyterLab's launcher (ms)": launcher,
        "transferred (KB)": sum(sizes.get(request, 0) for request in ours) / 1000,
    }


def is_ours(url: str) -> bool:
    return url.partition("?")[0].rpartition("/")[2] in OURS


def url_of(event: dict[str, Any]) -> str:
    """Return the script that an event of the trace is about; empty if it names none."""
    args = event["args"]
    return str(args.get("fileName") or args.get("data", {}).get("url") or "")


def running(profile: dict[str, Any], counts: Callable[[dict[str, Any]], bool]) -> float:
    """Return the milliseconds in which a function that counts was on the stack."""
    nodes = {node["id"]: node for node in profile["nodes"]}
    below: set[int] = set()
    waiting = [node["id"] for node in profile["nodes"] if counts(node["callFrame"])]
    while waiting:
        node = waiting.pop()
        below.add(node)
        waiting += nodes[node].get("children", [])
    samples = zip(profile["samples"], profile["timeDeltas"], strict=True)
    return float(sum(delta for node, delta in samples if node in below) / 1000)


def compiling(events: Sequence[dict[str, Any]]) -> float:
    """Return the milliseconds that the main thread spent on compiling our scripts."""
    ours = [event for event in events if event["name"] in COMPILATION and is_ours(url_of(event))]
    return float(sum(event.get("dur", 0) for event in ours) / 1000)


if __name__ == "__main__":
    raise SystemExit(main())
