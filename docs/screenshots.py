"""Takes the documentation's pictures from a running demo site, light and dark, into docs/images/.

Run: ./dev run --background && .venv/bin/python docs/screenshots.py
It starts and ends sessions of the demo's people; DSP_DEMO_DIR names another site than .demo.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from portal.client.http import PREFIX, PortalClient, fetch_token
from tests import chromium

ROOT = Path(__file__).resolve().parents[1]
SITE = Path(os.environ.get("DSP_DEMO_DIR") or ROOT / ".demo")
IMAGES = ROOT / "docs" / "images"
SCHEMES = ("light", "dark")
WIDTH = 1200
#: As high as what there is to see.
HEIGHTS = {
    "login": 560,
    "sessions": 480,
    "progress": 660,
    "templates": 460,
    "new-session": 840,
    "new-job": 620,
    "cluster": 680,
    "lab": 560,
}
#: A headless browser draws no scrollbar in the place that is kept for it.
STYLE = "html { scrollbar-gutter: auto !important }"
#: Who holds what, so that the cluster is busy: three nodes whole, and all of the fourth but one GPU.
CROWD = {"bob": [4], "carol": [4], "dave": [4]}
ENDED = "first-look"
MINE = {"bert-finetune": 2, "data-look": 1}
WAITS = {"sweep": 2}
CELL = """\
import os

print(os.environ["SLURM_JOB_NODELIST"], "as", os.environ["USER"])
print("GPUs:", os.environ["CUDA_VISIBLE_DEVICES"])
print("cores:", os.environ["SLURM_CPUS_ON_NODE"])"""
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
    "cells": [
        {"cell_type": "code", "id": "gpus", "metadata": {}, "execution_count": None, "outputs": [], "source": CELL}
    ],
}


def main() -> int:
    IMAGES.mkdir(exist_ok=True)
    url = json.loads(subprocess.check_output([ROOT / "dev", "status", "--json"]))["url"]
    accounts = {person["username"]: person["password"] for person in json.loads((SITE / "accounts.json").read_text())}
    clients = {name: PortalClient(url, fetch_token(name, accounts[name], url)) for name in [*CROWD, "alice"]}
    try:
        for name, sizes in CROWD.items():
            for gpus in sizes:
                start(clients[name], f"{name}-training", gpus)
        clients["alice"].call("DELETE", f"/sessions/{start(clients['alice'], ENDED, 1)['id']}")
        sessions = {name: start(clients["alice"], name, gpus) for name, gpus in MINE.items()}
        waiting = {name: start(clients["alice"], name, gpus, wait_for=("queued",)) for name, gpus in WAITS.items()}
        with browsing() as browser:
            login(browser, url)
            page = logged_in(browser, url, "alice", accounts["alice"])
            take(page, "sessions", lambda: home(page, url, [*MINE, *WAITS]))
            take(page, "progress", lambda: progress(page, url, waiting["sweep"]["id"]))
            take(page, "templates", lambda: templates(page, url))
            take(page, "new-session", lambda: new_session(page, url))
            take(page, "new-job", lambda: new_job(page, url))
            take(page, "cluster", lambda: cluster(page, url))
            lab(page, clients["alice"], url, sessions["bert-finetune"])
    finally:
        for client in clients.values():
            stop_all(client)
    return 0


def start(client: PortalClient, name: str, gpus: int, *, wait_for: tuple[str, ...] = ("ready",)) -> dict[str, Any]:
    ask = {"app": "jupyterlab", "name": name, "resources": {"gpus": gpus, "walltime_s": 28_800}}
    session: dict[str, Any] = client.call("POST", "/sessions", json=ask)
    deadline = time.monotonic() + 120
    while session["state"] not in (*wait_for, "ended") and time.monotonic() < deadline:
        time.sleep(0.5)
        session = client.call("GET", f"/sessions/{session['id']}")
    if session["state"] not in wait_for:
        raise SystemExit(f"{name} is {session['state']}: {session['reason']}")
    return session


def stop_all(client: PortalClient) -> None:
    for session in client.call("GET", "/sessions", params={"state": "active"})["items"]:
        client.call("DELETE", f"/sessions/{session['id']}")


@contextmanager
def browsing() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, "--font-render-hinting=none")
        yield browser
        browser.close()


def new_page(browser: Browser) -> Page:
    page = browser.new_context(reduced_motion="reduce", locale="en-GB", timezone_id="Europe/Berlin").new_page()
    page.set_default_timeout(60_000)
    return page


def take(page: Page, name: str, show: Callable[[], object]) -> None:
    """Show something, and take its picture in both colour schemes."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHTS[name]})
    show()
    page.add_style_tag(content=STYLE)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(300)
        page.wait_for_function("() => document.getAnimations().every((one) => one.playState === 'finished')")
        page.screenshot(path=IMAGES / f"{name}-{scheme}.png")


