"""A user's session gets more time through the door: whose job it must be, and how much at most."""

from __future__ import annotations

import json
import pwd
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door import extend
from door.__main__ import parse
from door.refused import Refused
from tests.unit.door.asking import argv_of, entry

ASK: dict[str, Any] = {
    "verb": "session_extend",
    "user": "alice",
    "session": "abcdefghijkl",
    "job_id": 7,
    "minutes": 300,
    "deadline_s": 5,
}
MINE = "7|alice|dsp-abcdefghijkl"


def do(site: Callable[..., Any], tmp_path: Path, *, job: str = MINE, **changes: Any) -> dict[str, Any]:
    config = site(squeue=f"echo '{job}'", scontrol="exit 0") | {"extend_minutes": 600}
    _, fields, act = parse(json.dumps(ASK | changes).encode())
    assert act is not None
    return act(fields, entry(tmp_path / "home"), config) or {}


def test_the_job_of_the_users_session_gets_its_limit_by_one_command(site: Callable[..., Any], tmp_path: Path) -> None:
    assert do(site, tmp_path) == {"ok": True}
    assert argv_of(tmp_path, "scontrol") == ["update", "jobid=7", "timelimit=300"]


@pytest.mark.parametrize(
    "job", ["7|bob|dsp-abcdefghijkl", "7|alice|dsp-000000000000", "7|alice|train", "", f"{MINE}\n{MINE}"]
)
def test_any_other_job_is_refused(site: Callable[..., Any], tmp_path: Path, job: str) -> None:
    with pytest.raises(Refused, match="not the job of this user's session"):
        do(site, tmp_path, job=job)
    assert not (tmp_path / "scontrol.argv").exists()


def test_more_than_the_door_allows_is_refused(site: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="600 min at most"):
        do(site, tmp_path, minutes=601)


def test_nobody_extends_unless_the_door_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def slurm(name: str) -> pwd.struct_passwd:
        return entry(tmp_path, uid=64_030)

    monkeypatch.setattr(pwd, "getpwnam", slurm)
    config: dict[str, Any] = {"operator": "slurm", "extend_minutes": 0}
    with pytest.raises(Refused, match="extend_minutes of the door"):
        extend.extender(config)
    assert extend.extender(config | {"extend_minutes": 60}).pw_uid == 64_030
