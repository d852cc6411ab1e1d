"""TensorBoard through the portal compared with TensorBoard opened directly, in one run, on the same event files.

Direct is what a user would do by hand: TensorBoard from the same environment on a port of this machine, without a
login. Through the portal, requests go from the browser through the site's proxy and the proxy in the job to
TensorBoard; a third setup has only the site's proxy in front of the same TensorBoard. Reports the time until Chromium
shows the first scalar chart, the throughput of a 50 MB event file into a page, and the latency added to a small
request.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Browser, sync_playwright

from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import inside, run_inside, testbed, warn_of_load
from demo.site import CLONE, INSIDE
from portal.shipped import PROXY_NODE_OPTIONS
from tests import chromium
from tests.demo_site import DemoSite, free_port
from tests.person import Person

PYTHON = INSIDE / "environments" / "base" / "bin" / "python"
RUNS = INSIDE / "home" / "alice" / "bench-runs"
FILE_MB = 50
# A run with charts, and 50 MB of noise images, which do not compress.
WRITE = f"""
import io, sys, numpy, PIL.Image
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.summary.writer.event_file_writer import EventFileWriter
noise = numpy.random.default_rng(1)
charts = EventFileWriter("{RUNS}/charts")
for step in range(1000):
    value = Summary.Value(tag="loss", simple_value=1 / (step + 1))
    charts.add_event(Event(step=step, wall_time=step, summary=Summary(value=[value])))
charts.close()
images, written, step = EventFileWriter("{RUNS}/images"), 0, 0
while written < {FILE_MB} * 1_000_000:
    picture = io.BytesIO()
    PIL.Image.fromarray(noise.integers(0, 255, (1024, 1024), dtype="uint8")).save(picture, "PNG")
    image = Summary.Image(width=1024, height=1024, colorspace=1, encoded_image_string=picture.getvalue())
    value = Summary.Value(tag=f"noise/{{step}}", image=image)
    images.add_event(Event(step=step, wall_time=step, summary=Summary(value=[value])))
    written, step = written + len(picture.getvalue()), step + 1
