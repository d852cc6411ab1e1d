"""What the Cluster page costs: reading a snapshot, serving it, keeping it live for many viewers, drawing it.

Two clusters in turn: a simulated one of 10,000 nodes with 8 GPUs each and 100,000 jobs, in Slurm's output format; and a
real slurmctld with 5,000 nodes and 10,000 jobs, whose nodes are CLOUD nodes without a slurmd.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.testbed import report
from bench.testbed.big_slurm import FakeSlurm, RealSlurm
from bench.testbed.browser_page import drawn
from bench.testbed.open_page import OpenPage
from bench.testbed.site import warn_of_load
from portal.cluster.board import Board
from portal.garbage import many_values
from portal.slurm import parse_jobs, parse_nodes, queries
from portal.slurm.snapshot import Snapshot
from tests.demo_site import free_port
from tests.snapshots import Cluster

API = "/services/portal/api/cluster"
PARTS = ("snapshot", "requests", "viewers", "drawn", "real")
ROOT = Path(__file__).resolve().parents[1]
RATE = 100
TICK_S = 5.0  # slurm.jobs_interval_s, as the portal is served here
CHANGE_EVERY_S = 5
PAGES = 100
SETTLE_S = 15
CANCEL_EVERY_S = 1.0
#: Seconds after which to close an idle connection: before the server does, perhaps just as it is used again.
UNBOUNDED = httpx2.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=2)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench dashboard", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--part", action="append", choices=PARTS, help="measure only this; repeatable (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each state is measured (default: 60)")
    parser.add_argument("--viewers", type=int, default=200, help="open streams, after one (default: 200)")
    parser.add_argument("--nodes", type=int, default=10_000, help="of the pretended cluster, with 8 GPUs each")
    parser.add_argument("--jobs", type=int, default=100_000, help="of the pretended cluster")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    result: dict[str, Any] = {"nodes": options.nodes, "jobs": options.jobs, "failed": {}}
    for part in PARTS:
        if part in (options.part or PARTS):
            try:
                result |= say(measured(part, options))
            except Exception as error:
                traceback.print_exc()
                result["failed"][part] = f"{type(error).__name__}: {error}"
    report.write(options.json, result | {"machine": report.machine(load)})
    return 1 if result["failed"] else 0


def measured(part: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure one part by itself, with its own cluster and portal."""
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as name:
        folder, seconds = Path(name), options.seconds
        if part == "real":
            return {"real": real(folder, seconds)}
        cluster = Cluster(nodes=options.nodes, jobs=options.jobs)
        if part == "snapshot":
            return snapshot(cluster)
        slurm = FakeSlurm(folder / "slurm", cluster)
        with serving(folder / "portal", slurm) as server:
            if part == "requests":
                return asyncio.run(requests(server, slurm, seconds))
            if part == "viewers":
                return asyncio.run(viewers(server, slurm, options.viewers, seconds))
            return drawn(server.url)


def say(numbers: dict[str, Any]) -> dict[str, Any]:
    print(json.dumps(numbers), flush=True)
    return numbers


def snapshot(cluster: Cluster) -> dict[str, Any]:
    """Read a full snapshot from nothing, and again with a hundredth of the jobs changed; return CPU seconds."""
    mark = queries.new_mark()
    queue, lines = cluster.queue(mark), cluster.node_lines()
    reader, board = parse_jobs.JobReader(), Board()
    began = time.process_time()
    with many_values():
        jobs = {job.id: job for job in reader.read(queue, mark)}
        nodes = tuple(parse_nodes.nodes(lines))
    board.update(Snapshot(jobs=jobs, nodes=nodes))
    full = time.process_time() - began
    cluster.change(0.01)
    queue = cluster.queue(mark)
    began = time.process_time()
    jobs = {job.id: job for job in reader.read(queue, mark)}
    change = board.update(Snapshot(jobs=jobs, nodes=board.shown))
    again = time.process_time() - began
    size = sum(len(row) for row in change.rows)
    return {"snapshot_cpu_s": round(full, 2), "next_snapshot_cpu_s": round(again, 2), "difference_bytes": size}


