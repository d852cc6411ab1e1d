"""Room at a path: of the file system, and of the user's quota as quota(1) prints it (quota 4.06, `-w -p`)."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.quota import mount_point, quota
from tests.unit.door.asking import argv_of, entry

HEAD = r"""Disk quotas for user alice (uid 31001):
     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace
"""
Do = Callable[..., dict[str, Any]]


@pytest.fixture
def do(site: Callable[..., dict[str, Any]], tmp_path: Path) -> Iterator[Do]:
    def do(value: str = "", path: str = "~/not/made/yet", script: str = "") -> dict[str, Any]:
        (tmp_path / "said").write_text(value)
        config = site(quota=script or f"cat {tmp_path}/said") | {"quota": str(tmp_path / "bin" / "quota")}
        request = {"verb": "room", "user": "alice", "path": path, "deadline_s": 3}
        _, fields, act = parse(json.dumps(request).encode())
        assert act is not None
        return act(fields, entry(tmp_path / "home"), config) or {}

    yield do
    signal.alarm(0)


@pytest.mark.parametrize(
    ("line", "used", "limit"),
    [
        ("/dev/sda1   1024   10240   20480   0   12   0   0   0", 1, 20),
        ("/dev/sda1  15360*  10240   20480   1763751600   12*   10   20   1763751600", 15, 20),
        ("server:/export/home with space   2048   10240   0   0   12   0   0   0", 2, 10),
    ],
    ids=["below", "over the soft limit", "soft limit only, NFS"],
)
def test_the_quota_is_read_whatever_the_file_system_is_called(
    line: str, used: int, limit: int, do: Do, tmp_path: Path
) -> None:
    results = do(HEAD + line + "\n")
    assert (results["used"], results["limit"]) == (used << 20, limit << 20)
    status = os.statvfs(tmp_path)
    assert results["total"] == status.f_blocks * status.f_frsize
    assert argv_of(tmp_path, "quota") == ["-u", "-w", "-p", "-f", mount_point(str(tmp_path))]


@pytest.mark.parametrize(
    "value",
    [
        "Disk quotas for user alice (uid 31001): none\n",
        HEAD + "/dev/sda1   1024   0   0   0   12   0   0   0\n",
        "quota: Mountpoint (or device) /tmp not found or has no quota enabled.\n",
        "",
    ],
    ids=["none", "no limit", "no quota there", "silence"],
)
def test_no_quota_is_no_quota(value: str, do: Do) -> None:
    results = do(value)
    assert (results["used"], results["limit"]) == (None, None)
    assert results["total"] > 0


def test_a_quota_program_that_is_missing_or_hangs_does_not_matter(do: Do, tmp_path: Path) -> None:
    results = do(script="sleep 60")
    assert results["limit"] is None
    assert results["total"] > 0
    assert quota(str(tmp_path / "no-such-program"), "/", {}, time.monotonic() + 3) is None
