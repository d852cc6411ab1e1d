"""The output of jobs: its path, pieces of it, and following it as it grows. Read as its owner, never stored."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from portal.errors import InvalidRequest, NotFound, PortalError, TooManyRequests
from portal.files.service import FileService
from portal.jobs import arrays, output_patterns
from portal.jobs.models import JobRecord
from portal.jobs.reconciler import JobReconciler
from portal.jobs.schemas import OutputFile, OutputOut
from portal.jobs.tasks import Tasks
from portal.placement import gpu_memory
from portal.settings import Jobs
from portal.slurm.batch import BatchSlurm
from portal.slurm.door_wire import whole_characters
from portal.slurm.jobs import JobState
from portal.slurm.snapshot import Snapshot

#: A job's last output may arrive over a network file system some seconds after its end.
SETTLED = timedelta(seconds=4)
WAIT_S = 1.0
#: A page of a failed job waits this long for the reason at the end of its output.
REASON_S = 2.0


@dataclass(frozen=True, slots=True)
class OutputSelection:
    """Which output: of which job, of which array task (None: the job itself), which file."""

    record: JobRecord
    task: int | None
    file: OutputFile


class OutputReader:
    def __init__(
        self,
        *,
        files: FileService,
        slurm: BatchSlurm,
        reconciler: JobReconciler,
        tasks: Tasks,
        settings: Jobs,
        snapshot: Callable[[], Snapshot],
    ) -> None:
        self._files = files
        self._slurm = slurm
        self._reconciler = reconciler
        self._tasks = tasks
        self._settings = settings
        self._snapshot = snapshot
        self._followers: Counter[str] = Counter()

    async def wanted(self, record: JobRecord, task: int | None, file: OutputFile) -> OutputSelection:
        """Return which output is meant. Raises InvalidRequest or NotFound if there is none."""
        tasks = record.array_range
        if task is not None and tasks is None:
            raise InvalidRequest(f"Job {record.job_id} is not an array.", hint="Ask for the job itself.")
        if task is None and tasks is not None and output_patterns.of_task(getattr(record, file)):
            raise InvalidRequest(
                f"Job {record.job_id} is an array: each of its tasks writes a file of its own.",
                hint=f"Name a task of {tasks}, as in {record.job_id}_{next(arrays.expand(tasks), 0)}.",
            )
        if task is not None and tasks is not None and not arrays.holds(tasks, task):
            raw, _ = await self._tasks.raw(record, task)  # jobs submitted elsewhere may be known only in part
            if raw is None:
                raise NotFound(f"Job {record.job_id} has no task {task}.", hint=f"Its tasks are {tasks}.")
        return OutputSelection(record, task, file)

    async def path(self, wanted: OutputSelection) -> str | None:
        """Return the path of the output; None if it is not decided yet, or no longer known."""
        record = wanted.record
        raw, node = await self._tasks.raw(record, wanted.task)
        pattern = getattr(record, wanted.file)
        if pattern is None:
            pattern = await self._ask(record, raw, wanted.file)
        if pattern is None:
            return None
        names = output_patterns.Names(
            job_id=raw, array_id=record.job_id, task=wanted.task, user=record.owner, name=record.name, node=node
        )
        return output_patterns.resolve(pattern, names)

    async def where(self, record: JobRecord, file: OutputFile) -> str | None:
        """Return where a job writes; None for an array, since each task has its own file."""
        return None if record.array_range is not None else await self.path(OutputSelection(record, None, file))

    async def explain(self, record: JobRecord) -> None:
        """Look once at the end of a failed job's output whether a GPU ran out of memory, and keep what it says."""
        if record.state != JobState.FAILED or record.array_range is not None or not record.gpus:
            return
        if record.gpu_memory is not None or not self._over(OutputSelection(record, None, "stdout")):
            return
        files: list[OutputFile] = ["stdout"] if record.stderr == record.stdout else ["stderr", "stdout"]
        try:
            async with asyncio.timeout(REASON_S):
                read = [
                    await self.read(OutputSelection(record, None, file), -gpu_memory.TAIL_BYTES, gpu_memory.TAIL_BYTES)
                    for file in files
                ]
        except (PortalError, TimeoutError):
            return
        reasons = (gpu_memory.ran_out(output.text, self._snapshot()) for output in read)
        record.gpu_memory = next((text for text in reasons if text), "")
        await self._reconciler.learn(record, gpu_memory=record.gpu_memory)

    async def _ask(self, record: JobRecord, raw: int | None, file: OutputFile) -> str | None:
        """Ask Slurm where a job submitted elsewhere writes. Keeps the answer; an array's, if it holds for all tasks."""
        if raw is None:
            return None
        frames = await self._slurm.outputs(raw)
        if frames is None:
            return None
        stdout, stderr, workdir, _ = frames
        paths = lasting = {"stdout": stdout, "stderr": stderr}
        if record.array_total is not None:
            paths = {name: output_patterns.of_array(path, workdir, raw) for name, path in lasting.items()}
            lasting = {name: path for name, path in paths.items() if path != lasting[name]}
        if lasting:
            await self._reconciler.learn(record, **lasting, workdir=workdir)
        return paths[file]

    async def read(self, wanted: OutputSelection, offset: int, limit: int) -> OutputOut:
        """Return a piece; a negative offset counts from the end. A file that does not exist yet gives an empty
        piece.
        """
        path = await self.path(wanted)
        if path is None:
            return OutputOut(text="", offset=0, next_offset=0, size=0, path="")
        try:
            piece = await self._files.read(wanted.record.owner, path, offset, limit)
        except NotFound:
            return OutputOut(text="", offset=0, next_offset=0, size=0, path=path)
        data = whole_characters(piece.data)
        return OutputOut(
            text=data.decode(errors="replace"),
            offset=piece.offset,
            next_offset=piece.offset + len(data),
            size=piece.size,
            path=path,
        )

    async def follow(self, wanted: OutputSelection, offset: int) -> AsyncIterator[str]:
        """Yield server-sent events: pieces as the output grows, and `end` once the job has ended and all is read.

        Nothing is buffered for a reader: a slow one blocks its own door, and is then moved forward.
        """
        owner = wanted.record.owner
        with self._one_more(owner):
            path = await self.path(wanted)
            while path is None:
                if self._over(wanted):
                    yield _event("end", {})
                    return
                yield ": waiting\n\n"
                await asyncio.sleep(WAIT_S)
                path = await self.path(wanted)
            async with aclosing(self._files.follow(owner, path, offset)) as frames:
                async for growth, piece in frames:
                    if piece or growth.skipped:
                        yield _piece(growth.offset, growth.next_offset, growth.size, growth.skipped, piece)
                    elif self._over(wanted):
                        yield _event("end", {"size": growth.size})
                        return
                    else:
                        yield ": ping\n\n"

    @contextmanager
    def _one_more(self, owner: str) -> Iterator[None]:
        if self._followers[owner] >= self._settings.max_followers_per_user:
            raise TooManyRequests(
                "You are already following too many outputs.", hint="Close one of them and try again."
            )
        if self._followers.total() >= self._settings.max_followers:
            raise TooManyRequests("Too many outputs are being followed now.", hint="Try again in a minute.")
        self._followers[owner] += 1
        try:
            yield
        finally:
            self._followers[owner] -= 1
            if not self._followers[owner]:
                del self._followers[owner]

    def _over(self, wanted: OutputSelection) -> bool:
        ended = self._reconciler.ended_at(wanted.record.job_id, wanted.task)
        return ended is not None and self._reconciler.now() - ended > SETTLED


def _piece(offset: int, next_offset: int, size: int, skipped: int, data: bytes) -> str:
    body = {
        "text": data.decode(errors="replace"),
        "offset": offset,
        "next_offset": next_offset,
        "size": size,
        "skipped": skipped,
    }
    return f"id: {next_offset}\n{_event('piece', body)}"


def _event(kind: str, body: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"