class Server:
    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self._pid = pid

    def cpu_s(self) -> float:
        """Return the CPU seconds of the portal and of the Slurm programs it has waited for."""
        fields = Path(f"/proc/{self._pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(folder: Path, slurm: FakeSlurm | RealSlurm) -> Iterator[Server]:
    port = free_port()
    arguments = [str(port), str(folder), str(slurm.programs.bin), *([str(slurm.conf)] if slurm.conf else [])]
    folder.mkdir(parents=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.testbed.dashboard_server", *arguments], cwd=ROOT, stdout=log, stderr=log
        )
    server = Server(f"http://127.0.0.1:{port}", process.pid)
    try:
        deadline = time.monotonic() + 120
        before, number = 0, 0
        while not number or number != before:  # the first reading is processed in steps
            before, number = number, _nodes(server)
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The portal did not come up: {(folder / 'log').read_text()[-2000:]}")
            time.sleep(0.5)
        print(f"{number} nodes are shown", flush=True)
        yield server
    finally:
        process.terminate()
        process.wait(30)


def _nodes(server: Server) -> int:
    try:
        answer = httpx2.get(server.url + API, headers={"Authorization": "token alice"}, timeout=60, trust_env=False)
    except httpx2.HTTPError:
        return 0
    return len(answer.json()["nodes"]) if answer.status_code == 200 else 0


async def requests(server: Server, slurm: FakeSlurm, seconds: float) -> dict[str, Any]:
    """Request the whole snapshot 100 times a second, evenly spaced, while a tenth of a percent of the jobs changes."""
    took: list[float] = []

    async def ask(client: httpx2.AsyncClient, number: int) -> None:
        began = time.perf_counter()
        async with client.stream("GET", server.url + API, headers=_who(number % 50)) as answer:
            answer.raise_for_status()
            async for _ in answer.aiter_raw():
                pass
        took.append(time.perf_counter() - began)

    slurm.prepare(int(seconds / CHANGE_EVERY_S) + 1, 0.001)
    async with httpx2.AsyncClient(limits=UNBOUNDED, timeout=60, trust_env=False) as client:
        for number in range(20):
            await ask(client, number)
        took.clear()
        loop = asyncio.get_running_loop()
        begin, tasks = loop.time(), []
        for number in range(int(RATE * seconds)):
            await asyncio.sleep(begin + number / RATE - loop.time())
            tasks.append(asyncio.create_task(ask(client, number)))
            if number % int(RATE * CHANGE_EVERY_S) == 0:
                slurm.go_on()
        await asyncio.gather(*tasks)
    median, p95 = _ms(statistics.median(took)), _ms(_p95(took))
    return {"p50_ms_at_100rps": median, "p95_ms_at_100rps": p95, "requests": len(took)}


async def viewers(server: Server, slurm: FakeSlurm, many: int, seconds: float) -> dict[str, Any]:
    """Count the Slurm programs started while one page is open, and while many are."""
    counts = {}
    for count in (1, many):
        async with streams(server, count):
            await asyncio.sleep(SETTLE_S)
            before = slurm.programs.calls().total()
            await asyncio.sleep(seconds)
            counts[count] = round((slurm.programs.calls().total() - before) * 60 / seconds, 1)
    return {"calls_per_min_1_viewer": counts[1], f"calls_per_min_{many}_viewers": counts[many]}


@asynccontextmanager
async def streams(server: Server, count: int) -> AsyncIterator[list[OpenPage]]:
    """Hold open the streams of this many pages. Raises TimeoutError if they do not open."""
    pages = [OpenPage() for _ in range(count)]
    patience = httpx2.Timeout(60, read=None, pool=None)
    async with httpx2.AsyncClient(limits=UNBOUNDED, timeout=patience, trust_env=False) as client:
        reading = [
            asyncio.create_task(page.read(client, f"{server.url}{API}/events", _who(number)))
            for number, page in enumerate(pages)
        ]
        try:
            async with asyncio.timeout(120):
                await asyncio.gather(*(page.opened.wait() for page in pages))
            yield pages
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)


