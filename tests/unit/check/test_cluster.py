"""What of slurm.conf `portal check` speaks about."""

from __future__ import annotations

import pytest

from portal.check import cluster

FINE = {
    "PrivateData": "none",
    "InactiveLimit": "0 sec",
    "AccountingStorageTRES": "cpu,mem,gres/gpu",
    "EnforcePartLimits": "ALL",
}


def advice(config: dict[str, str]) -> list[str]:
    return [what for sign, what, _ in cluster.ADVICE if sign(config)]


def test_nothing_is_said_of_a_cluster_that_is_set_up_for_it() -> None:
    assert advice(FINE) == []


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("PrivateData", "accounts,JOBS", "hides jobs"),
        ("InactiveLimit", "120 sec", "InactiveLimit would end sessions"),
        ("AccountingStorageTRES", "cpu,mem", "counts no GPUs"),
        ("EnforcePartLimits", "NO", "queued for ever"),
    ],
)
def test_setting_that_takes_something_from_sessions_is_named(key: str, value: str, says: str) -> None:
    (said,) = advice({**FINE, key: value})
    assert says in said


def test_versions_are_compared_as_numbers() -> None:
    assert cluster.parts("22.05.8") >= cluster.OLDEST > cluster.parts("21.08.8-2")
    assert cluster.parts("") < cluster.OLDEST
