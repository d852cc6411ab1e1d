"""What the form says before a session starts: what would start now instead, and when it will probably start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.placement.waits import PastJob, Range
from portal.policy.request import SessionRequest
from portal.sessions.requests import CheckedRequest
from portal.slurm.nodes import GpuCount
from tests.unit.sessions.conftest import Desk

FOUR = {"app": "jupyterlab", "resources": {"gpus": 4}}


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Two GPUs are free, on one node."""
    first, second = desk.watcher.snapshot.nodes
    nodes = replace(first, gpus=(GpuCount("v100", 4, 2),)), replace(second, gpus=(GpuCount("v100", 4, 4),))
    desk.watcher.snapshot = replace(desk.watcher.snapshot, nodes=nodes)
    return desk


async def check(desk: Desk, **body: object) -> CheckedRequest:
    return await desk.requests.check("alice", SessionRequest.model_validate(FOUR | body))


async def test_check_offers_what_starts_now_instead(busy: Desk) -> None:
    considered = await check(busy)
    assert (considered.starts, considered.problems) == ("later", [])
    [alternative] = considered.alternatives
    assert (alternative.text, alternative.resources.gpus, alternative.resources.cpus) == (
        "2 × V100 instead of 4",
        2,
        16,
    )
    again = await check(
        busy, resources={"gpus": alternative.resources.gpus, "walltime_s": alternative.resources.walltime_s}
    )
    assert (again.resources, again.starts, again.alternatives) == (alternative.resources, "now", [])


async def test_check_offers_what_policy_allows_where_it_refuses(desk: Desk) -> None:
    considered = await check(desk, resources={"gpus": 9})
    assert considered.problems
    assert [alternative.text for alternative in considered.alternatives] == ["4 × V100 instead of 9"]
    assert (await check(desk, app="nothing")).alternatives == [], "no other resources help that"


async def test_check_says_how_long_jobs_like_it_waited(busy: Desk) -> None:
    assert (await check(busy)).estimate is None
    busy.past += [PastJob(day * 86_400, day * 86_400 + 1800, 4) for day in range(30)]
    estimate = (await check(busy)).estimate
    assert estimate is not None
    assert (estimate.wait, estimate.ahead_by) == (Range(1800, 1800, 30), None)
    assert (await check(busy, resources={"gpus": 2})).estimate is None, "it starts now"
