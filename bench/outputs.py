"""What following a fast output costs: a job writes 20 MB/s, and a reader follows it through the proxy, as a page does.

Reports the portal's memory (its doors included) meanwhile, what arrived, what was skipped, and how long another request
of the same user took. Chromium follows it on the job's page as well, while somebody types into the search: reports its
longest task and its slowest key, as the browser measures them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from bench.testbed import report
from bench.testbed.memory import Memory
from bench.testbed.output_page import output_page
from bench.testbed.site import testbed, warn_of_load
from tests.demo_site import API, DemoSite

USER = "alice"
LINE = 100
EVERY_S = 1.0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench outputs", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--seconds", type=int, default=60, help="how long the job writes (default: 60)")
    parser.add_argument("--rate", type=int, default=20, help="MB it writes a second (default: 20)")
    parser.add_argument("--limit", type=int, default=200, help="MB after which it begins its file anew (default: 200)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site; else a fresh one")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        result = measure(site, seconds=options.seconds, rate=options.rate, limit=options.limit)
    print(json.dumps(result, indent=2))
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


@dataclass
class Followed:
    """What a reader of the stream has seen."""

    received: int = 0
    skipped: int = 0
    pieces: int = 0
    longest_gap_s: float = 0.0
    ended: bool = False
    sizes: list[int] = field(default_factory=list)

    def read(self, site: DemoSite, token: str, job_id: str) -> None:
        headers = {"Authorization": f"token {token}"}
        url = f"{site.url}{API}/jobs/{job_id}/output/follow"
        last = time.monotonic()
        with httpx2.stream("GET", url, headers=headers, params={"offset": 0}, timeout=60) as response:
            for line in response.iter_lines():
                if line == "event: end":
                    self.ended = True
                    return
                if not line.startswith("data: "):
                    continue
                data = json.loads(line.removeprefix("data: "))
                now = time.monotonic()
                self.longest_gap_s, last = max(self.longest_gap_s, now - last), now
                self.received += data["next_offset"] - data["offset"]
                self.skipped += data["skipped"]
                self.pieces += 1


def script(seconds: int, rate: int, limit: int) -> str:
    """Return a job script that writes `rate` MB a second; it truncates its file now and then, so that no disk fills."""
    return f"""\
#!/bin/bash
#SBATCH --job-name=fast-output --time=10 --mem=200M --cpus-per-task=1
python3 - <<'PYTHON'
import os, sys, time
block = (b"x" * {LINE - 1} + b"\\n") * {1_000_000 // LINE}
began, written = time.monotonic(), 0
while (now := time.monotonic() - began) < {seconds}:
    while written < now * {rate}:
        if written and written % {limit} == 0:
            os.ftruncate(1, 0)
            os.lseek(1, 0, os.SEEK_SET)
        os.write(1, block)
        written += 1
    time.sleep(0.01)
PYTHON
"""


def measure(site: DemoSite, *, seconds: int, rate: int, limit: int) -> dict[str, Any]:
    token = site.token(USER)
    headers = {"Authorization": f"token {token}"}
    with output_page(site, USER) as page, httpx2.Client(base_url=site.url + API, headers=headers, timeout=60) as api:
        api.get("/jobs").raise_for_status()
        before = Memory.now(site)
        answer = api.post("/jobs", json={"script": script(seconds, rate, limit)})
        answer.raise_for_status()
        followed = Followed()
        reader = threading.Thread(target=followed.read, args=(site, token, answer.json()["id"]))
        reader.start()
        memory, answers = [], []
        page.begin(answer.json()["id"])
        while reader.is_alive():
            began = time.monotonic()
            api.get("/jobs", params={"state": "active"}).raise_for_status()
            answers.append(time.monotonic() - began)
            memory.append(Memory.now(site).rss_of["portal"])
            page.type()
            time.sleep(EVERY_S)
        reader.join()
        drawn = page.seen()
    settled = memory[len(memory) // 4 :]  # once its buffers are allocated
    return {
        "seconds": seconds,
        "written_mb": seconds * rate,
        "received_mb": round(followed.received / 1e6, 1),
        "skipped_mb": round(followed.skipped / 1e6, 1),
        "pieces": followed.pieces,
        "longest_gap_s": round(followed.longest_gap_s, 2),
        "ended": followed.ended,
        "portal_before_mib": round(before.rss_of["portal"], 1),
        "portal_most_mib": round(max(memory), 1),
        "portal_spread_mib": round(max(settled) - min(settled), 1),
        "other_request_median_s": round(statistics.median(answers), 3),
        "other_request_most_s": round(max(answers), 3),
        **drawn,
    }


if __name__ == "__main__":
    sys.exit(main())
