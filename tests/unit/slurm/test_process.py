from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from portal.errors import SlurmUnavailable
from portal.slurm import process

ENV = {"PATH": "/usr/bin:/bin"}


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def until(condition: object, timeout_s: float = 5) -> None:
    async with asyncio.timeout(timeout_s):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.01)


async def test_environment_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_CONF", "/somewhere")
    done = await process.run(["/usr/bin/env"], env={"A": "b"}, timeout_s=5)
    assert (done.code, done.out, done.err) == (0, "A=b\n", "")


async def test_input_reaches_it_and_exit_code_and_complaints_come_back() -> None:
    done = await process.run(["/bin/sh", "-c", "cat; echo no >&2; exit 3"], env=ENV, timeout_s=5, stdin=b"in")
    assert (done.code, done.out, done.err) == (3, "in", "no\n")


async def test_large_input_to_a_program_that_does_not_read_is_no_error() -> None:
    done = await process.run(["/bin/true"], env=ENV, timeout_s=5, stdin=b"x" * (1 << 20))
    assert done.code == 0


async def test_deadline_ends_the_program_and_its_children(tmp_path: Path) -> None:
    script = f"echo $$ > {tmp_path}/pids; sleep 60 & echo $! >> {tmp_path}/pids; wait"
    began = time.monotonic()
    with pytest.raises(SlurmUnavailable, match=r"sh did not answer within 0\.3 s"):
        await process.run(["/bin/sh", "-c", script], env=ENV, timeout_s=0.3)
    assert time.monotonic() - began < 5
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2
    await until(lambda: all(gone(pid) for pid in pids))


async def test_cancelled_call_ends_the_program(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    call = asyncio.create_task(
        process.run(["/bin/sh", "-c", f"echo $$ > {pid_file}; exec sleep 60"], env=ENV, timeout_s=60)
    )
    await until(lambda: pid_file.exists() and pid_file.read_text().endswith("\n"))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: gone(int(pid_file.read_text())))


async def test_program_that_may_not_be_killed_is_let_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    script = f"echo $$ > {tmp_path}/pid; while [ ! -e {tmp_path}/end ]; do sleep 0.02; done"
    with monkeypatch.context() as patched:
        patched.setattr(os, "killpg", refuse)
        patched.setattr(subprocess.Popen, "kill", refuse)
        began = time.monotonic()
        with pytest.raises(SlurmUnavailable, match="did not answer"):
            await process.run(["/bin/sh", "-c", script], env=ENV, timeout_s=0.3)
        assert time.monotonic() - began < 2
    pid = int((tmp_path / "pid").read_text())
    assert not gone(pid)
    (tmp_path / "end").touch()
    await until(lambda: not Path(f"/proc/{pid}").exists())  # and it is reaped when it ends by itself
    await asyncio.sleep(0)


async def test_endless_output_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_OUTPUT", 1 << 20)
    with pytest.raises(SlurmUnavailable, match="more than 1 MiB"):
        await process.run(["/usr/bin/yes"], env=ENV, timeout_s=20)


async def test_missing_program_is_told() -> None:
    with pytest.raises(SlurmUnavailable, match="/nowhere/squeue cannot be started: No such file"):
        await process.run(["/nowhere/squeue"], env=ENV, timeout_s=5)


async def test_output_that_is_not_utf8_is_read() -> None:
    done = await process.run(["/usr/bin/printf", "\\377x"], env=ENV, timeout_s=5)
    assert done.out == "�x"


def test_no_shell_is_ever_used() -> None:
    folder = Path(process.__file__).parent
    for source in folder.glob("*.py"):
        text = source.read_text()
        assert "shell=True" not in text
        assert "os.system" not in text
        assert "create_subprocess_shell" not in text


async def test_a_large_answer_is_taken_piece_by_piece_while_others_have_their_turn() -> None:
    pieces: list[str] = []
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    command = ["/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo grüße-$i; i=$((i+1)); done"]
    done = await process.run(command, env=ENV, timeout_s=20, take=pieces.append)
    task.cancel()
    assert (done.code, done.out) == (0, "")
    assert "".join(pieces).splitlines() == [f"grüße-{number}" for number in range(20_000)]
    assert turns >= len(pieces)