images.close()
"""
CHART = "scalar-card line-chart, line-chart-v2, line-chart canvas"
#: Fetch addresses as a browser fetches a page's images, a given number at a time; return bytes and seconds.
FETCH = """async ([addresses, many]) => {
  const left = [...addresses], began = performance.now();
  let size = 0;
  const work = async () => {
    while (left.length) {
      const answer = await fetch(left.pop(), {cache: "no-store"});
      if (!answer.ok) throw new Error(`${answer.status}`);
      size += (await answer.arrayBuffer()).byteLength;
    }
  };
  await Promise.all(Array.from({length: many}, work));
  return [size, (performance.now() - began) / 1000];
}"""
AT_A_TIME = {"throughput_mb_s": 6, "one_at_a_time_mb_s": 1}


@dataclass(frozen=True)
class Board:
    """One route to the same TensorBoard data: its address, and what a request carries."""

    url: str
    headers: dict[str, str]

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, headers=self.headers, timeout=60, trust_env=False)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench proxy", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    parser.add_argument("-n", type=int, default=5, help="how often each is measured (default: 5)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        print(f"Writing {FILE_MB} MB of event files …", flush=True)
        run_inside(site, "rm", "-rf", RUNS, user="alice")
        run_inside(site, PYTHON, "-", user="alice", stdin=WRITE)
        with opened(site) as boards:
            result = measure(boards, options.n)
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


@contextmanager
def opened(site: DemoSite) -> Iterator[dict[str, Board]]:
    """Open both routes to TensorBoard, each with all data loaded."""
    person = Person.of(site, "alice")
    session = person.open("tensorboard", {"folder": "~/bench-runs"})
    port = free_port()
    tensorboard = PYTHON.parent / "tensorboard"
    words = inside(site, tensorboard, "--logdir", RUNS, "--host", "127.0.0.1", "--port", str(port), user="alice")
    direct = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    alone_port = free_port()
    alone = proxy_alone(alone_port, target=f"http://127.0.0.1:{port}")
    try:
        session.until("ready")
        boards = {
            "direct": Board(f"http://127.0.0.1:{port}/", {}),
            "proxy_alone": Board(f"http://127.0.0.1:{alone_port}/", {}),
            "portal": Board(session.url, {"Authorization": f"token {person.token}"}),
        }
        for board in boards.values():
            site.wait_for(partial(images_of, board), "TensorBoard to have read the files", timeout_s=120)
        yield boards
    finally:
        alone.terminate()
        alone.wait()
        os.killpg(direct.pid, signal.SIGTERM)  # what gets it inside the site, and the program itself
        direct.wait()
        session.stop()
        person.close()


def proxy_alone(port: int, *, target: str) -> subprocess.Popen[bytes]:
    """Start the site's proxy program in front of `target` alone: the overhead that no proxy in the job can remove."""
    return subprocess.Popen(
        [
            CLONE / ".cache" / "node" / "node",
            CLONE / "demo/proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy",
            *("--ip", "127.0.0.1", "--port", str(port), "--default-target", target),
            *("--api-ip", "127.0.0.1", "--api-port", str(free_port())),
        ],
        env={**os.environ, "NODE_OPTIONS": PROXY_NODE_OPTIONS},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def images_of(board: Board) -> list[str]:
    """Return the addresses of all images once TensorBoard has loaded them."""
    try:
        with board.client() as client:
            tags = client.get("data/plugin/images/tags").raise_for_status().json().get("images", {})
            results = []
            for tag in tags:
                query = {"run": "images", "tag": tag, "sample": 0}
                shown = client.get("data/plugin/images/images", params=query).raise_for_status().json()
                results += [f"data/plugin/images/individualImage?{value['query']}" for value in shown]
    except httpx2.HTTPError:
        return []
    return results if len(results) * 1.0 >= FILE_MB * 0.9 else []


def measure(boards: dict[str, Board], n: int) -> dict[str, Any]:
    charts: dict[str, list[float]] = {name: [] for name in boards}
    rates: dict[str, dict[str, list[float]]] = {key: {name: [] for name in boards} for key in AT_A_TIME}
    small: dict[str, list[float]] = {name: [] for name in boards}
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for turn in range(n):
            for name, board in boards.items():
                charts[name].append(first_chart(browser, board))
                for key, rate in throughputs(browser, board).items():
                    rates[key][name].append(rate)
                small[name] += latencies(board)
            last = {name: [round(rates[key][name][-1]) for key in AT_A_TIME] for name in boards}
            shown = "   ".join(f"{name} {charts[name][-1]:.2f} s, {last[name]} MB/s" for name in boards)
            print(f"{turn + 1}/{n}   {shown}", flush=True)
        browser.close()
    spreads = {
        key: {name: Spread(tuple(values)) for name, values in value.items()}
        for key, value in {"first_chart_s": charts, **rates, "small_request_ms": small}.items()
    }
    result = {
        "first_chart_ratio": ratio(spreads["first_chart_s"]),
        "throughput_ratio": ratio(spreads["throughput_mb_s"]),
        "proxy_alone_throughput_ratio": ratio(spreads["throughput_mb_s"], "proxy_alone"),
        "one_at_a_time_ratio": ratio(spreads["one_at_a_time_mb_s"]),
        "added_latency_ms": round(
            spreads["small_request_ms"]["portal"].median - spreads["small_request_ms"]["direct"].median, 2
        ),
    }
    for key, value in result.items():
        print(f"{key:28} {value}")
    return result | {
        key: {name: spread.as_json() for name, spread in spreads.items()} for key, spreads in spreads.items()
    }


def ratio(spreads: dict[str, Spread], name: str = "portal") -> float:
    return round(spreads[name].median / spreads["direct"].median, 3)


def first_chart(browser: Browser, board: Board) -> float:
    """Open the page in a browser with an empty cache; return seconds until a scalar chart is drawn."""
    context = browser.new_context(extra_http_headers=board.headers)
    page = context.new_page()
    began = time.monotonic()
    page.goto(f"{board.url}#timeseries", wait_until="commit")
    page.wait_for_selector(CHART, timeout=60_000)
    took = time.monotonic() - began
    context.close()
    return took


def throughputs(browser: Browser, board: Board) -> dict[str, float]:
    """Fetch every image in a browser, six at a time as for a page's images, and one by one; return MB a second."""
    addresses = images_of(board)
    context = browser.new_context(extra_http_headers=board.headers)
    page = context.new_page()
    page.goto(f"{board.url}data/environment")  # a small page of the same origin
    results = {}
    for key, many in AT_A_TIME.items():
        size, took = page.evaluate(FETCH, [[board.url + address for address in addresses], many])
        results[key] = size / 1_000_000 / took
    context.close()
    return results


def latencies(board: Board, count: int = 50) -> list[float]:
    """Return the milliseconds of small requests."""
    results = []
    with board.client() as client:
        for _ in range(count):
            began = time.monotonic()
            client.get("data/runs").raise_for_status()
            results.append((time.monotonic() - began) * 1000)
    return results


if __name__ == "__main__":
    sys.exit(main())
