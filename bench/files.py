"""How soon a huge folder shows its first rows: from the API, and on the page Files in Chromium.

In the browser twice: on a first visit with an empty cache, from the request of the page; and from the click on the
folder in the page that is open.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from bench.testbed import report
from bench.testbed.portal_pages import PLACEHOLDER
from bench.testbed.report import Spread
from bench.testbed.site import run_inside, testbed, warn_of_load
from tests import chromium
from tests.demo_site import DemoSite
from tests.e2e.conftest import log_in
from tests.person import Person

USER = "alice"
ABOVE = "~/bench-files"
FOLDER = f"{ABOVE}/many"
PAGE = "/services/portal/files"
MAKE = """
import os, sys
os.makedirs(os.path.expanduser(sys.argv[1]))
os.chdir(os.path.expanduser(sys.argv[1]))
for number in range(int(sys.argv[2])):
    os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
"""
#: As the page asks, and in other ways.
VIEWS: dict[str, dict[str, Any]] = {
    "by_name": {},
    "by_size": {"sort": "size"},
    "filtered": {"q": "999"},
    "far_down": {"order": "desc", "offset": 100_000},
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench files", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians and all samples there")
    parser.add_argument("-n", type=int, default=5, help="times that count (default: 5)")
    parser.add_argument("--entries", type=int, default=200_000, help="files in the folder (default: 200000)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    busy = os.getloadavg()
    warn_of_load()
    samples: dict[str, list[float]] = {}
    with testbed(options.site) as site, huge_folder(site, options.entries), sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        login = logged_in(site, browser)
        person = Person.of(site, USER)
        for number in range(options.n + 1):
            for name, seconds in {**asked(person), **seen(site, browser, login)}.items():
                if number:  # the first time does not count
                    samples.setdefault(name, []).append(seconds)
        person.close()
        browser.close()
    spreads = {name: Spread(tuple(values)) for name, values in samples.items()}
    for name, spread in spreads.items():
        print(f"{name:24} {spread} s")
    result = {name: spread.as_json() for name, spread in spreads.items()}
    report.write(options.json, {"entries": options.entries, "machine": report.machine(busy), **result})
    return 0


@contextmanager
def huge_folder(site: DemoSite, entries: int) -> Iterator[None]:
    run_inside(site, "python3", "-c", MAKE, FOLDER, str(entries), user=USER)
    try:
        yield
    finally:
        run_inside(site, "sh", "-c", f"rm -rf {ABOVE}", user=USER)


def logged_in(site: DemoSite, browser: Browser) -> StorageState:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/")
    log_in(page, USER, site.accounts[USER].password)
    page.get_by_role("heading", name="Sessions", exact=True).wait_for()
    state = context.storage_state()
    context.close()
    return state


def asked(person: Person) -> dict[str, float]:
    """Return how long the API takes for each view of the folder, and for a small folder."""
    seconds = {}
    for name, view in {**VIEWS, "small_folder": {"path": ABOVE}}.items():
        began = time.perf_counter()
        person.api("GET", "/files", params={"path": FOLDER, **view}).raise_for_status()
        seconds[f"api_{name}"] = time.perf_counter() - began
    return seconds


def seen(site: DemoSite, browser: Browser, login: StorageState) -> dict[str, float]:
    """Return when a new browser shows the first rows."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 844}, storage_state=login)
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{PAGE}?path={FOLDER}", wait_until="commit")
    first_rows(page)
    seconds = {"browser_first_visit": time.perf_counter() - began}
    page.goto(f"{PAGE}?path={ABOVE}")
    folder = page.get_by_role("button", name="Folder many", exact=True)
    folder.wait_for()
    page.locator(PLACEHOLDER).first.wait_for(state="detached")
    began = time.perf_counter()
    folder.click()
    first_rows(page)
    seconds["browser_click"] = time.perf_counter() - began
    context.close()
    return seconds


def first_rows(page: Page) -> None:
    page.get_by_role("button", name="File f9", exact=True).wait_for()


if __name__ == "__main__":
    raise SystemExit(main())
