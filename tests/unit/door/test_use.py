"""Watching a job's use: one step, forwarded as it arrives, ended when the portal stops reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.refused import Refused
from tests.unit.door.asking import argv_of, env_of

Site = Callable[..., dict[str, Any]]
ASK: dict[str, Any] = {"verb": "use", "user": "alice", "job_id": 7, "nodes": 2, "life_s": 60}
CODE = """\
import json, pwd, sys
from door.refused import Refused
from door.use import use
config, fields = json.loads(sys.argv[1])
try:
    use(fields, pwd.struct_passwd(("alice", "x", 1, 1, "", "/home/alice", "/bin/sh")), config)
except Refused as refused:
    print(json.dumps(refused.answer))
"""


def begin(config: dict[str, Any]) -> subprocess.Popen[bytes]:
    fields = parse(json.dumps(ASK).encode())[1]
    argv = [sys.executable, "-c", CODE, json.dumps([config, fields])]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_lines_are_told_as_they_come_and_hanging_up_ends_the_step(site: Site, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    door = begin(site(srun=f"echo $$ > {pid}; echo one; sleep 0.2; echo two; exec sleep 60"))
    assert door.stdin
    assert door.stdout
    text = b""
    while text.count(b"\n") < 2:
        text += door.stdout.read(json.loads(door.stdout.readline())["bytes"])
    assert text == b"one\ntwo\n"
    door.stdin.close()
    assert door.wait(timeout=20) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    argv = argv_of(tmp_path, "srun")
    assert argv[:6] == [
        "--jobid=7",
        "--job-name=portal-use",
        "--nodes=2",
        "--ntasks=2",
        "--ntasks-per-node=1",
        "--overlap",
    ]
    assert argv[-6:] == ["/usr/bin/python3", "-I", "/opt/agent.pyz", "watch-use", "5", "60"]
    assert not [name for name in env_of(tmp_path, "srun") if name.startswith(("SLURM", "SUDO", "DSP"))]
    door.stdout.close()


def test_step_that_cannot_be_started_is_refused_in_slurms_words(site: Site) -> None:
    door = begin(site(srun="echo 'srun: error: Invalid job id specified' >&2; exit 1"))
    assert door.stdout
    line = door.stdout.readline()
    door.communicate(timeout=20)
    assert json.loads(line)["error"] == {
        "code": "slurm", "message": "srun: error: Invalid job id specified", "field": None,
    }  # fmt: skip


def test_step_that_does_not_end_when_asked_is_killed(site: Site) -> None:
    door = begin(site(srun="trap '' TERM; echo one; while true; do sleep 0.1; done"))
    assert door.stdin
    assert door.stdout
    door.stdout.readline()
    began = time.monotonic()
    door.stdin.close()
    assert door.wait(timeout=30) == 0
    assert time.monotonic() - began > 4
    door.stdout.close()


@pytest.mark.parametrize(
    "change", [{"job_id": "7"}, {"job_id": 0}, {"nodes": 0}, {"nodes": 257}, {"life_s": 9_999}, {"agent": "/bin/sh"}]
)
def test_odd_requests_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        parse(json.dumps(ASK | change).encode())
