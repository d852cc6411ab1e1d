"""Runs one program: an argv list, a closed environment, a deadline, and a bound on its output. Never a shell."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from portal.errors import SlurmUnavailable

MAX_OUTPUT = 64 << 20
PIECE = 1 << 16
END_S = 2.0
#: How long to wait, in the background, for a process that the portal may not kill.
LEFT_S = 30.0


@dataclass(frozen=True, slots=True)
class Finished:
    code: int
    out: str
    err: str


Take = Callable[[str], None]
#: Tasks that wait for abandoned processes.
left: set[asyncio.Future[int]] = set()


async def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout_s: float,
    stdin: bytes = b"",
    take: Take | None = None,
    gone: Callable[[], None] | None = None,
) -> Finished:
    """Run `argv` until it ends. Raises SlurmUnavailable if it cannot be started, takes too long or prints too much.

    With `take`, output is passed on piece by piece as it comes, cut anywhere, and is not kept: a large answer is
    processed between other work. What was taken counts only if the program succeeds. `gone` is called once the process
    has ended, which may be after this call if it cannot be killed, or once starting it has failed.
    """
    program = os.path.basename(argv[0])
    feed = asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL
    process = await _start(argv, env, gone, stdin=feed, stderr=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(timeout_s):
            reading = _read(process.stdout, take), _read(process.stderr)
            _, out, err = await asyncio.gather(_feed(process, stdin), *reading)
            code = await process.wait()
    except TimeoutError as error:
        raise SlurmUnavailable(f"{program} did not answer within {timeout_s:g} s.") from error
    except OverflowError as error:
        raise SlurmUnavailable(f"{program} printed more than {MAX_OUTPUT >> 20} MiB.") from error
    finally:
        if process.returncode is None:
            await _end(process)
        _settle(process, gone)
    return Finished(code, out.decode(errors="replace"), err.decode(errors="replace"))


@asynccontextmanager
async def talking(
    argv: Sequence[str], *, env: Mapping[str, str], first: bytes, gone: Callable[[], None] | None = None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Run `argv` while the block lasts, send it `first`, and yield its output and its input. The program should end
    when its input does.

    Unread output stays in the pipe, which blocks the program. `gone`: as in `run`. Raises SlurmUnavailable.
    """
    process = await _start(argv, env, gone, stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    assert process.stdin is not None  # noqa: S101  (asked for with PIPE)
    assert process.stdout is not None  # noqa: S101
    try:
        process.stdin.write(first)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await process.stdin.drain()
        yield process.stdout, process.stdin
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await process.wait()
        except TimeoutError:
            await _end(process)
        finally:
            _settle(process, gone)


async def _start(
    argv: Sequence[str], env: Mapping[str, str], gone: Callable[[], None] | None, *, stdin: int, stderr: int
) -> asyncio.subprocess.Process:
    started = False
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            env=dict(env),
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        started = True
    except OSError as error:
        raise SlurmUnavailable(f"{argv[0]} cannot be started: {error.strerror}.") from error
    finally:
        if gone and not started:
            gone()
    return process


def _settle(process: asyncio.subprocess.Process, gone: Callable[[], None] | None) -> None:
    """Call `gone` once the process has ended, or the wait for it is over."""
    if gone is None:
        return
    if process.returncode is not None:
        gone()
        return
    waiting = asyncio.ensure_future(asyncio.wait_for(process.wait(), LEFT_S))
    left.add(waiting)

    def done(task: asyncio.Future[int]) -> None:
        left.discard(task)
        if not task.cancelled():
            task.exception()
        gone()

    waiting.add_done_callback(done)


async def _feed(process: asyncio.subprocess.Process, stdin: bytes) -> None:
    if process.stdin is None:
        return
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(stdin)
        await process.stdin.drain()
    process.stdin.close()


async def _read(stream: asyncio.StreamReader | None, take: Take | None = None) -> bytes:
    assert stream is not None  # noqa: S101  (asked for with PIPE)
    data, size = bytearray(), 0
    decoder = getincrementaldecoder("utf-8")("replace")
    while piece := await stream.read(PIECE):
        size += len(piece)
        if size > MAX_OUTPUT:
            raise OverflowError
        if take is None:
            data += piece
        else:
            take(decoder.decode(piece))
            await asyncio.sleep(0)  # reading a full pipe never blocks: yield to other tasks
    return bytes(data)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the process and its children. A process that runs as root (the door, under sudo) cannot be killed from here:
    it has its own deadline, and the portal merely stops listening to it.
    """
    killed = False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
        killed = True
    with contextlib.suppress(PermissionError):
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  (asyncio has no public way to close the pipes)
    if killed:
        await process.wait()
