"""Usage on a real Slurm: the figures match sacct's, and the answer while slurmdbd is down."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.person import Kernel, Person

USER = "carol"
SACCT = (
    "sacct",
    "--noheader",
    "--parsable2",
    "--duplicates",
    "--allocations",
    f"--user={USER}",
    "--starttime=now-1day",
)
#: The report's hours have two digits after the point.
ROUNDED_S = 36
ENDED = ("COMPLETED", "CANCELLED", "FAILED")


def report(who: Person, **params: str) -> dict[str, Any]:
    answer = who.api("GET", "/usage", params={"from": "2026-01-01"} | params)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def by_hand(site: DemoSite) -> tuple[int, int, int]:
    """Return GPU-seconds, CPU-seconds and jobs by sacct: the time each life of a job took, times what it was given."""
    gpu_s = cpu_s = jobs = 0
    for row in site.run(*SACCT, "--format=ElapsedRaw,AllocTRES").splitlines():
        elapsed, _, tres = row.partition("|")
        held = dict(part.split("=") for part in tres.split(",") if part)
        jobs += bool(held)
        gpu_s += int(elapsed) * int(held.get("gres/gpu", 0))
        cpu_s += int(elapsed) * int(held.get("cpu", 0))
    return gpu_s, cpu_s, jobs


def submit(site: DemoSite, *options: str) -> str:
    command = ("sbatch", "--parsable", "--time=5", "--chdir=/tmp", "--output=/dev/null", *options)
    return site.run(*command, user=USER).strip()


def states(site: DemoSite, *jobs: str) -> list[str]:
    return site.run(*SACCT, f"--jobs={','.join(jobs)}", "--format=State").split()


def test_figures_are_those_of_sacct_and_stay_while_slurmdbd_is_away(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    carol = person(USER)
    short = [
        submit(site, "--gres=gpu:2", "--cpus-per-task=4", "--wrap=sleep 4"),
        submit(site, "--array=0-1", "--wrap=sleep 2"),
        submit(site, "--hold", "--wrap=sleep 1"),
    ]
    long = submit(site, "--gres=gpu:1", "--requeue", "--wrap=sleep 300")
    site.wait_for(lambda: states(site, long) == ["RUNNING"], "the long job to run", 60)
    site.run("scontrol", "requeue", long)
    site.run("scancel", short[2])
    site.wait_for(
        lambda: len(results := states(site, *short)) >= 3 and all(name in (*ENDED, "by", "0") for name in results),
        "the short jobs to end",
        90,
    )
    asked = datetime.now(UTC)
    site.wait_for(lambda: datetime.fromisoformat(report(carol)["source"]["read_to"]) > asked, "the next reading", 90, 1)

    least = by_hand(site)
    results = report(carol, by="partition")
    most = by_hand(site)
    assert results["source"]["kind"] == "accounting"
    total = results["total"]
    assert least[0] - ROUNDED_S <= total["gpu_hours"] * 3600 <= most[0] + ROUNDED_S
    assert least[1] - ROUNDED_S <= total["cpu_hours"] * 3600 <= most[1] + ROUNDED_S
    assert least[2] <= total["jobs"] <= most[2]
    assert total["gpu_hours_unknown"] == total["gpu_hours"], "there is no GPU here that could be measured"

    site.kill("slurmdbd")
    down = site.wait_for(
        lambda: report(carol)["source"]["failing_since"], "the page to say that slurmdbd is away", 90, 1
    )
    assert datetime.fromisoformat(down) >= asked
    kept = report(carol)["total"]
    assert kept["jobs"] == total["jobs"]
    site.start("slurmdbd")
    site.wait_for(lambda: report(carol)["source"]["failing_since"] is None, "the accounting to be read again", 90, 1)


def test_samples_of_a_session_are_drawn_on_its_page(site: DemoSite, person: Callable[[str], Person]) -> None:
    live = person("alice").ready(gpus=0)

    def points() -> list[dict[str, Any]]:
        return list(live.owner.api("GET", f"/sessions/{live.id}/usage").json()["items"])

    (point, *_) = site.wait_for(points, "the first sample", 120, 1)
    assert point["memory_mib"] > 0
    assert point["cpu_percent"] is not None
    assert person("bob").api("GET", f"/sessions/{live.id}/usage").status_code == 404


@pytest.mark.slow  # two reports of an agent, which are half a minute apart
def test_signs_of_work_reach_the_portal(site: DemoSite, person: Callable[[str], Person]) -> None:
    live = person(USER).ready(gpus=0)

    def signs() -> dict[str, Any]:
        return (live.now()["usage"] or {}).get("activity") or {}

    try:
        response = live.owner.web.post(f"{live.address}api/kernels", json={"name": "python3"})
        kernel = Kernel(live.owner, live.address, response.json()["id"])
        with ThreadPoolExecutor() as threads:
            cell = threads.submit(kernel.run, "import time; time.sleep(50)")
            # A kernel's ports make the agent report at once, which is before Jupyter has written the kernel down.
            site.wait_for(lambda: (signs().get("kernel_busy_percent") or 0) > 50, "a report of the busy kernel", 60)
            found = signs()
            assert (found["kernels"], found["kernels_busy"], found["programs"]) == (1, 1, 0)
            assert found["network_kib_s"] is not None
            assert found["disk_kib_s"] is not None
            assert found["quiet_s"] is not None
            cell.result()
    finally:
        live.stop()
        live.ended()
