"""What one user, or an anonymous client, can do to everybody else: abuses of a site, and how another user fares.

Each abuse runs for some seconds while another user lists sessions and jobs, checks a session, and reads the overview.
Reports the 95th percentile of that user's waits, and the memory of portal and Hub before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from bench.testbed import report
from bench.testbed.memory import Memory
from bench.testbed.site import run_inside, testbed, warn_of_load
from tests.demo_site import API, DemoSite, setting

PORTAL = "/services/portal"
UNBOUNDED = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
TARGET_S, TARGET_MIB = 1.0, 100.0
SETTLE_S = 3.0
ABUSER, OTHER = "alice", "bob"
MEASURED = ("portal", "hub")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench abuse", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each abuse lasts (default: 10)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="measure on this running demo site")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=sorted(ABUSES), help="only these abuses")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        abuses = Bench(site, options.seconds).run(options.only or list(ABUSES))
    report.write(options.json, {"abuses": abuses, "seconds": options.seconds, "machine": report.machine(load)})
    return 0


class Bench:
    def __init__(self, site: DemoSite, seconds: float) -> None:
        self._site = site
        self._seconds = seconds
        self._target = Target(site.url, urlsplit(site.hub_url).netloc, site.token(ABUSER))
        self._other = site.token(OTHER)
        make_inputs(site)

    def run(self, names: Sequence[str]) -> list[dict[str, Any]]:
        rest_p95, _ = self._during(at_rest)
        print(f"{'at rest':28} other's p95 {rest_p95:6.2f} s", flush=True)
        return [self._one(name) for name in names]

    def _one(self, name: str) -> dict[str, Any]:
        with NEEDS[name](self._site) if name in NEEDS else nullcontext():
            before = self._memory()
            p95, count = self._during(ABUSES[name])
            time.sleep(SETTLE_S)
            after = self._memory()
        met = p95 < TARGET_S and all(after[name] - before[name] < TARGET_MIB for name in MEASURED)
        grown = ", ".join(f"{value} {before[value]:6.1f} → {after[value]:6.1f} MiB" for value in MEASURED)
        print(
            f"{name:28} other's p95 {p95:6.2f} s of {count:4}, {grown}{'' if met else '   (misses the target)'}",
            flush=True,
        )
        return {
            "name": name,
            "other_p95_s": round(p95, 3),
            "other_requests": count,
            **{f"{name}_mib_before": before[name] for name in MEASURED},
            **{f"{name}_mib_after": after[name] for name in MEASURED},
        }

    def _during(self, abuse: Abuse) -> tuple[float, int]:
        """Return the 95th percentile of the other user's waits during the abuse, and how many there were."""
        # In its own process, so that the abuser's own CPU use does not distort the waits.
        context = multiprocessing.get_context("spawn")
        over, queue = context.Event(), context.Queue()
        other = context.Process(target=live, args=(self._site.url, self._other, queue, over))
        other.start()
        queue.get()  # it has started
        with suppress(TimeoutError):
            asyncio.run(bounded(abuse, self._target, self._seconds))
        over.set()
        waits: list[float] = queue.get()
        other.join()
        return statistics.quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0], len(waits)

    def _memory(self) -> dict[str, float]:
        return Memory.now(self._site).rss_of


@dataclass(frozen=True)
class Target:
    url: str
    hub: str
    """Host and port of the Hub."""
    token: str

    @property
    def auth(self) -> dict[str, str]:
        return {"Authorization": f"token {self.token}"}

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


Abuse = Callable[[Target, httpx2.AsyncClient], Awaitable[None]]


async def bounded(abuse: Abuse, target: Target, seconds: float) -> None:
    """Repeat the abuse until the time is over."""
    async with (
        httpx2.AsyncClient(base_url=target.url, timeout=None, limits=UNBOUNDED, trust_env=False) as client,
        asyncio.timeout(seconds),
    ):
        while True:
            await abuse(target, client)