def login(browser: Browser, url: str) -> None:
    page = new_page(browser)
    take(page, "login", lambda: (page.goto(f"{url}{PREFIX}/login"), page.get_by_label("Password").wait_for()))
    page.context.close()


def logged_in(browser: Browser, url: str, username: str, password: str) -> Page:
    page = new_page(browser)
    page.goto(f"{url}{PREFIX}/")
    page.locator("input[name=username]").fill(username)
    page.locator("input[name=password]").fill(password)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Sessions").first.wait_for()
    return page


def home(page: Page, url: str, names: list[str]) -> None:
    page.goto(f"{url}{PREFIX}/")
    for name in names:
        page.get_by_text(name, exact=True).first.wait_for()
    page.get_by_text("in the queue").first.wait_for()
    page.get_by_text(ENDED, exact=True).first.wait_for()
    page.get_by_text("CPU").first.wait_for()  # the first report of use


def progress(page: Page, url: str, session_id: str) -> None:
    page.goto(f"{url}{PREFIX}/sessions/{session_id}")
    page.get_by_text("You can close this tab").wait_for()


def templates(page: Page, url: str) -> None:
    page.goto(f"{url}{PREFIX}/templates")
    page.get_by_text("Handwritten digits with PyTorch").first.wait_for()


def new_session(page: Page, url: str) -> None:
    page.goto(f"{url}{PREFIX}/sessions/new")
    page.get_by_role("button", name="One GPU more").click()
    page.get_by_text("2 × V100, 16 cores").first.wait_for()


def new_job(page: Page, url: str) -> None:
    page.goto(f"{url}{PREFIX}/jobs/new?preset=sweep")
    page.get_by_text("#SBATCH --array").first.wait_for()


def cluster(page: Page, url: str) -> None:
    page.goto(f"{url}{PREFIX}/cluster")
    page.get_by_text("of 16 free").first.wait_for()


def lab(page: Page, client: PortalClient, url: str, session: dict[str, Any]) -> None:
    """Write a notebook into alice's home through her own server, run it, and take its picture."""
    server = str(client.call("GET", f"/sessions/{session['id']}")["url"]).removesuffix("/lab")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHTS["lab"]})
    page.emulate_media(color_scheme="light")
    page.goto(f"{server}/lab?reset")  # whatever was open there before
    page.locator(".jp-Launcher").first.wait_for()
    headers = {
        "X-XSRFToken": next(
            cookie["value"] for cookie in page.context.cookies(f"{server}/") if cookie["name"] == "_xsrf"
        )
    }
    put(page, f"{server}/api/contents/gpus.ipynb", headers, {"type": "notebook", "format": "json", "content": NOTEBOOK})
    page.goto(f"{server}/lab/tree/gpus.ipynb?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.locator(".jp-NotebookPanel-toolbar").get_by_text("Python 3 (ipykernel)").wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(state="attached")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.locator(".jp-OutputArea-output").get_by_text("GPUs: ").wait_for()
    page.keyboard.press("Control+S")
    page.get_by_text("Saving completed").wait_for()
    page.screenshot(path=IMAGES / "lab.png")


def put(page: Page, address: str, headers: dict[str, str], body: dict[str, Any]) -> None:
    """Send the request from the page: the browser finds hosts below localhost, which Python's resolver may not."""
    send = """([address, headers, body]) =>
        fetch(address, { method: "PUT", headers, body }).then(async (answer) => answer.ok ? "" : await answer.text())"""
    if problem := page.evaluate(send, [address, headers, json.dumps(body)]):
        raise SystemExit(f"{address}: {problem[:200]}")


if __name__ == "__main__":
    sys.exit(main())
