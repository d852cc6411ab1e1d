"""How long a person waits from the click on "start" to a cell's first output, in Chromium, in alternation.

This portal, batchspawner on the same Slurm, and the limit: a JupyterLab that already runs at one fixed address. Each
turn is a first session with an empty browser cache and a second with what the first has left there, on loopback and on
an emulated line. The portal's own pages are measured with an empty cache. `--lines`, `-n` and `--without-peer` make a
run shorter.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Error, Page, Playwright, sync_playwright

from bench.peers.batchspawner import Batchspawner, batchspawner
from bench.testbed import report
from bench.testbed.lab_page import MARKS, OUTPUT, Visit, visit
from bench.testbed.portal_pages import PageLoad, first_load
from bench.testbed.report import Spread
from bench.testbed.site import Resources, inside, jobs_left, run_inside, testbed, warn_of_load
from demo.site import INSIDE
from tests import chromium
from tests.demo_site import DemoSite, free_port
from tests.e2e.conftest import log_in
from tests.person import Person

USER = "alice"
LINES = {"loopback": None, "line": {"mbit_s": 20, "latency_ms": 40}}
SESSIONS = ("first", "second")
PAGES = {"sessions": "", "new_session": "sessions/new", "jobs": "jobs", "cluster": "cluster"}
HOME = INSIDE / "home" / USER
LEFT = f"{HOME}/.jupyter/lab/workspaces {HOME}/Untitled*.ipynb"
PROGRAMS = INSIDE / "environments" / "base" / "bin"
NO_LOGIN = ("--IdentityProvider.token=", "--ServerApp.password=", "--ServerApp.disable_check_xsrf=True")


class Portal:
    name = "portal"

    def __init__(self, site: DemoSite) -> None:
        self._site = site
        self._person = Person.of(site, USER)

    def prepare(self, page: Page) -> None:
        """Log in, unless this browser is, and fill in the form."""
        form = f"{self._site.url}/services/portal/sessions/new?gpus=1&partition=sxm2"
        start = page.get_by_role("button", name="Start session")
        page.goto(form)
        start.or_(page.get_by_label("User name")).wait_for()  # the app leads to the login
        if "/hub/login" in page.url:
            log_in(page, USER, self._site.accounts[USER].password)
            page.get_by_role("heading", name="Sessions", exact=True).or_(start).wait_for()
            page.goto(form)
        start.wait_for()

    def click(self, page: Page) -> None:
        page.get_by_role("button", name="Start session").click()
        page.wait_for_url("**/user/**/lab**", wait_until="commit")

    def stop(self) -> None:
        for session in self._person.sessions():
            self._person.api("DELETE", f"/sessions/{session['id']}").raise_for_status()
        self._site.wait_for(lambda: not self._person.sessions() and not jobs_left(self._site), "the session to end")


class Peer:
    name = "batchspawner"

    def __init__(self, site: DemoSite, peer: Batchspawner) -> None:
        self._site = site
        self._peer = peer

    def prepare(self, page: Page) -> None:
        page.goto(f"{self._peer.url}/hub/home")
        if "/hub/login" in page.url:
            page.get_by_label("Username").fill(USER)
            page.get_by_label("Password").fill("any")
            page.locator("input[type=submit]").click()
        page.goto(f"{self._peer.url}/hub/home")
        page.locator("#start").wait_for()

    def click(self, page: Page) -> None:
        page.locator("#start").click()
        page.wait_for_url("**/user/**/lab**", wait_until="commit")

    def stop(self) -> None:
        self._peer.stop()
        self._site.wait_for(lambda: not jobs_left(self._site), "the peer's job to be gone")


class Limit:
    name = "limit"

    def __init__(self, url: str) -> None:
        self._url = url

    def prepare(self, page: Page) -> None:
        page.goto("about:blank")

    def click(self, page: Page) -> None:
        page.goto(f"{self._url}/lab?reset", wait_until="commit")

    def stop(self) -> None:
        """End what the visit has left: its kernel."""
        for kernel in httpx2.get(f"{self._url}/api/sessions", trust_env=False).json():
            httpx2.delete(f"{self._url}/api/sessions/{kernel['id']}", trust_env=False)


Contestant = Portal | Peer | Limit


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench click", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians, ratios and all samples there")
    parser.add_argument("-n", type=int, default=10, help="turns of each on each line (default: 10)")
    parser.add_argument("--lines", nargs="+", choices=LINES, default=list(LINES), help="default: both")
    parser.add_argument("--without-peer", action="store_true", help="measure the portal and the limit only")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site, contextlib.ExitStack() as stack:
        contestants: list[Contestant] = [Portal(site), Limit(stack.enter_context(running_lab(site)))]
        if not options.without_peer:
            peer = stack.enter_context(batchspawner(site, Resources(), USER, trimmed=False))
            contestants.insert(1, Peer(site, peer))
        visits = {line: measure(site, contestants, line, options.n) for line in options.lines}
        pages = {line: measure_pages(site, line, options.n) for line in options.lines}
    result = result_of(visits) | pages_of(pages) | {"n": options.n, "machine": report.machine(load)}
    show(result)
    report.write(options.json, result)
    return 0


@contextlib.contextmanager
def running_lab(site: DemoSite) -> Iterator[str]:
    """Run a JupyterLab from the sessions' environment, without a login; yield its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    words = (PROGRAMS / "jupyter-lab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", *NO_LOGIN)
    lab = subprocess.Popen(
        inside(site, "env", "-C", HOME, f"HOME={HOME}", *words, user=USER),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        site.wait_for(lambda: _answers(url), "JupyterLab to answer", timeout_s=60)
        yield url
    finally:
        with contextlib.suppress(httpx2.HTTPError):
            httpx2.post(f"{url}/api/shutdown", trust_env=False)
        lab.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/api", trust_env=False).is_success
    except httpx2.HTTPError:
        return False


def measure(site: DemoSite, contestants: Sequence[Contestant], line: str, n: int) -> dict[str, dict[str, list[Visit]]]:
    """Return each contestant's visits, first and second sessions apart, after a turn that does not count."""
    results: dict[str, dict[str, list[Visit]]] = {
        contestant.name: {kind: [] for kind in SESSIONS} for contestant in contestants
    }
    with sync_playwright() as playwright:
        for number in range(n + 1):
            for contestant in contestants:
                visits = turn(site, playwright, contestant, line)
                if number:
                    for kind, seen in zip(SESSIONS, visits, strict=True):
                        results[contestant.name][kind].append(seen)
            if number:
                shown = "   ".join(f"{name} {seen['second'][-1].marks[OUTPUT]:.2f} s" for name, seen in results.items())
                print(f"{line} {number:3}/{n}   {shown}", flush=True)
    return results


def measure_pages(site: DemoSite, line: str, n: int) -> dict[str, list[PageLoad]]:
    """Return the loads of the portal's own pages, after one of each that does not count."""
    loads: dict[str, list[PageLoad]] = {name: [] for name in PAGES}
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        page = browser.new_page()
        Portal(site).prepare(page)
        login = page.context.storage_state()
        page.context.close()
        for number in range(n + 1):
            for name, path in PAGES.items():
                load = first_load(browser, login, f"{site.url}/services/portal/{path}", LINES[line])
                if number:
                    loads[name].append(load)
        browser.close()
    return loads


def turn(site: DemoSite, playwright: Playwright, contestant: Contestant, line: str) -> list[Visit]:
    """Start two sessions, one after the other, in one browser with a new profile."""
    seen = []
    with (
        tempfile.TemporaryDirectory() as profile,
        chromium.launch_with_profile(playwright, Path(profile), viewport={"width": 1280, "height": 844}) as context,
    ):
        context.set_default_timeout(120_000)
        for _ in SESSIONS:
            run_inside(site, "sh", "-c", f"rm -rf {LEFT}", user=USER)  # JupyterLab would open the last notebook again
            page = context.new_page()
            try:
                contestant.prepare(page)
                seen.append(visit(page, contestant.click, LINES[line]))
            except Error as error:
                error.add_note(f"{contestant.name}, {line}, {SESSIONS[len(seen)]} session, at {page.url}")
                raise
            page.close(run_before_unload=False)
            contestant.stop()
    return seen


def result_of(visits: dict[str, dict[str, dict[str, list[Visit]]]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for line, by_name in visits.items():
        suffix = "" if line == "loopback" else f"_{line}"
        marks = {
            name: {
                kind: {mark: Spread(tuple(visit.marks[mark] for visit in seen)).as_json() for mark in MARKS}
                | {
                    "kb": Spread(tuple(visit.kb for visit in seen)).as_json(),
                    "requests": Spread(tuple(float(visit.requests) for visit in seen)).as_json(),
                }
                for kind, seen in sessions.items()
            }
            for name, sessions in by_name.items()
        }
        output = {name: mark["second"][OUTPUT]["median"] for name, mark in marks.items()}
        for other in ("batchspawner", "limit"):
            if other in output:
                result[f"output_ratio_{other}{suffix}"] = round(output["portal"] / output[other], 3)
        result[f"first_session_kb{suffix}"] = marks["portal"]["first"]["kb"]["median"]
        result[f"second_session_kb{suffix}"] = marks["portal"]["second"]["kb"]["median"]
        result[f"second_session_requests{suffix}"] = marks["portal"]["second"]["requests"]["median"]
        result[line] = marks
    return result


def pages_of(pages: dict[str, dict[str, list[PageLoad]]]) -> dict[str, Any]:
    result: dict[str, Any] = {"pages": {}}
    for line, by_name in pages.items():
        spreads = {
            name: {
                "seconds": Spread(tuple(load.seconds for load in loads)).as_json(),
                "kb": Spread(tuple(load.kb for load in loads)).as_json(),
                "requests": Spread(tuple(float(load.requests) for load in loads)).as_json(),
            }
            for name, loads in by_name.items()
        }
        suffix = "" if line == "loopback" else f"_{line}"
        for unit, spread in spreads["sessions"].items():
            result[f"first_page_{unit}{suffix}"] = spread["median"]
        result["pages"][line] = spreads
    return result


def show(result: dict[str, Any]) -> None:
    for line in (line for line in LINES if line in result):
        print(f"\n{line}, second session: seconds from the click, medians; KB and requests until the launcher")
        for name, item in result[line].items():
            second = item["second"]
            times = "   ".join(f"{mark} {second[mark]['median']:5.2f}" for mark in MARKS)
            print(
                f"  {name:13} {times}   {second['kb']['median']:.0f} KB   {second['requests']['median']:.0f} requests"
            )
    for line, pages in result["pages"].items():
        print(f"\n{line}, the portal's pages with an empty cache, medians")
        for name, found in pages.items():
            kb, requests = found["kb"]["median"], found["requests"]["median"]
            print(f"  {name:13} {found['seconds']['median']:5.2f} s   {kb:.0f} KB   {requests:.0f} requests")
    for name, value in result.items():
        if isinstance(value, float):
            print(f"{name:34} {value}")


if __name__ == "__main__":
    sys.exit(main())
