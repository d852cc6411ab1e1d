"""Keeps the child that pyslurm runs in: starts it, makes one request at a time, and ends it if it does not answer.

A failed child is started again after a pause, which doubles each time. Requests during the pause fail at once with the
reason. Everything is bounded: the time for each answer, the length of a line, the length of an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog

from portal.errors import SlurmUnavailable
from portal.slurm.error_messages import sentence

log = structlog.get_logger(__name__)

CHILD = Path(__file__).with_name("child.py")
#: A line is one job, with a name and a comment that its user chose within Slurm's limits.
LONGEST_LINE = 1 << 20
LONGEST_ANSWER = 256 << 20
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 300.0
#: Lines to read before yielding to the event loop.
SLICE = 200
END_S = 2.0


class LibraryUnavailable(Exception):
    """The child does not answer, for the reason given. Slurm itself may be fine."""


class ChildProcess:
    """`fits` gets the version of pyslurm before it touches Slurm.

    It raises LibraryUnavailable if pyslurm must not be used.
    """

    def __init__(
        self,
        python: str,
        *,
        env: Mapping[str, str],
        conf: Path | None,
        timeout_s: float,
        fits: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        child: Sequence[str] = ("-I", str(CHILD)),
    ) -> None:
        self._argv = (python, *child)
        self._env = dict(env)
        self._conf = conf
        self.timeout_s = timeout_s
        self._fits = fits
        self.clock = clock
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._pause_s = 0.0
        self.not_before = 0.0
        self.trouble: str | None = None
        """Why the last request failed; None while all is well."""
        self.version: str | None = None
        """pyslurm's version, once reported."""
        self.starts = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def rests(self) -> bool:
        """Whether the pause before the next child is still running."""
        return self._process is None and self.clock() < self.not_before

    async def read(self, what: str, take: Callable[[str], object]) -> None:
        """Read jobs, passing each line to `take`. What was taken counts only if this returns.

        Raises SlurmUnavailable if Slurm does not answer pyslurm, LibraryUnavailable if pyslurm does not answer.
        """
        async with self._turn:
            if self.rests:
                raise LibraryUnavailable(self.trouble)
            try:
                async with asyncio.timeout(self.timeout_s):
                    if self._process is None:
                        await self._start()
                    await self._ask({"read": what}, take)
            except TimeoutError:
                raise await self._failed(f"it did not answer within {self.timeout_s:g} s") from None
            except LibraryUnavailable as away:
                raise await self._failed(str(away)) from None
            except SlurmUnavailable:
                raise
            except BaseException:
                await self.close()  # further output would belong to no request
                raise
            self._pause_s, self.trouble = 0.0, None

    def acquit(self) -> None:
        """Forget the last failure, which had another cause. The next child need not wait."""
        self._pause_s, self.not_before, self.trouble = 0.0, 0.0, None

    async def close(self) -> None:
        """End the child; the next request starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  (asyncio has no public way to close the pipes)

    async def _start(self) -> None:
        self.starts += 1
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._argv,
                env=self._env,
                cwd="/",
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except OSError as error:
            raise LibraryUnavailable(f"{self._argv[0]} cannot be started: {error.strerror}") from error
        hello = await self._end_of_answer(self._process, _nothing)
        self.version = str(hello.get("hello", ""))
        self._fits(self.version)
        try:
            await self._ask({"init": str(self._conf) if self._conf else None}, _nothing)
        except SlurmUnavailable:
            await self.close()  # the next child must get slurm.conf again
            raise
        log.info("slurm.pyslurm.started", pid=self.pid, version=self.version)

    async def _ask(self, what: Mapping[str, Any], take: Callable[[str], object]) -> None:
        process = self._process
        assert process is not None  # noqa: S101  (made when none was there)
        assert process.stdin is not None  # noqa: S101  (asked for with PIPE)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # reading will show that it has ended
            process.stdin.write(json.dumps(what).encode() + b"\n")
            await process.stdin.drain()
        answer = await self._end_of_answer(process, take)
        if "error" in answer:
            raise SlurmUnavailable(f"Slurm does not answer pyslurm: {sentence(str(answer['error']))}")
        if "done" not in answer:
            raise LibraryUnavailable("it sent an invalid response")

    async def _end_of_answer(self, process: Process, take: Callable[[str], object]) -> dict[str, Any]:
        """Pass every array to `take`, and return the object that ends them."""
        length = count = 0
        while (line := await _line(process)).startswith("["):
            length += len(line)
            if length > LONGEST_ANSWER:
                raise LibraryUnavailable(f"it sent more than {LONGEST_ANSWER >> 20} MiB")
            try:
                take(line)
            except (ValueError, TypeError) as error:
                raise LibraryUnavailable(f"it sent an unreadable answer: {error}"[:200]) from error
            count += 1
            if count % SLICE == 0:
                await asyncio.sleep(0)
        try:
            answer = dict(json.loads(line))
        except (ValueError, TypeError) as error:
            raise LibraryUnavailable(f"it sent an unreadable answer: {error}"[:200]) from error
        if "broken" in answer:
            raise LibraryUnavailable(str(answer["broken"]))
        if answer.get("done", count) != count:
            raise LibraryUnavailable(f"it sent records: {count}, read: {answer['done']}")
        return answer

    async def _failed(self, why: str) -> LibraryUnavailable:
        """End the child, and double the pause before the next one."""
        self._pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, 2 * self._pause_s))
        self.not_before = self.clock() + self._pause_s
        self.trouble = why
        log.warning("slurm.pyslurm.away", why=why, again_in_s=self._pause_s, pid=self.pid)
        await self.close()
        return LibraryUnavailable(why)


async def _line(process: Process) -> str:
    assert process.stdout is not None  # noqa: S101  (asked for with PIPE)
    try:
        raw = await process.stdout.readline()
    except ValueError:
        raise LibraryUnavailable(f"it sent a line of more than {LONGEST_LINE >> 20} MiB") from None
    if raw.endswith(b"\n"):
        return raw.decode(errors="replace")
    code = await process.wait()
    raise LibraryUnavailable(f"it was ended by signal {-code}" if code < 0 else f"it exited with status {code}")


def _nothing(line: str) -> None:
    raise ValueError(f"{line[:80]!r} was not asked for")
