"""Maintenance as policy counts it: what runs into it is refused, with the time there is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.errors import PolicyRefused
from portal.policy.closures import Closure, with_closures
from portal.policy.request import ResourceRequest
from portal.settings import Policy
from tests.unit.policy.resolving import resolve
from tests.unit.policy.test_resolve import ALICE, CLUSTER

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def closure(starts: timedelta, *partitions: str, lasts: timedelta = 4 * HOUR) -> Closure:
    return Closure(NOW + starts, NOW + starts + lasts, frozenset(partitions) or None, "New switches")


def refusal(ask: ResourceRequest, *closures: Closure) -> dict[str, str]:
    with pytest.raises(PolicyRefused) as caught:
        resolve(ask, ALICE, with_closures(CLUSTER, closures, NOW), Policy())
    return {field.field: field.message for field in caught.value.fields}


def test_a_session_that_would_run_into_maintenance_is_refused_with_what_would_fit() -> None:
    results = refusal(ResourceRequest(partition="sxm2", walltime_s=8 * 3600), closure(3 * HOUR, "sxm2"))
    assert results["resources.walltime_s"] == (
        "It would run into maintenance: “sxm2” closes at Sat 21 Nov 15:00 UTC, in 3 h: New switches."
        " Ask for 3 h at most, or choose another partition."
    )


def test_a_session_that_is_over_before_or_elsewhere_is_not_touched() -> None:
    closed = with_closures(CLUSTER, [closure(3 * HOUR, "sxm2")], NOW)
    assert resolve(ResourceRequest(partition="sxm2", walltime_s=3 * 3600), ALICE, closed, Policy()).walltime_s == 10_800
    assert resolve(ResourceRequest(partition="debug"), ALICE, closed, Policy()).partition == "debug"


def test_the_soonest_of_several_counts_and_none_names_all_partitions() -> None:
    results = refusal(
        ResourceRequest(partition="debug", walltime_s=1800), closure(9 * HOUR), closure(timedelta(minutes=10))
    )
    assert "Ask for 10 min at most" in results["resources.walltime_s"]


def test_with_less_than_a_minute_left_another_partition_is_the_only_advice() -> None:
    results = refusal(ResourceRequest(partition="sxm2", walltime_s=60), closure(timedelta(seconds=30), "sxm2"))
    assert results["resources.walltime_s"].endswith("Choose another partition.")


def test_during_maintenance_the_partition_is_closed_and_another_is_the_default() -> None:
    under_way = closure(-HOUR, "debug")
    results = refusal(ResourceRequest(partition="debug", walltime_s=60), under_way)
    assert results["resources.partition"] == (
        "The partition “debug” is in maintenance until Sat 21 Nov 15:00 UTC: New switches."
    )
    assert resolve(ResourceRequest(), ALICE, with_closures(CLUSTER, [under_way], NOW), Policy()).partition == "sxm2"


def test_maintenance_that_is_over_counts_no_more() -> None:
    over = closure(-4 * HOUR, "sxm2", lasts=4 * HOUR)
    assert with_closures(CLUSTER, [over], NOW) == CLUSTER