def real(folder: Path, seconds: float) -> dict[str, Any]:
    """Measure 100 pages on a real slurmctld: how late a change reaches them, and the total cost."""
    with RealSlurm(folder / "slurm", 5_000).running() as slurm:
        slurm.submit(10_000)
        waiting = slurm.submit_waiting(int(seconds / CANCEL_EVERY_S))
        running = slurm.settle()
        with serving(folder / "portal", slurm) as server:
            measured = asyncio.run(_lags(server, slurm, waiting)) | compared(slurm)
    return {"jobs_running": running} | measured


async def _lags(server: Server, slurm: RealSlurm, waiting: list[str]) -> dict[str, Any]:
    """Cancel waiting jobs at random moments; return when each page knows, since the change and since its reading."""
    pick = random.Random(10)  # noqa: S311  (sampling times, not secrets)
    done: list[float] = []
    async with streams(server, PAGES) as pages:
        await asyncio.sleep(SETTLE_S)
        cpu, began = server.cpu_s(), time.monotonic()
        for job in waiting:
            await asyncio.sleep(pick.uniform(0, 2 * CANCEL_EVERY_S))
            await asyncio.to_thread(slurm.run, "scancel", job)
            done.append(time.time())
        cores = (server.cpu_s() - cpu) / (time.monotonic() - began)
        await asyncio.sleep(2 * TICK_S)
    heard = [page.changes() for page in pages]
    delays = [_first_after(changes, at) - at for changes in heard for at in done]
    lags = [_first_after(changes, at, read=True) for changes in heard for at in done]
    return {
        "pages": PAGES,
        "changes": len(done),
        "change_p50_ms": _ms(statistics.median(delays)),
        "change_p95_ms": _ms(_p95(delays)),
        "lag_p50_ms": _ms(statistics.median(lags)),
        "lag_p95_ms": _ms(_p95(lags)),
        "tick_ms": TICK_S * 1000,
        "cores": round(cores, 3),
    }


def _first_after(changes: list[tuple[float, float]], at: float, *, read: bool = False) -> float:
    """Return when the first change arrived whose reading began after `at`; with `read`, how long that took."""
    began, arrived = next(change for change in changes if change[0] >= at)
    return arrived - began if read else arrived


def compared(slurm: RealSlurm) -> dict[str, Any]:
    """Measure the cost for a program that queries Slurm on every request (squeue and sinfo, one after the other).

    For comparison, also measure the portal's own reading of the queue.
    """
    peers, cpu = _timed(
        slurm,
        ("squeue", "-h", "-a", "-o", "%i|%j|%u|%T|%P|%N|%b|%l|%L|%r|%S"),
        ("sinfo", "-h", "-o", "%n|%t|%C|%e|%G|%f"),
    )
    own, own_cpu = _timed(slurm, tuple(queries.jobs(queries.new_mark())))
    return {"per_request_ms": peers, "per_request_cpu_s": cpu, "squeue_ms": own, "squeue_cpu_s": own_cpu}


def _timed(slurm: RealSlurm, *commands: tuple[str, ...]) -> tuple[float, float]:
    """Run the commands ten times; return their total time (median, ms) and CPU (mean, seconds)."""
    took, before = [], os.times()
    for _ in range(10):
        began = time.perf_counter()
        for argv in commands:
            slurm.run(*argv)
        took.append(time.perf_counter() - began)
    after = os.times()
    cpu = (after.children_user + after.children_system - before.children_user - before.children_system) / 10
    return _ms(statistics.median(took)), round(cpu, 3)


def _who(number: int) -> dict[str, str]:
    return {"Authorization": f"token user{number:03d}", "Accept-Encoding": "gzip"}


def _p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


if __name__ == "__main__":
    sys.exit(main())
