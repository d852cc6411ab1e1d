"""Batch jobs through the door: the script is data, values stand in argv, and each job is answered for itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from door import batch
from door.__main__ import parse
from door.refused import Refused
from tests.unit.door.asking import argv_of, entry, env_of

Site = Callable[..., dict[str, Any]]
SCRIPT = "#!/bin/bash\n#SBATCH -N 2\necho hi\n"
ASK: dict[str, Any] = {
    "verb": "job_submit",
    "user": "alice",
    "script": SCRIPT,
    "workdir": None,
    "partition": None,
    "token": "abcdefabcdef",
    "meter": None,
    "deadline_s": 10,
}
ACT: dict[str, Any] = {
    "verb": "job_act", "user": "alice", "ids": ["7"], "action": "cancel", "walltime_s": None, "deadline_s": 10,
}  # fmt: skip


def fields(request: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return parse(json.dumps(request | changes).encode())[1]


def test_script_goes_in_by_stdin_as_it_is(site: Site, tmp_path: Path) -> None:
    config = site(sbatch="pwd >&2; echo '43;cluster'")
    answer = batch.job_submit(fields(ASK), entry(tmp_path / "home"), config)
    assert (answer["job_id"], answer["said"]) == (43, str(tmp_path / "home"))
    assert (tmp_path / "sbatch.in").read_text() == SCRIPT
    assert argv_of(tmp_path, "sbatch") == ["--propagate=NONE", "--parsable", "--comment=portal:abcdefabcdef"]
    assert not [name for name in env_of(tmp_path, "sbatch") if name.startswith(("SLURM", "SBATCH", "SUDO", "DSP"))]


def test_large_script_goes_in_whole(site: Site, tmp_path: Path) -> None:
    config = site(sbatch="echo 43")
    text = SCRIPT + "# é\n" * 40_000
    batch.job_submit(fields(ASK, script=text, token=None), entry(tmp_path / "home"), config)
    assert (tmp_path / "sbatch.in").read_text() == text


def test_dry_run_submits_nothing_and_tells_times_in_utc(site: Site, tmp_path: Path) -> None:
    config = site(sbatch="echo 'sbatch: Job 1 to start at …' >&2")
    asked = {name: value for name, value in ASK.items() if name not in ("token", "meter")} | {"verb": "job_test"}
    answer = batch.job_test(fields(asked, partition="a,b"), entry(tmp_path / "home"), config)
    assert answer["said"].startswith("sbatch: Job 1")
    assert argv_of(tmp_path, "sbatch") == ["--propagate=NONE", "--test-only", "--partition=a,b"]
    assert env_of(tmp_path, "sbatch")["TZ"] == "UTC"


def test_folder_that_is_not_there_is_told_at_its_field(site: Site, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        batch.job_submit(fields(ASK, workdir="~/gone"), entry(tmp_path / "home"), site(sbatch="echo 1"))
    assert caught.value.answer["error"]["field"] == "workdir"


def test_each_job_is_answered_for_itself(site: Site, tmp_path: Path) -> None:
    config = site(scancel='[ "$1" = 8 ] && { echo denied >&2; exit 1; }; true')
    done = batch.job_act(fields(ACT, ids=["7", "8", "9_[0-3,7]"]), entry(tmp_path / "home"), config)
    assert [(result["id"], result["ok"], result["said"]) for result in done["results"]] == [
        ("7", True, ""),
        ("8", False, "denied"),
        ("9_[0-3,7]", True, ""),
    ]


@pytest.mark.parametrize(
    ("action", "walltime_s", "argv"),
    [
        ("hold", None, ["hold", "7"]),
        ("release", None, ["release", "7"]),
        ("requeue", None, ["requeue", "7"]),
        ("time_limit", 90, ["update", "JobId=7", "TimeLimit=2"]),
    ],
)
def test_actions_are_slurms_own(
    site: Site, tmp_path: Path, action: str, walltime_s: int | None, argv: list[str]
) -> None:
    config = site(scontrol="true")
    batch.job_act(fields(ACT, action=action, walltime_s=walltime_s), entry(tmp_path / "home"), config)
    assert argv_of(tmp_path, "scontrol") == argv


@given(st.text(alphabet="0123456789_[]-,%; $\n-", min_size=1))
def test_what_is_no_number_of_a_job_is_refused(text: str) -> None:
    try:
        (taken,) = fields(ACT, ids=[text])["ids"]
    except Refused:
        return
    assert set(taken) <= set("0123456789_[]-,")
    assert taken[0] in "123456789"


@pytest.mark.parametrize(
    "changes",
    [
        {"ids": []}, {"ids": "7"}, {"ids": ["7"] * 501}, {"ids": ["0"]}, {"ids": ["-1"]}, {"ids": ["7 8"]},
        {"action": "update"}, {"action": "hold x"}, {"walltime_s": 30}, {"ids": [7]},
    ],
)  # fmt: skip
def test_actions_that_are_none_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        fields(ACT, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"script": "x\0y"}, {"script": "x" * (batch.MAX_SCRIPT + 1)}, {"partition": "a;b"}, {"partition": ",a"},
        {"token": "x"}, {"token": "ABCDEFABCDEF"}, {"workdir": "relative"}, {"script": None},
    ],
)  # fmt: skip
def test_submissions_that_are_none_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        fields(ASK, **changes)


def test_time_belongs_to_the_time_limit_only(site: Site, tmp_path: Path) -> None:
    for changes in ({"action": "time_limit"}, {"action": "cancel", "walltime_s": 90}):
        with pytest.raises(Refused):
            batch.job_act(fields(ACT, **changes), entry(tmp_path / "home"), site(scontrol="true"))
