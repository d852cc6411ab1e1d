"""The desktop through the portal compared with the same page straight at the session's bridge, in one run.

Straight means a port of this machine that is connected to the bridge's Unix socket: no login and no proxy. Reports the
time from a key in Chromium to the next paint of the desktop, in a 1280 × 800 page, and the bandwidth of a terminal that
scrolls.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import run_inside, testbed, warn_of_load
from demo.site import INSIDE
from tests import chromium
from tests.demo_site import DemoSite, free_port
from tests.e2e.conftest import log_in
from tests.person import Person

KEYS = 40
BETWEEN_KEYS_MS = 120
SCROLL_S = 5
TOML = INSIDE / "portal" / "portal.toml"
SWITCHED_ON = "\n[apps.desktop]\nenabled = true\n"
# Notes when a key goes down, when noVNC next paints the canvas of the page, and how many bytes came.
WATCH = """
(() => {
  window.seen = {down: 0, times: [], bytes: 0};
  addEventListener("keydown", () => { seen.down = performance.now(); }, {capture: true});
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...what) {
    draw.apply(this, what);
    if (seen.down && this.canvas.isConnected) {
      seen.times.push(performance.now() - seen.down);
      seen.down = 0;
    }
  };
  window.WebSocket = new Proxy(WebSocket, {
    construct(Socket, where) {
      const socket = new Socket(...where);
      socket.addEventListener("message", ({data}) => { seen.bytes += data.byteLength ?? 0; });
      return socket;
    },
  });
})();
"""
#: A listing of about 20 lines a second, and one as fast as it goes.
SCROLLS = {
    "twenty_lines_a_second": "for line in $(find /usr/share/doc | head -400); do echo $line; sleep 0.05; done",
    "as_fast_as_it_goes": f"timeout {SCROLL_S} find /usr /usr /usr /usr",
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench desktop", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    parser.add_argument("-n", type=int, default=5, help=f"rounds of {KEYS} keys on each way (default: 5)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        if "[apps.desktop]" not in run_inside(site, "cat", TOML):
            run_inside(site, "tee", "-a", TOML, stdin=SWITCHED_ON)
            site.restart("portal")
        person = Person.of(site, "alice")
        session = person.open("desktop", resources={"gpus": 0, "cpus": 1, "memory_mib": 4096})
        try:
            session.until("ready")
            pattern = f"dsp-{session.id}-*"
            folder = run_inside(site, "find", "/tmp", "-maxdepth", "1", "-name", pattern).strip()  # noqa: S108
            with straight_to(f"{folder}/app.sock") as direct:
                result = measure(site, {"direct": direct, "portal": session.url}, options.n)
        finally:
            session.stop()
            person.close()
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


@contextmanager
def straight_to(path: str) -> Iterator[str]:
    """Connect a port of this machine to the Unix socket; yield the address."""
    port = free_port()
    loop = asyncio.new_event_loop()

    async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(65_536):
                writer.write(piece)
                await writer.drain()
        writer.close()

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(path)
        await asyncio.gather(pour(reader, inner_writer), pour(inner_reader, writer))

    loop.run_until_complete(asyncio.start_server(come, "127.0.0.1", port))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    yield f"http://127.0.0.1:{port}/"
    loop.call_soon_threadsafe(loop.stop)


def measure(site: DemoSite, ways: dict[str, str], n: int) -> dict[str, Any]:
    keys: dict[str, list[float]] = {name: [] for name in ways}
    rates: dict[str, dict[str, float]] = {}
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for turn in range(n):
            for name, url in ways.items():
                context = browser.new_context(viewport={"width": 1280, "height": 800})
                page = context.new_page()
                if name == "portal":
                    page.goto(site.url)
                    log_in(page, "alice", site.accounts["alice"].password)
                    page.get_by_role("heading", name="Sessions", exact=True).wait_for()
                page.add_init_script(WATCH)
                page.goto(url)
                page.locator("main canvas").click()
                page.wait_for_timeout(2000)
                keys[name] += paints(page)
                if turn == 0:
                    rates[name] = {what: kib_a_second(page, command) for what, command in SCROLLS.items()}
                context.close()
            print(
                f"{turn + 1}/{n}   " + "   ".join(f"{name} {Spread(tuple(keys[name]))} ms" for name in ways), flush=True
            )
        browser.close()
    spreads = {name: Spread(tuple(times)) for name, times in keys.items()}
    added = round(spreads["portal"].median - spreads["direct"].median, 2)
    print(f"added by the portal: {added} ms\nKiB/s of a scrolling terminal: {rates}")
    return {
        "added_ms": added,
        "key_to_paint_ms": {name: spread.as_json() for name, spread in spreads.items()},
        "scrolling_kib_s": rates,
    }


def paints(page: Page) -> list[float]:
    """Type keys into the desktop's terminal; return the milliseconds from each to the next paint."""
    page.evaluate("seen.times = []")
    for _ in range(KEYS):
        page.keyboard.press("x")
        page.wait_for_timeout(BETWEEN_KEYS_MS)
    page.keyboard.press("Control+u")
    page.wait_for_timeout(BETWEEN_KEYS_MS)
    return list(page.evaluate("seen.times"))[:KEYS]


def kib_a_second(page: Page, command: str) -> float:
    page.keyboard.type(f"clear; {command}\n")
    before = page.evaluate("seen.bytes")
    page.wait_for_timeout(SCROLL_S * 1000)
    moved = page.evaluate("seen.bytes") - before
    page.keyboard.press("Control+c")
    page.wait_for_timeout(1000)
    return round(float(moved) / 1024 / SCROLL_S, 1)


if __name__ == "__main__":
    sys.exit(main())
