"""Memory of the Hub and the portal, as the kernel counts it (proc(5), smaps_rollup)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from bench.testbed.site import run_inside
from tests.demo_site import DemoSite

SERVICES = ("hub", "portal")
KIB = 1024


@dataclass(frozen=True)
class Memory:
    """Memory of both together. RSS counts shared pages fully in each process; PSS divides them among their users."""

    rss_mib: float
    pss_mib: float
    rss_of: dict[str, float]

    @classmethod
    def now(cls, site: DemoSite) -> Memory:
        read = {name: _rollup(site, int(site.service(name)["pid"])) for name in SERVICES}
        return cls(
            rss_mib=sum(rss for rss, _ in read.values()),
            pss_mib=sum(pss for _, pss in read.values()),
            rss_of={name: round(rss, 1) for name, (rss, _) in read.items()},
        )

    def __str__(self) -> str:
        each = ", ".join(f"{name} {rss:.0f}" for name, rss in self.rss_of.items())
        return f"{self.rss_mib:.0f} MiB RSS ({each}), {self.pss_mib:.0f} MiB PSS"


def _rollup(site: DemoSite, pid: int) -> tuple[float, float]:
    """Return RSS and PSS of a process and its descendants, in MiB."""
    files = " ".join(f"/proc/{value}/smaps_rollup" for value in _family(site, pid))
    text = run_inside(site, "sh", "-c", f"cat {files} 2>/dev/null; true")  # a process may have ended
    sums = {name: sum(map(int, re.findall(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE))) for name in ("Rss", "Pss")}
    return sums["Rss"] / KIB, sums["Pss"] / KIB


def _family(site: DemoSite, pid: int) -> list[int]:
    """Return the process and its descendants: a door is a child of sudo, not of the portal."""
    children: dict[int, list[int]] = defaultdict(list)
    for line in run_inside(site, "ps", "-e", "-o", "pid=,ppid=").splitlines():
        number, parent = map(int, line.split())
        children[parent].append(number)
    results = [pid]
    for number in results:
        results += children[number]
    return results
