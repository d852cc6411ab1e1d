"""How long a cell of a notebook takes: `print(1)` from the request until its kernel is idle again.

Alternates between a session, through the proxy, and a JupyterLab of the same environment that was started by hand and
is reached directly. Each has one open websocket, as a notebook has.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp

from bench.click import USER, running_lab
from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import testbed, warn_of_load
from tests.demo_site import DemoSite
from tests.person import Person


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench cells", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians, ratios and all samples there")
    parser.add_argument("-n", type=int, default=200, help="cells in each (default: 200)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site, running_lab(site) as by_hand:
        samples = asyncio.run(measure(site, by_hand, options.n))
    spreads = {name: Spread(tuple(1000 * seconds for seconds in values)) for name, values in samples.items()}
    for name, spread in spreads.items():
        print(f"{name:10} {spread} ms")
    ratio = round(spreads["portal"].median / spreads["by hand"].median, 3)
    print(f"{'cell_ratio_by_hand':34} {ratio}")
    result = {name: spread.as_json() for name, spread in spreads.items()}
    report.write(options.json, {**result, "cell_ratio_by_hand": ratio, "machine": report.machine(load)})
    return 0


async def measure(site: DemoSite, by_hand: str, n: int) -> dict[str, list[float]]:
    """Return the seconds of each cell, after ten of each that do not count."""
    person = Person.of(site, USER)
    live = person.ready(gpus=0)
    headers = {"Authorization": f"token {person.token}"}
    async with aiohttp.ClientSession(headers=headers) as user, aiohttp.ClientSession() as anybody:
        kernel = await _kernel(anybody, by_hand)
        async with (
            user.ws_connect(live.kernel().socket, ssl=site.tls) as ours,
            anybody.ws_connect(f"{by_hand}/api/kernels/{kernel}/channels".replace("http", "ws", 1)) as theirs,
        ):
            sockets = {"portal": ours, "by hand": theirs}
            samples: dict[str, list[float]] = {name: [] for name in sockets}
            for number in range(n + 10):
                for name, socket in sockets.items():
                    seconds = await _cell(socket)
                    if number >= 10:
                        samples[name].append(seconds)
    live.stop()
    person.close()
    return samples


async def _kernel(http: aiohttp.ClientSession, url: str) -> str:
    async with http.post(f"{url}/api/kernels", json={"name": "python3"}) as response:
        response.raise_for_status()
        return str((await response.json())["id"])


async def _cell(socket: aiohttp.ClientWebSocketResponse) -> float:
    """Run a cell and return the seconds until its reply and the kernel's "idle" are there."""
    header = {
        "msg_id": uuid.uuid4().hex,
        "msg_type": "execute_request",
        "username": USER,
        "session": "",
        "version": "5.3",
    }
    content = {"code": "print(1)", "silent": False, "store_history": False, "allow_stdin": False}
    message: dict[str, Any] = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    began = time.perf_counter()
    await socket.send_json(message | {"channel": "shell"})
    missing = {"execute_reply", "idle"}
    while missing:
        answer = json.loads((await socket.receive()).data)
        if answer["parent_header"].get("msg_id") == header["msg_id"]:
            missing -= {answer["msg_type"], answer["content"].get("execution_state")}
    return time.perf_counter() - began


if __name__ == "__main__":
    raise SystemExit(main())
