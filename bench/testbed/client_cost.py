"""What one reading costs through Slurm's commands and through pyslurm.

Runs where both fit; bench/client.py puts it there. Prints one JSON object. CPU is that of the reading process and
everything it starts, pyslurm's child included; requests are counted by slurmctld itself (sdiag(1)).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from portal.settings import Slurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.library.client import SlurmLibrary

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def requests() -> int:
    """Return how many requests slurmctld has received, without this one."""
    stdout = subprocess.run(["sdiag"], capture_output=True, text=True, check=True).stdout
    by_type = stdout.partition("by message type")[2].partition("by user")[0]
    counts = dict(re.findall(r"(REQUEST_\w+)\s+\(\s*\d+\) count:(\d+)", by_type))
    counts.pop("REQUEST_STATS_INFO", None)
    return sum(map(int, counts.values()))


class Cost:
    """CPU seconds of this process, of its ended children, and of the one that stays."""

    def __init__(self, client: SlurmCommands) -> None:
        self._client = client

    def child(self) -> int | None:
        return self._client.child.pid if isinstance(self._client, SlurmLibrary) else None

    def cpu_s(self) -> float:
        here = os.times()
        pid = self.child()
        if pid is None:
            return here.user + here.system + here.children_user + here.children_system
        # nanoseconds from /proc/PID/schedstat: the ticks of utime and stime are too coarse for one reading.
        beside = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
        return here.user + here.system + here.children_user + here.children_system + beside

    def child_mib(self) -> float | None:
        pid = self.child()
        return None if pid is None else int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20


async def measured(client: SlurmCommands, read: Callable[[], Awaitable[Any]], times: int) -> dict[str, Any]:
    """Read once as a warm-up, then `times` times: wall time and CPU of each, requests of all."""
    began = time.perf_counter()
    await read()
    first_ms = (time.perf_counter() - began) * 1000
    cost, walls, cpus = Cost(client), [], []
    before = requests()
    for _ in range(times):
        cpu, began = cost.cpu_s(), time.perf_counter()
        await read()
        walls.append((time.perf_counter() - began) * 1000)
        cpus.append((cost.cpu_s() - cpu) * 1000)
    return {
        "first_ms": first_ms,
        "wall_ms": walls,
        "cpu_ms": cpus,
        "requests": (requests() - before) / times,
        "child_mib": cost.child_mib(),
    }


async def main() -> None:
    times = int(sys.argv[1])
    settings = Slurm(bin_dir=Path("/usr/bin"), timeout_s=120, client="pyslurm", readings_per_minute=1e9)
    clients: dict[str, SlurmCommands] = {"commands": SlurmCommands(settings), "pyslurm": SlurmLibrary(settings)}
    result: dict[str, Any] = {}
    snapshots = []
    for name, client in clients.items():

        async def snapshot(client: SlurmCommands = client) -> Any:
            return await client.jobs(), await client.partitions(), await client.nodes()

        jobs, partitions, _ = await snapshot()
        snapshots.append(({job.id: job for job in jobs}, partitions))
        parts = {"jobs": client.jobs, "partitions": client.partitions, "picture": snapshot}
        result[name] = {part: await measured(client, read, times) for part, read in parts.items()}
        result[name]["read_by"] = client.reads_by
        await client.close()
    result["jobs"] = len(snapshots[0][0])
    result["equal"] = snapshots[0] == snapshots[1]
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main())
