"""How much longer a session in an image takes to start than the same session without: alternating, warm.

The image is a folder made from this machine's own Python; its kernels are probed once, before the runs.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from bench.peers.portal import PortalPeer
from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import Resources, jobs_left, run_inside, testbed, warn_of_load
from demo.site import CLONE, INSIDE
from tests.demo_site import API, DemoSite
from tests.images import STANDARD_LIBRARY, add_python_kernel, write_root

USER = "alice"
FOLDER = INSIDE / "shared" / "bench-image"


class InImage(PortalPeer):
    """The same session in an image."""

    name = "image"
    title = "a session in an image"

    def __init__(self, site: DemoSite, resources: Resources, user: str) -> None:
        super().__init__(site, resources, user)
        answer = self._http.post(f"{API}/images", json={"path": str(FOLDER)})
        answer.raise_for_status()
        self._image = answer.json()
        self._body["environment"] = self._image["environment"]

    def forget(self) -> None:
        self._http.delete(f"{API}/images/{self._image['id']}").raise_for_status()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench image", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians, the difference and all samples there")
    parser.add_argument("-n", type=int, default=10, help="starts of each (default: 10)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        root = write_root(site.folder / "shared" / FOLDER.name)
        base = CLONE / ".cache" / "environments" / "base"
        add_python_kernel(root, base / "lib" / STANDARD_LIBRARY.name / "site-packages")
        image, plain = InImage(site, Resources(), USER), PortalPeer(site, Resources(), USER)
        try:
            samples = _compare(site, [plain, image], options.n)
        finally:
            image.forget()
            run_inside(site, "rm", "-rf", FOLDER)
    medians = {name: spread.median for name, spread in samples.items()}
    result = {
        "portal_median_s": round(medians["portal"], 3),
        "image_median_s": round(medians["image"], 3),
        "difference_s": round(medians["image"] - medians["portal"], 3),
        "n": options.n,
        "samples": {name: spread.as_json() for name, spread in samples.items()},
        "machine": report.machine(load),
    }
    for name, spread in samples.items():
        print(f"  {name:10} {spread}")
    print(f"a session in an image takes {result['difference_s']} s more")
    report.write(options.json, result)
    return 0


def _compare(site: DemoSite, peers: list[PortalPeer], n: int) -> dict[str, Spread]:
    """Start each `n` times in alternation, after one warm-up start each."""
    taken: dict[str, list[float]] = {peer.name: [] for peer in peers}
    for turn in range(n + 1):
        for peer in peers:
            time.sleep(0.2)
            took = peer.start()
            peer.stop()
            site.wait_for(lambda: not jobs_left(site), "the job to be gone", timeout_s=60)
            if turn:
                taken[peer.name].append(took)
    return {name: Spread(tuple(times)) for name, times in taken.items()}


if __name__ == "__main__":
    raise SystemExit(main())
