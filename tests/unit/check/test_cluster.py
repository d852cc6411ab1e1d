"""What of slurm.conf `portal check` speaks about."""

from __future__ import annotations

import grp
import json
from pathlib import Path

import pytest

from portal.check import cluster

FINE = {
    "PrivateData": "none",
    "InactiveLimit": "0 sec",
    "AccountingStorageTRES": "cpu,mem,gres/gpu",
    "EnforcePartLimits": "ALL",
    "GresTypes": "gpu,mps",
}


def advice(config: dict[str, str]) -> list[str]:
    return [what for sign, what, _ in cluster.ADVICE if sign(config)]


@pytest.mark.parametrize(
    ("known", "level", "says"),
    [
        (["alpha"], "GOOD", "the cluster is “alpha”"),
        (
            ["beta", "alpha"],
            "GOOD",
            "the cluster is “alpha”; accounts of other clusters in its slurmdbd (beta) are not used",
        ),
        (["beta"], "BAD", "slurmdbd does not know the cluster “alpha”; it knows: beta"),
    ],
)
def test_cluster_is_named_among_those_of_its_slurmdbd(known: list[str], level: str, says: str) -> None:
    finding = cluster.which_cluster("alpha", known)
    assert (finding.mark.name, finding.text) == (level, says)


def test_nothing_is_said_of_a_cluster_that_is_set_up_for_it() -> None:
    assert advice(FINE) == []


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("PrivateData", "accounts,JOBS", "hides jobs"),
        ("InactiveLimit", "120 sec", "InactiveLimit would end sessions"),
        ("AccountingStorageTRES", "cpu,mem", "does not count GPUs"),
        ("EnforcePartLimits", "NO", "in the queue forever"),
        ("GresTypes", "gpu,mps,shard", "unsets CUDA_VISIBLE_DEVICES"),
    ],
)
def test_setting_that_takes_something_from_sessions_is_named(key: str, value: str, says: str) -> None:
    (text,) = advice({**FINE, key: value})
    assert says in text


def test_versions_are_compared_as_numbers() -> None:
    assert cluster.parts("22.05.8") >= cluster.OLDEST > cluster.parts("21.08.8-2")
    assert cluster.parts("") < cluster.OLDEST


def test_group_of_the_door_that_the_machine_does_not_know_is_named(tmp_path: Path) -> None:
    config = tmp_path / "portal-door.json"
    known = grp.getgrall()[0].gr_name
    config.write_text(json.dumps({"groups": [known, "gpu-users-of-ldap"], "admin_groups": [known]}))
    (finding,) = cluster.unknown_groups(config)
    assert finding.text == "groups names gpu-users-of-ldap, which is not a Unix group here"
    assert str(config) in finding.do


def test_doors_configuration_that_is_closed_to_the_account_is_passed_over(tmp_path: Path) -> None:
    assert cluster.unknown_groups(tmp_path / "nowhere.json") == []
