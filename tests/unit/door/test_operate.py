"""Administrators' operations of the door: who may ask, and the exact arguments that come of it."""

from __future__ import annotations

import grp
import json
import os
import pwd
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door import operate
from door.__main__ import parse
from door.config import CONFIG
from door.refused import Refused
from tests.unit.door.asking import argv_of, entry, env_of

DRAIN = {
    "verb": "node_drain",
    "user": "admin",
    "deadline_s": 5,
    "nodes": ["node001", "node002"],
    "reason": "Fans; loud",
}
RESERVE: dict[str, Any] = {
    "verb": "reservation_create",
    "user": "admin",
    "deadline_s": 5,
    "name": "class",
    "starts_at": "2026-12-03T08:00:00",
    "minutes": 240,
    "nodes": ["node001"],
    "users": ["alice", "bob"],
    "accounts": [],
    "flags": ["MAINT", "IGNORE_JOBS"],
}
UPDATE: dict[str, Any] = {
    "verb": "reservation_update",
    "user": "admin",
    "deadline_s": 5,
    "name": "class",
    "starts_at": None,
    "ends_at": "2026-12-03T12:00:00",
    "nodes": None,
    "users": ["carol"],
    "accounts": [],
}
JOBS: dict[str, Any] = {
    "verb": "job_action",
    "user": "admin",
    "deadline_s": 5,
    "jobs": ["7"],
    "action": "hold",
    "value": None,
}


def do(request: dict[str, Any], config: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    _, fields, act = parse(json.dumps(request).encode())
    assert act is not None
    return act(fields, entry(tmp_path / "home"), config)


def test_a_drain_is_one_command_with_the_reason_in_one_argument(site: Callable[..., Any], tmp_path: Path) -> None:
    assert do(DRAIN, site(scontrol="exit 0"), tmp_path) == {"ok": True}
    assert argv_of(tmp_path, "scontrol") == ["update", "nodename=node001,node002", "state=drain", "reason=Fans; loud"]


def test_a_reservation_says_its_times_in_utc(site: Callable[..., Any], tmp_path: Path) -> None:
    do(RESERVE, site(scontrol="exit 0"), tmp_path)
    assert argv_of(tmp_path, "scontrol")[2:] == [
        "reservationname=class",
        "starttime=2026-12-03T08:00:00",
        "duration=240",
        "nodes=node001",
        "users=alice,bob",
        "flags=MAINT,IGNORE_JOBS",
    ]
    assert env_of(tmp_path, "scontrol")["TZ"] == "UTC"


def test_changing_a_reservation_names_only_what_changes(site: Callable[..., Any], tmp_path: Path) -> None:
    assert do(UPDATE, site(scontrol="exit 0"), tmp_path) == {"ok": True}
    assert argv_of(tmp_path, "scontrol") == [
        "update",
        "reservationname=class",
        "endtime=2026-12-03T12:00:00",
        "users=carol",
        "accounts=",
    ]


@pytest.mark.parametrize(
    ("action", "value", "program", "argv"),
    [
        ("hold", None, "scontrol", ["hold", "7"]),
        ("requeue", None, "scontrol", ["requeue", "7"]),
        ("time_limit", 90, "scontrol", ["update", "jobid=7", "timelimit=90"]),
        ("priority", 5000, "scontrol", ["update", "jobid=7", "priority=5000"]),
        ("cancel", None, "scancel", ["--verbose", "7"]),
    ],
)
def test_each_action_on_a_job_is_one_command(
    site: Callable[..., Any], tmp_path: Path, action: str, value: int | None, program: str, argv: list[str]
) -> None:
    answer = do(JOBS | {"action": action, "value": value}, site(**{program: "exit 0"}), tmp_path)
    assert answer["results"] == {"7": ""}
    assert argv_of(tmp_path, program) == argv


def test_what_slurm_says_of_one_job_does_not_keep_it_from_the_next(site: Callable[..., Any], tmp_path: Path) -> None:
    config = site(scontrol='[ "$2" = 8 ] || { echo "Invalid job id specified" >&2; exit 1; }')
    answer = do(JOBS | {"jobs": ["7", "8"]}, config, tmp_path)
    assert answer["results"] == {"7": "Invalid job id specified", "8": ""}


@pytest.mark.parametrize(
    "request_",
    [
        DRAIN | {"reason": "x state=resume\nnodename=all"},
        DRAIN | {"reason": 'say "no"'},
        DRAIN | {"reason": "a=b"},
        DRAIN | {"nodes": ["node[001-900]"]},
        DRAIN | {"nodes": ["a,b"]},
        DRAIN | {"nodes": []},
        DRAIN | {"nodes": ["-f"]},
        RESERVE | {"users": ["alice flags=x"]},
        RESERVE | {"flags": ["ANY_NODES"]},
        RESERVE | {"starts_at": "now+1day"},
        UPDATE | {"ends_at": "now+1day"},
        UPDATE | {"nodes": []},
        UPDATE | {"users": ["bob flags=MAINT"]},
        JOBS | {"jobs": ["7 8"]},
        JOBS | {"action": "suspend"},
        JOBS | {"action": "time_limit", "value": "90; rm"},
        JOBS | {"extra": 1},
    ],
)
def test_hostile_values_are_refused_before_anything_runs(request_: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        parse(json.dumps(request_).encode())
    assert caught.value.answer["error"]["code"] == "invalid"


def test_only_members_of_the_admin_groups_operate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    actor = entry(tmp_path)
    monkeypatch.setattr(os, "getgrouplist", lambda name, gid: [gid, 4])
    known = {"slurm": pwd.struct_passwd(("slurm", "x", 64030, 64030, "", "/", "/bin/false"))}
    monkeypatch.setattr(
        pwd, "getpwnam", lambda name: known.get(name) or pwd.struct_passwd((name, "x", 0, 0, "", "/", ""))
    )
    assert grp.getgrnam("adm").gr_gid == 4
    for groups in ([], ["nosuch"], ["daemon"]):
        with pytest.raises(Refused) as caught:
            operate.operator(actor, CONFIG | {"admin_groups": groups})
        assert caught.value.answer["error"]["code"] == "user_refused"
    assert operate.operator(actor, CONFIG | {"admin_groups": ["nosuch", "adm"]}).pw_name == "slurm"
    with pytest.raises(Refused, match="not root"):
        operate.operator(actor, CONFIG | {"admin_groups": ["adm"], "operator": "root"})
