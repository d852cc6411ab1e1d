"""A request of a session, as the portal makes it, and the account it is for."""

from __future__ import annotations

import json
import pwd
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.refused import Refused

SUBMIT: dict[str, Any] = {
    "verb": "submit",
    "user": "alice",
    "session": "abcdefghijkl",
    "partition": "sxm2",
    "account": None,
    "qos": None,
    "reservation": None,
    "gpu_type": "v100",
    "constraint": None,
    "licenses": None,
    "wckey": None,
    "exclusive": False,
    "shards": 0,
    "mps_percent": 0,
    "nodes": 1,
    "gpus": 2,
    "cpus": 16,
    "memory_mib": 96_000,
    "walltime_s": 28_800,
    "immediate": True,
    "exclude": None,
    "after": None,
    "title": None,
    "deadline_s": 10,
    "env": {"DSP_SECRET": "hush"},
}
WORDS = ("partition", "account", "qos", "reservation", "gpu_type", "exclude", "wckey")
NUMBERS = ("nodes", "gpus", "cpus", "memory_mib", "walltime_s", "deadline_s")


def ask(**changes: Any) -> dict[str, Any]:
    return parse(json.dumps(SUBMIT | changes).encode())[1]


def refused(**changes: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        ask(**changes)
    return caught.value


def entry(home: Path, uid: int = 31_001) -> pwd.struct_passwd:
    return pwd.struct_passwd(("alice", "x", uid, uid, "Alice", str(home), "/bin/bash"))


def argv_of(tmp_path: Path, program: str) -> list[str]:
    return (tmp_path / f"{program}.argv").read_text().split("\0")[:-1]


def env_of(tmp_path: Path, program: str) -> dict[str, str]:
    lines = (tmp_path / f"{program}.env").read_text().split("\0")[:-1]
    return dict(line.split("=", 1) for line in lines)
