"""Root's half of an act: nothing that the user's half does, or has done to it, keeps it from an answer in time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.slurm.test_process import gone

CODE = """\
import os, signal, sys, time
from door import guard
guard.SLACK_S, guard.END_S = 0.3, 0.3
def act(writing):
    {act}
pid, reading = guard.start(act, streams={streams})
try:
    report = guard.watch(pid, reading, {lasts_s}, streams={streams})
except guard.DeadlineExceeded:
    print("late", pid)
else:
    if report and report.stays_s:
        guard.stay(pid, report.stays_s)
    print(report and (report.outcome, len(report.answer)), pid)
"""


def run(act: str, lasts_s: float = 5, *, streams: bool = False, hang_up: bool = True) -> tuple[str, int]:
    code = CODE.format(act=act, lasts_s=lasts_s, streams=streams)
    guard = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert guard.stdin
    assert guard.stdout
    if hang_up:
        guard.stdin.close()
    text, _, pid = guard.stdout.read().rpartition(" ")
    assert guard.wait(timeout=10) == 0
    guard.stdin.close()
    guard.stdout.close()
    return text, int(pid)


def settled(pid: int) -> None:
    until = time.monotonic() + 5
    while not gone(pid):
        assert time.monotonic() < until, "It is still there."
        time.sleep(0.01)


def test_report_comes_back_whole_however_large_it_is() -> None:
    assert run("guard.Report('done', b'x' * 3_000_000).write(writing)")[0] == "('done', 3000000)"


def test_half_that_is_stopped_is_killed_at_its_deadline_with_the_command_it_runs(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    spawn = (
        f"command = os.posix_spawn('/bin/sleep', ['sleep', '60'], {{}}); open({str(file)!r}, 'w').write(str(command))"
    )
    result, pid = run(f"{spawn}; os.kill(os.getpid(), signal.SIGSTOP)", lasts_s=0.2)
    assert result == "late"
    settled(pid)
    settled(int(file.read_text()))


def test_half_that_never_ends_is_killed_at_its_deadline() -> None:
    result, pid = run("time.sleep(60)", lasts_s=0.1)
    assert result == "late"
    settled(pid)


@pytest.mark.parametrize(
    "act", ["os.kill(os.getpid(), signal.SIGKILL)", "os.write(writing, b'0 do')", "os.write(writing, b'x\\n')"]
)
def test_half_that_is_killed_before_it_has_reported_is_known_to_be(act: str) -> None:
    assert run(act)[0] == "None"


def test_half_that_is_stopped_after_its_report_does_not_stay() -> None:
    result, pid = run("guard.Report('done').write(writing); os.kill(os.getpid(), signal.SIGSTOP)")
    assert result == "('done', 0)"
    settled(pid)


def test_stopped_stream_is_killed_when_the_portal_hangs_up() -> None:
    began = time.monotonic()
    result, pid = run("os.kill(os.getpid(), signal.SIGSTOP)", lasts_s=30, streams=True)
    assert result == "late"
    assert time.monotonic() - began < 5
    settled(pid)


def test_only_a_stream_holds_the_portals_ends() -> None:
    links = "' '.join(os.readlink(f'/proc/self/fd/{fd}') for fd in range(3))"
    assert run(f"guard.Report({links}).write(writing)")[0] == "('/dev/null /dev/null /dev/null', 0)"
    assert "pipe:" in run(f"guard.Report({links}).write(writing)", streams=True)[0]


def test_what_stays_holds_nothing_of_the_portals_and_is_ended_when_its_time_is_up() -> None:
    began = time.monotonic()
    result, pid = run("guard.Report('done', stays_s=1).write(writing); os.kill(os.getpid(), signal.SIGSTOP)")
    assert result == "('done', 0)"
    assert time.monotonic() - began < 0.9
    assert not gone(pid)
    settled(pid)


def test_what_stays_and_ends_by_itself_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "done"
    _, pid = run(f"guard.Report('done', stays_s=30).write(writing); time.sleep(0.2); open({str(file)!r}, 'w').close()")
    settled(pid)
    assert file.exists()
    assert os.path.getsize(file) == 0