def live(url: str, token: str, queue: Queue[Any], over: Event) -> None:
    """Send a user's page requests one after the other, with a short pause; return the waits in seconds.

    A failure counts as a long wait.
    """
    waits: list[float] = []
    asked = [
        ("GET", "/sessions", None),
        ("GET", "/jobs", None),
        ("POST", "/sessions/check", {"app": "jupyterlab"}),
        ("GET", "/options", None),
        ("GET", "/me", None),
    ]
    headers = {"Authorization": f"token {token}"}
    with httpx2.Client(base_url=f"{url}{API}", headers=headers, timeout=60, trust_env=False) as client:
        client.get("/me").raise_for_status()
        queue.put("begun")
        while not over.is_set():
            for method, path, body in asked:
                began = time.monotonic()
                try:
                    failed = not client.request(method, path, json=body).is_success
                except httpx2.HTTPError:
                    failed = True
                waits.append(60.0 if failed else time.monotonic() - began)
            over.wait(0.05)
    queue.put(waits)


# --- the abuses, each repeated ---


async def at_rest(_: Target, __: httpx2.AsyncClient) -> None:
    await asyncio.sleep(1)


async def many(count: int, call: Callable[[], Awaitable[Any]]) -> None:
    """Make `count` calls at once; refused or aborted calls are what we hope for."""
    await asyncio.gather(*(call() for _ in range(count)), return_exceptions=True)


def post(client: httpx2.AsyncClient, path: str, body: bytes, **headers: str) -> Awaitable[Any]:
    return client.post(path, content=body, headers={"Content-Type": "application/json"} | headers)


KEYS = b"{" + b",".join(b'"k%d":1' % number for number in range(85_000)) + b"}"
DEEP = b"[" * 500_000


async def anonymous_keys(_: Target, client: httpx2.AsyncClient) -> None:
    await many(4, lambda: post(client, f"{PORTAL}/agent/hello", KEYS))


async def keys_with_a_token(target: Target, client: httpx2.AsyncClient) -> None:
    await many(4, lambda: post(client, f"{API}/sessions/check", KEYS, **target.auth))


async def deep_json(target: Target, client: httpx2.AsyncClient) -> None:
    await many(4, lambda: post(client, f"{API}/jobs/check", json.dumps({"script": 1}).encode() + DEEP, **target.auth))


async def long_scripts(target: Target, client: httpx2.AsyncClient) -> None:
    script = "#!/bin/bash\n" + "#SBATCH --nodes=1\n" * 10_000
    body = json.dumps({"script": script}).encode()
    await many(20, lambda: post(client, f"{API}/jobs/parse", body, **target.auth))


async def listings(target: Target, client: httpx2.AsyncClient) -> None:
    await many(300, lambda: client.get(f"{API}/files", params={"path": "~"}, headers=target.auth))


async def differences(target: Target, client: httpx2.AsyncClient) -> None:
    address = f"{API}/templates/{TEMPLATE[0]}/difference"
    await many(8, lambda: client.get(address, headers=target.auth))


async def event_streams(target: Target, client: httpx2.AsyncClient) -> None:
    async def follow() -> None:
        async with client.stream("GET", f"{API}/events", headers=target.auth) as stream:
            async for _ in stream.aiter_raw():
                pass

    await many(500, follow)
    await asyncio.sleep(0.2)


async def slow_bodies(target: Target, client: httpx2.AsyncClient) -> None:
    async def dripping() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.5)

    headers = {"Content-Type": "application/json"} | target.auth
    await many(200, lambda: client.post(f"{API}/sessions/check", content=dripping(), headers=headers))


async def huge_bodies(target: Target, client: httpx2.AsyncClient) -> None:
    body = b" " * (32 << 20)
    await many(4, lambda: post(client, f"{API}/sessions/check", body, **target.auth))


async def output_searches(target: Target, client: httpx2.AsyncClient) -> None:
    await many(100, lambda: client.get(f"{API}/jobs", params={"query": "a%_" * 60}, headers=target.auth))


async def previews(target: Target, client: httpx2.AsyncClient) -> None:
    await many(100, lambda: client.get(f"{API}/templates/{TEMPLATE[0]}/preview", headers=target.auth))


async def inner_registries(target: Target, client: httpx2.AsyncClient) -> None:
    body = json.dumps({"reference": "docker://localhost:1/x/y:1"}).encode()
    await many(20, lambda: post(client, f"{API}/images", body, **target.auth))


