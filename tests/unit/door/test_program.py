"""The built program, as root: what it was started with does not change what it does or logs."""

from __future__ import annotations

import json
import os
import pwd
import resource
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from door import build
from door.__main__ import VERSION

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the door acts for root alone")
#: An account that every machine has and nobody uses.
USER = "daemon"
LOOK = {"verb": "look", "user": USER, "path": "/", "deadline_s": 5}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "door.log"


@pytest.fixture
def door(tmp_path: Path, log: Path) -> Path:
    program = build.build(tmp_path / "door")
    config = {"log": str(log), "min_uid": 1, "bin_dir": str(tmp_path)}
    program.with_name("door.json").write_text(json.dumps(config))
    return program


def ask(door: Path, request: dict[str, Any], **options: Any) -> dict[str, Any]:
    done = subprocess.run(
        [door], input=json.dumps(request).encode(), capture_output=True, timeout=20, check=False, **options
    )
    assert done.stderr == b""
    return dict(json.loads(done.stdout))


def soft(kind: int, value: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


def hard(kind: int, value: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (value, value))


def signals() -> None:
    for number in (signal.SIGCHLD, signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def timer() -> None:
    """Held back until the door sets its signals, however long Python takes to start; deadly then, if it still runs."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)


def umask() -> None:
    os.umask(0o777)


def folder() -> None:
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")


def never_blocks() -> None:
    for fd in (0, 1):
        os.set_blocking(fd, False)


LIMITS = {"FSIZE": 1, "NOFILE": 16, "NPROC": 1, "CPU": 1, "DATA": 64 << 20}
ODD = {
    **{f"soft {name}": soft(getattr(resource, f"RLIMIT_{name}"), value) for name, value in LIMITS.items()},
    **{value.__name__: value for value in (signals, timer, umask, folder, never_blocks)},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_conditions_change_neither_act_nor_log(
    door: Path, log: Path, tmp_path: Path, odd: Callable[[], None]
) -> None:
    assert ask(door, LOOK, preexec_fn=odd, cwd=tmp_path)["kind"] == "folder"
    logged_whole(log)


@pytest.mark.parametrize("name", LIMITS)
def test_limit_that_cannot_be_raised_is_a_refusal(door: Path, log: Path, name: str) -> None:
    """Root raises it where it has that capability, as in the portal's unit; not in many a container."""
    answer = ask(door, LOOK, preexec_fn=hard(getattr(resource, f"RLIMIT_{name}"), LIMITS[name]))
    if may_raise():
        assert answer["kind"] == "folder"
        logged_whole(log)
    else:
        assert answer["error"]["code"] == "configuration"
        assert f"RLIMIT_{name}" in answer["error"]["message"]
        assert not log.exists()


def logged_whole(log: Path) -> None:
    begins, done = log.read_text().splitlines()
    uid = pwd.getpwnam(USER).pw_uid
    assert begins.endswith(f'look user={USER} path="/" uid={uid} begins')
    assert done.endswith(f'look user={USER} path="/" job=- done')
    assert log.stat().st_mode & 0o777 == 0o600


def may_raise() -> bool:
    status = Path("/proc/self/status").read_text()
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff"))
    return bool(int(effective, 16) >> 24 & 1)


def test_answer_is_never_written_to_a_log_that_got_the_number_of_a_closed_stdout(door: Path, log: Path) -> None:
    subprocess.run([door], input=json.dumps(LOOK).encode(), preexec_fn=lambda: os.close(1), timeout=20, check=False)
    assert not log.exists() or '"ok"' not in log.read_text()


@pytest.fixture
def public(door: Path) -> Iterator[Path]:
    """A folder that the account reaches, unlike pytest's own; it is `bin_dir`, too."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        (folder / "told").mkdir()
        (folder / "told").chmod(0o777)
        file = door.with_name("door.json")
        file.write_text(json.dumps(json.loads(file.read_text()) | {"bin_dir": made}))
        yield folder


def test_act_has_limits_and_signals_of_its_own(door: Path, public: Path) -> None:
    path = public / "told"
    (public / "scancel").write_text(f"#!/bin/sh\ncp /proc/self/limits /proc/self/status {path}/\n")
    (public / "scancel").chmod(0o755)
    assert ask(door, {"verb": "cancel", "user": USER, "job_id": 1, "deadline_s": 5}) == {"ok": True}
    limits = {line[:26].strip(): line[26:].split() for line in (path / "limits").read_text().splitlines()}
    assert limits["Max data size"][:2] == [str(1 << 30)] * 2
    assert limits["Max file size"][:2] == [str(128 << 20)] * 2
    assert limits["Max core file size"][:2] == ["0", "0"]
    assert limits["Max cpu time"][:2] == ["65", "65"]
    status = dict(line.split(":\t") for line in (path / "status").read_text().splitlines() if ":\t" in line)
    assert int(status["SigBlk"], 16) == 0
    assert status["Uid"].split() == [str(pwd.getpwnam(USER).pw_uid)] * 4


@pytest.mark.parametrize(
    "raw",
    [b"", b"[" * 60_000, b'{"verb":"version","verb":"look"}', b'{"a":' + b"9" * 100_000 + b"}", b"\xff\xfe{\0}\0"],
)
def test_what_is_no_request_leaves_a_line_too(door: Path, log: Path, raw: bytes) -> None:
    done = subprocess.run([door], input=raw, capture_output=True, timeout=20, check=True)
    assert json.loads(done.stdout)["error"]["code"] == "invalid"
    (line,) = log.read_text().splitlines()
    assert f"request=(bytes={len(raw)},sha256=" in line
    assert line.endswith("refused=invalid")


def test_version_acts_as_nobody(door: Path, log: Path) -> None:
    assert ask(door, {"verb": "version"})["version"] == VERSION
    assert log.read_text() == ""
