"""Runs Slurm's commands as the user: argv lists, a closed environment, a deadline, bounded output."""

from __future__ import annotations

import os
import select
import signal
import time

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from .refused import Env

MAX_OUTPUT = 65_536
PIPE_WRITE = 65_536


class Command:
    """A program whose output is read as it comes, bounded; in its own process session, so that no signal reaches it."""

    def __init__(self, argv: list[str], env: Env, stdin: bytes = b"") -> None:
        (in_r, in_w), (out_r, out_w), (err_r, err_w) = os.pipe(), os.pipe(), os.pipe()
        self.pid = os.posix_spawn(
            argv[0],
            argv,
            env,
            file_actions=[(os.POSIX_SPAWN_DUP2, fd, at) for at, fd in enumerate((in_r, out_w, err_w))],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
        for fd in (in_r, out_w, err_w):
            os.close(fd)
        os.set_blocking(in_w, False)
        self._stdin = memoryview(stdin)
        self._in: list[int] = [in_w]
        self._feed()
        self._open = {out_r: bytearray(), err_r: bytearray()}
        self._fds = [out_r, err_r]
        self.out, self.err = self._open[out_r], self._open[err_r]

    def _feed(self) -> None:
        """Write as much input as the program takes now; ignore it if the program stops reading."""
        try:
            while self._stdin:
                self._stdin = self._stdin[os.write(self._in[0], self._stdin[:PIPE_WRITE]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            pass
        os.close(self._in.pop())

    def read(self, until: Callable[[], object], deadline: float) -> bool:
        """Read until `until()` holds, the output ends or the deadline passes.

        Return whether the program is still running.
        """
        while self._fds and not until():
            left = deadline - time.monotonic()
            ready, hungry, _ = select.select(self._fds, self._in, [], left) if left > 0 else ([], [], [])
            if not ready and not hungry:
                return True
            if hungry:
                self._feed()
            for fd in ready:
                piece = os.read(fd, 65_536)
                self._open[fd] += piece[: MAX_OUTPUT - len(self._open[fd])]
                if not piece:
                    self._fds.remove(fd)
                    os.close(fd)
        return bool(self._fds)

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def vanish(self) -> None:
        """Kill it so that it cannot clean up after itself.

        srun leaves a shepherd process that ends the job when srun dies. Once the whole group is stopped, none of its
        processes executes anything more, so none sees the others die.
        """
        os.killpg(self.pid, signal.SIGSTOP)
        os.killpg(self.pid, signal.SIGKILL)

    def abort(self) -> None:
        """Kill it; srun's shepherd is spared and returns any allocation."""
        os.kill(self.pid, signal.SIGKILL)


def run(argv: list[str], env: Env, deadline: float, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """Run to the end and return (exit code, stdout, stderr); past the deadline, kill it and raise Refused."""
    command = Command(argv, env, stdin)
    if command.read(lambda: False, deadline):
        command.vanish()
        command.wait()
        raise Refused("timeout", f"{os.path.basename(argv[0])} did not answer in time.")
    return command.wait(), bytes(command.out), command.err.decode(errors="replace")
