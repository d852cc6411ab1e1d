"""Fills a cluster: other users' jobs hold its GPUs."""

from __future__ import annotations

from demo.site import GPUS_PER_NODE
from tests.demo_site import DemoSite

FILLER = "dave"


def fill(site: DemoSite, *, nodes: int | None = None) -> list[str]:
    """Submit batch jobs that take all GPUs of this many nodes (None: of all); return their ids once they run."""
    options = (f"--gres=gpu:{GPUS_PER_NODE}", "--nodes=1", "--mem=1G", "--job-name=filler", "--output=/dev/null")
    count = len(site.nodes) if nodes is None else nodes
    jobs = [
        site.run("sbatch", "--parsable", *options, "--chdir=/", "--wrap=exec sleep 900", user=FILLER).strip()
        for _ in range(count)
    ]
    site.wait_for(lambda: {job["id"] for job in site.jobs("--states=RUNNING")} >= set(jobs), "the cluster to be full")
    return jobs