async def unfinished_logins(target: Target, _: httpx2.AsyncClient) -> None:
    """Start large posts to the Hub's login, and finish none."""

    async def begin() -> None:
        reader, writer = await asyncio.open_connection("localhost", target.port)
        try:
            writer.write(
                f"POST /hub/login HTTP/1.1\r\nHost: {target.hub}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 83886080\r\n\r\n".encode()
            )
            for _ in range(64):
                writer.write(b"x" * (1 << 20))
                await writer.drain()
            await reader.read()
        finally:
            writer.close()

    await many(4, begin)


async def huge_manifests(target: Target, client: httpx2.AsyncClient) -> None:
    await many(20, lambda: client.get(f"{API}/templates/copies", headers=target.auth))


async def endless_registries(target: Target, client: httpx2.AsyncClient) -> None:
    body = json.dumps({"reference": f"docker://{REGISTRY[0]}/x/y:1"}).encode()
    await many(8, lambda: post(client, f"{API}/images", body, **target.auth))


@contextmanager
def manifest_of_63_mb(site: DemoSite) -> Iterator[None]:
    """Write it where the door checks which templates have been copied to the abuser's home."""
    manifest = json.dumps({f"a/{number:08}.ipynb": "x" * 40 for number in range(1_000_000)})
    run_inside(site, "sh", "-c", "mkdir -p ~/templates && cat > ~/templates/.shipped.json", user=ABUSER, stdin=manifest)
    try:
        yield
    finally:
        run_inside(site, "sh", "-c", "rm ~/templates/.shipped.json", user=ABUSER)


@contextmanager
def registry_that_sends_for_ever(site: DemoSite) -> Iterator[None]:
    """Make the portal use an endless registry instead of NGC's, whose host is configurable."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    registry = context.Process(target=send_for_ever, args=(queue,), daemon=True)
    registry.start()
    REGISTRY[:] = [f"localhost:{queue.get()}"]
    try:
        with setting(site, f'[ngc]\nhost = "{REGISTRY[0]}"\nplain_http = true'):
            yield
    finally:
        registry.terminate()
        registry.join()


class Endless(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(ConnectionError):
            while True:
                self.wfile.write(b" " * 65_536)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def send_for_ever(queue: Queue[int]) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server:
        queue.put(server.server_address[1])
        server.serve_forever()


ABUSES: dict[str, Abuse] = {
    "anonymous-keys": anonymous_keys,
    "keys-with-a-token": keys_with_a_token,
    "deep-json": deep_json,
    "long-scripts": long_scripts,
    "file-listings": listings,
    "notebook-differences": differences,
    "event-streams": event_streams,
    "slow-bodies": slow_bodies,
    "huge-bodies": huge_bodies,
    "job-searches": output_searches,
    "previews": previews,
    "inner-registries": inner_registries,
    "unfinished-logins": unfinished_logins,
    "huge-manifest": huge_manifests,
    "endless-registry": endless_registries,
}
#: What an abuse needs from the site, besides what `make_inputs` makes.
NEEDS: dict[str, Callable[[DemoSite], AbstractContextManager[None]]] = {
    "huge-manifest": manifest_of_63_mb,
    "endless-registry": registry_that_sends_for_ever,
}
#: Id and file of the template whose copy has 90,000 cells.
TEMPLATE: list[str] = []
#: Host and port of the registry that sends endlessly.
REGISTRY: list[str] = []


def make_inputs(site: DemoSite) -> None:
    """Put a notebook of 90,000 cells where the abuser's copy of a template is."""
    with site.client(ABUSER) as client:
        first = client.get("/templates").raise_for_status().json()["items"][0]
    TEMPLATE[:] = [first["id"], first["file"]]
    cell: dict[str, Any] = {"cell_type": "code", "source": "x", "outputs": [], "metadata": {}, "execution_count": None}
    notebook = json.dumps({"cells": [cell] * 90_000, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    run_inside(site, "sh", "-c", f'mkdir -p "$(dirname ~/templates/{first["file"]})"', user=ABUSER)
    run_inside(site, "sh", "-c", f"cat > ~/templates/{first['file']}", user=ABUSER, stdin=notebook)


if __name__ == "__main__":
    sys.exit(main())
