"""Runs long work on users' data in a process of its own: Python in a thread would stall everybody else.

A function named `module:function` takes and returns bytes. Its process has a deadline and limits on CPU time and
memory, and is ended when it exceeds one. At most `AT_ONCE` run at a time, and one per user.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from portal.errors import TooManyRequests, Unavailable

AT_ONCE = 2
PATIENCE_S = 10.0
DEADLINE_S = 15.0
MEMORY = 768 << 20
MOST_OUT = 8 << 20
REFUSED = 3
"""Exit status of a function that refuses; its output is the reason."""


class LimitExceeded(Exception):
    """The work exceeded its deadline or its memory limit."""


class WorkRefused(Exception):
    """The function refused."""


class Workers:
    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)
        self._users: set[str] = set()

    @asynccontextmanager
    async def place(self, user: str) -> AsyncIterator[None]:
        """Hold a slot for a user's work. Raises TooManyRequests, Unavailable."""
        if user in self._users:
            raise TooManyRequests("Your previous request is still being processed.", retry_after_s=5)
        self._users.add(user)
        try:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._places.acquire()
            except TimeoutError:
                raise Unavailable("The portal is busy with other people's requests.", retry_after_s=10) from None
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._users.discard(user)

    async def run(self, function: str, data: bytes) -> bytes:
        """Run the function on `data` in a slot. Raises WorkRefused if it refuses, LimitExceeded at its limits."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "portal.workers", function),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path[1:])},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(DEADLINE_S):
                _, out = await asyncio.gather(_feed(process, data), _read(process))
                code = await process.wait()
        except (TimeoutError, OverflowError):
            raise LimitExceeded from None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await _drain(process)
                await process.wait()
        if code == REFUSED:
            raise WorkRefused(out.decode())
        if code:
            raise LimitExceeded
        return out


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101  (asked for with PIPE)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
    process.stdin.close()


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None  # noqa: S101
    data = bytearray()
    while piece := await process.stdout.read(1 << 16):
        data += piece
        if len(data) > MOST_OUT:
            raise OverflowError
    return bytes(data)


async def _drain(process: asyncio.subprocess.Process) -> None:
    """Read the rest: asyncio pauses a pipe that nobody reads, and `wait` then waits for it for ever."""
    assert process.stdout is not None  # noqa: S101
    while await process.stdout.read(1 << 16):
        pass


def main(function: str) -> int:
    module, _, name = function.partition(":")
    work = getattr(importlib.import_module(module), name)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(DEADLINE_S), int(DEADLINE_S)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        out = work(sys.stdin.buffer.read())
    except WorkRefused as no:
        out, code = str(no).encode(), REFUSED
    else:
        code = 0
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    return code


if __name__ == "__main__":
    from portal.workers import main as main_  # the `WorkRefused` that the functions raise

    sys.exit(main_(sys.argv[1]))
