"""What the form says before a session starts: what would start now instead, and when it will probably start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.placement.waits import PastJob, Range
from portal.policy.request import SessionRequest
from portal.sessions.requests import CheckedRequest
from portal.slurm.nodes import GpuCount
from tests.unit.sessions.conftest import Harness

FOUR = {"app": "jupyterlab", "resources": {"gpus": 4}}


@pytest.fixture
def busy(harness: Harness) -> Harness:
    """Two GPUs are free, on one node."""
    first, second = harness.watcher.snapshot.nodes
    nodes = replace(first, gpus=(GpuCount("v100", 4, 2),)), replace(second, gpus=(GpuCount("v100", 4, 4),))
    harness.watcher.snapshot = replace(harness.watcher.snapshot, nodes=nodes)
    return harness


async def check(harness: Harness, **body: object) -> CheckedRequest:
    return await harness.requests.check("alice", SessionRequest.model_validate(FOUR | body))


async def test_check_offers_what_starts_now_instead(busy: Harness) -> None:
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


async def test_check_offers_what_policy_allows_where_it_refuses(harness: Harness) -> None:
    considered = await check(harness, resources={"gpus": 9})
    assert considered.problems
    assert [alternative.text for alternative in considered.alternatives] == ["4 × V100 instead of 9"]
    assert (await check(harness, app="nothing")).alternatives == [], "no other resources help that"


async def test_check_counts_nothing_on_a_node_that_the_session_must_not_get(busy: Harness) -> None:
    two = {"gpus": 2}
    assert (await check(busy, resources=two)).starts == "now"
    avoiding = await check(busy, resources=two, avoid=busy.watcher.snapshot.nodes[0].name)
    assert (avoiding.starts, avoiding.alternatives) == ("later", [])


async def test_check_says_how_long_jobs_like_it_waited(busy: Harness) -> None:
    assert (await check(busy)).estimate is None
    busy.past += [PastJob(day * 86_400, day * 86_400 + 1800, 4) for day in range(30)]
    estimate = (await check(busy)).estimate
    assert estimate is not None
    assert (estimate.wait, estimate.ahead_by) == (Range(1800, 1800, 30), None)
    assert (await check(busy, resources={"gpus": 2})).estimate is None, "it starts now"
