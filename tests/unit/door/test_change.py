"""A waiting session's job is changed, or withdrawn for the one that takes over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.refused import Refused
from tests.unit.door.asking import argv_of, entry

NOTHING = dict.fromkeys(("partition", "account", "qos", "gpu_type", "gpus", "cpus", "memory_mib", "walltime_s"))


def do(config: dict[str, Any], tmp_path: Path, verb: str, **fields: Any) -> dict[str, Any]:
    asked = {"verb": verb, "user": "alice", "job_id": 7, "deadline_s": 5, **fields}
    _, checked, act = parse(json.dumps(asked).encode())
    assert act is not None
    return act(checked, entry(tmp_path / "home"), config) or {}


def test_only_what_changes_is_set(site: Callable[..., Any], tmp_path: Path) -> None:
    what = NOTHING | {"gpus": 1, "gpu_type": "v100", "cpus": 4, "walltime_s": 90, "partition": "debug"}
    assert do(site(scontrol="exit 0"), tmp_path, "session_change", **what) == {"ok": True}
    assert argv_of(tmp_path, "scontrol") == [
        "update",
        "jobid=7",
        "partition=debug",
        "timelimit=2",
        "numcpus=4",
        "cpuspertask=4",
        "mincpusnode=4",
        "gres=gpu:v100:1",
    ]


def test_slurms_refusal_is_told(site: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="Invalid partition"):
        do(site(scontrol="echo Invalid partition >&2; exit 1"), tmp_path, "session_change", **NOTHING)


@pytest.mark.parametrize(
    ("queue", "after", "gone", "there", "cancelled"),
    [
        ("7 PENDING\n8 PENDING", "8 PENDING", True, True, 1),
        ("7 PENDING\n8 PENDING", "7 RUNNING\n8 PENDING", False, True, 1),  # it started first: only a pending job goes
        ("7 RUNNING\n8 PENDING", "", False, True, 0),
        ("7 PENDING", "", False, False, 0),  # the successor is not there: the job stays
        ("7 PENDING\n8 PENDING", "", True, False, 1),
        ("7 PENDING\n8 PENDING", "7 PENDING\n8 PENDING", False, True, 3),  # forgotten by a killed slurmctld
    ],
)
def test_a_job_is_withdrawn_only_if_its_successor_is_there(
    site: Callable[..., Any], tmp_path: Path, queue: str, after: str, gone: bool, there: bool, cancelled: int
) -> None:
    (tmp_path / "queue").write_text(queue)
    (tmp_path / "after").write_text(after)
    config = site(
        squeue=f"cat {tmp_path}/queue", scancel=f"cp {tmp_path}/after {tmp_path}/queue; echo >> {tmp_path}/times"
    )
    answer = do(config, tmp_path, "session_withdraw", session="abcdefghijkm", successor=8)
    assert answer == {"ok": True, "gone": gone, "there": there}
    assert argv_of(tmp_path, "squeue")[2:] == ["--name=dsp-abcdefghijkm", "--format=%i %T"]
    times = tmp_path / "times"
    assert (len(times.read_text().splitlines()) if times.exists() else 0) == cancelled
    if cancelled:
        assert argv_of(tmp_path, "scancel") == ["--state=PENDING", "--name=dsp-abcdefghijkm", "7"]
