"""The TensorBoards of one Jupyter server: one process per folder, started on demand, ended with the server."""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import importlib.util
import os
import sys
from collections import deque
from contextlib import suppress
from typing import Any, NamedTuple

START_TIMEOUT_S = 90.0
END_GRACE_S = 3.0
MOST = 12
SAID_LINES = 12
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "serve_tensorboard.py")
# Variables of the server's environment that TensorBoard must not get.
HIDDEN = ("JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN", "JUPYTERHUB_OAUTH_CLIENT_SECRET")


class CannotOpen(Exception):
    """TensorBoard cannot be opened; carries the reason."""


class Board(NamedTuple):
    """A running TensorBoard: what it reads, and where it listens."""

    id: str
    folder: str
    prefix: str
    socket: str
    process: asyncio.subprocess.Process
    output: deque[str]

    @property
    def alive(self) -> bool:
        return self.process.returncode is None


class TensorBoards:
    def __init__(self, *, root: str, scratch: str, base_url: str, log: Any) -> None:
        self.root = root
        self.base_url = base_url
        self._scratch = scratch
        self._log = log
        self._boards: dict[str, Board] = {}
        self._starting: dict[str, asyncio.Task[Board]] = {}
        atexit.register(self.kill)

    def running(self) -> list[Board]:
        self._boards = {name: board for name, board in self._boards.items() if board.alive}
        return list(self._boards.values())

    def get(self, name: str) -> Board | None:
        """Return a board, even one that has died since: its last output says why."""
        return self._boards.get(name)

    async def open(self, folder: str) -> Board:
        """Return the board of a folder (an absolute path), started if needed. Raises CannotOpen."""
        name = hashlib.sha256(folder.encode(errors="surrogateescape")).hexdigest()[:12]
        board = self._boards.get(name)
        if board is not None and board.alive:
            return board
        task = self._starting.get(name)
        if task is None:
            if len(self.running()) + len(self._starting) >= MOST:
                raise CannotOpen(
                    f"{MOST} TensorBoards run in this session. Shut one down, under Running, and try again."
                )
            task = self._starting[name] = asyncio.ensure_future(self._start(name, folder))
            task.add_done_callback(lambda _: self._starting.pop(name, None))
        # Closing one waiting page must not cancel what another waits for.
        return await asyncio.shield(task)

    async def close(self, name: str) -> None:
        """End a board; do nothing if there is none."""
        board = self._boards.pop(name, None)
        if board is not None:
            await self._end(board)

    def kill(self) -> None:
        """Kill all at once when the server ends."""
        for board in self.running():
            board.process.kill()

    async def _start(self, name: str, folder: str) -> Board:
        if importlib.util.find_spec("tensorboard") is None:
            raise CannotOpen(
                "TensorBoard is not installed in this session's environment. Start a session in another environment."
            )
        os.makedirs(self._scratch, mode=0o700, exist_ok=True)
        board = await self._spawn(name, folder)
        asyncio.ensure_future(self._listen(board))  # noqa: RUF006  # ends with the process that owns its streams
        try:
            stdout = board.process.stdout
            assert stdout is not None  # noqa: S101  # a pipe was requested
            output = await asyncio.wait_for(stdout.readline(), START_TIMEOUT_S)
        except asyncio.TimeoutError:
            await self._end(board)
            raise CannotOpen(f"TensorBoard did not start within {START_TIMEOUT_S:.0f} s.") from None
        if output != b"ready\n":
            await self._end(board)
            raise CannotOpen(f"TensorBoard did not start: {last_words(board)}")
        self._log.info("TensorBoard %s shows %s", name, folder)
        self._boards[name] = board
        return board

    async def _spawn(self, name: str, folder: str) -> Board:
        socket = os.path.join(self._scratch, f"{name}.sock")
        with suppress(FileNotFoundError):
            os.unlink(socket)  # of a dead one
        prefix = f"{self.base_url}portal/tensorboard/{name}"
        environment = {key: value for key, value in os.environ.items() if key not in HIDDEN}
        environment.update(CUDA_VISIBLE_DEVICES="", TMPDIR=self._scratch)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, PROGRAM, socket, folder, prefix),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=environment,
        )
        return Board(name, folder, prefix, socket, process, deque(maxlen=SAID_LINES))

    async def _listen(self, board: Board) -> None:
        """Keep its last lines, which say why if it dies."""
        stderr = board.process.stderr
        assert stderr is not None  # noqa: S101  # a pipe was requested
        try:
            async for line in stderr:
                board.output.append(line.decode(errors="replace").rstrip())
        except ValueError:  # a line longer than the stream's limit
            await stderr.read()

    async def _end(self, board: Board) -> None:
        if board.alive:
            board.process.terminate()
            try:
                await asyncio.wait_for(board.process.wait(), END_GRACE_S)
            except asyncio.TimeoutError:
                board.process.kill()
                await board.process.wait()


def last_words(board: Board) -> str:
    """Return its last output, or how it ended if it printed nothing."""
    return board.output[-1] if board.output else f"it ended with status {board.process.returncode}."
