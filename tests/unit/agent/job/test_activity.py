"""Signs of work: kernels by the extension's file, terminals by /proc, disk and network by their counters."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.job.activity import STALE_S, Activity
from tests.unit.agent.conftest import until


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time

    def pass_(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def write(path: Path, clock: Clock, *, busy: int = 0, busy_s: float = 0.0, used_at: float | None = None) -> None:
    path.write_text(json.dumps({"at": clock(), "running": 2, "busy": busy, "busy_s": busy_s, "used_at": used_at}))


def activity(clock: Clock, kernels: Path | None = None, **more: Any) -> Activity:
    more = {"pids": tuple, "carried": dict, "last_used": lambda: None, **more}
    return Activity(kernels, more.pop("last_used"), now=clock, **more)


def test_a_kernels_busy_time_is_that_between_two_readings(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "kernels.json"
    reads = activity(clock, file)
    clock.pass_(30)
    write(file, clock, busy_s=12.0, used_at=clock())
    reads.read()
    clock.pass_(30)
    write(file, clock, busy_s=18.0, used_at=clock() - 4)
    read = reads.read()
    assert (read["kernels"], read["kernels_busy"], read["kernel_busy_percent"]) == (2, 0, 20.0)
    assert read["quiet_s"] == 4.0


@pytest.mark.parametrize("content", [None, "", "[]", '{"at": "x"}', '{"at": 1}'])
def test_kernels_that_nobody_reports_are_unknown(clock: Clock, tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "kernels.json"
    if content is not None:
        file.write_text(content)
    read = activity(clock, file).read()
    assert (read["kernels"], read["kernels_busy"], read["kernel_busy_percent"]) == (None, None, None)


def test_an_old_report_of_kernels_is_unknown(clock: Clock, tmp_path: Path) -> None:
    file = tmp_path / "kernels.json"
    write(file, clock)
    clock.pass_(STALE_S + 1)
    assert activity(clock, file).read()["kernels"] is None


def test_an_app_without_kernels_has_none(clock: Clock) -> None:
    assert activity(clock).read()["kernel_busy_percent"] == 0.0


def test_use_through_the_proxy_ends_the_quiet(clock: Clock) -> None:
    used = time.time() - 7
    reads = activity(clock, last_used=lambda: used)
    clock.pass_(600)
    assert 6 < reads.read()["quiet_s"] < 9


def test_it_is_never_quiet_for_longer_than_it_runs(clock: Clock) -> None:
    reads = activity(clock, last_used=lambda: time.time() - 90_000)
    clock.pass_(600)
    assert reads.read()["quiet_s"] == 600.0


def test_network_is_what_open_connections_have_carried_since(clock: Clock) -> None:
    counts = {"a": 1000}
    reads = activity(clock, carried=lambda: dict(counts))
    assert reads.read()["network_kib_s"] is None
    counts.update(a=1000 + 10 * 1024, b=20 * 1024)
    clock.pass_(10)
    assert reads.read()["network_kib_s"] == 3.0
    del counts["a"]
    clock.pass_(10)
    assert reads.read()["network_kib_s"] == 0.0


def test_network_that_the_kernel_does_not_tell_is_unknown(clock: Clock) -> None:
    def refuses() -> dict[str, int]:
        raise OSError("not permitted")

    reads = activity(clock, carried=refuses)
    reads.read()
    clock.pass_(30)
    assert reads.read()["network_kib_s"] is None


def test_disk_is_what_running_processes_transfer(clock: Clock, tmp_path: Path) -> None:
    io = tmp_path / "7" / "io"
    io.parent.mkdir()
    io.write_text("rchar: 1024\nwchar: 0\nsyscr: 99\n")
    reads = activity(clock, pids=lambda: [7, 8], proc=tmp_path)
    assert reads.read()["disk_kib_s"] is None
    io.write_text("rchar: 21504\nwchar: 10240\nsyscr: 99\n")
    clock.pass_(10)
    assert reads.read()["disk_kib_s"] == 3.0


@pytest.fixture
def shell() -> Iterator[tuple[int, int]]:
    """A shell on a terminal of its own, and the terminal's other end."""
    ours, theirs = os.openpty()
    started = subprocess.Popen(
        # In the background of a script, the tests inherit an ignored SIGINT.
        ["env", "--default-signal=INT", "setsid", "--ctty", "sh", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={"PATH": os.environ["PATH"], "PS1": "$ "},
    )
    yield started.pid, ours
    started.kill()
    started.wait()
    os.close(ours)
    os.close(theirs)


def test_a_program_in_a_terminal_is_work_and_a_waiting_shell_is_not(clock: Clock, shell: tuple[int, int]) -> None:
    pid, terminal = shell
    reads = activity(clock, pids=lambda: [pid])

    def programs(count: int) -> Callable[[], bool]:
        return lambda: reads.read()["programs"] == count

    until(programs(0), "a shell that waits")
    os.write(terminal, b"sleep 600\n")
    until(programs(1), "a program in the foreground")
    clock.pass_(600)
    assert reads.read()["quiet_s"] < 60  # typed just now
    os.write(terminal, b"\x03")
    until(programs(0), "the shell again")
