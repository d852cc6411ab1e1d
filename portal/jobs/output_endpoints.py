"""HTTP routes for the outputs of jobs, in pieces or followed as they grow, and of array tasks.

Only the owner may read an output, since files belong to their user.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Header, Path, Query
from pydantic import BeforeValidator
from starlette.responses import StreamingResponse

from portal.auth.dependencies import CurrentUser, User
from portal.errors import NotFound
from portal.events import sse
from portal.jobs.dependencies import ArrayTasks, JobOutputs, Jobs
from portal.jobs.endpoints import JobId, digits, mine
from portal.jobs.output import OutputReader, OutputSelection
from portal.jobs.schemas import OutputFile, OutputOut, TaskOut
from portal.jobs.service import JobService
from portal.numbers import whole_number
from portal.routing import Router

router = Router(prefix="/jobs/{job_id}", tags=["jobs"])

Task = Annotated[int | None, Query(ge=0, lt=1 << 31, description="For an array: the task.")]
Offset = Annotated[int, Query(ge=-(1 << 62), le=1 << 62, description="In bytes; negative: from the end.")]


async def _wanted(
    jobs: JobService, outputs: OutputReader, job_id: int, user: User, task: int | None, file: OutputFile
) -> OutputSelection:
    return await outputs.wanted(await jobs.find(job_id, user.username), task, file)


@router.get("/tasks/{task}")
async def task(
    job_id: JobId,
    task: Annotated[int, Path(ge=0, lt=1 << 31), BeforeValidator(digits)],
    user: CurrentUser,
    jobs: Jobs,
    outputs: JobOutputs,
    array_tasks: ArrayTasks,
) -> TaskOut:
    """Return one task of an array: its state, how it ended, where it writes."""
    record = await mine(jobs, job_id, user)
    wanted = await outputs.wanted(record, task, "stdout")
    row = await array_tasks.one(record, task)
    if row is None:
        raise NotFound(
            f"Nothing is known about task {task} of job {job_id}: neither Slurm nor its accounting has a record of it.",
            hint="A task that was cancelled while it waited leaves no trace in Slurm.",
        )
    paths = {"stdout": await outputs.path(wanted), "stderr": None}
    if record.stderr != record.stdout:
        paths["stderr"] = await outputs.path(replace(wanted, file="stderr"))
    return TaskOut(**row.model_dump(), **paths)


@router.get("/output")
async def read(
    job_id: JobId,
    user: CurrentUser,
    jobs: Jobs,
    outputs: JobOutputs,
    file: OutputFile = "stdout",
    task: Task = None,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=4, le=1_048_576)] = 65_536,
) -> OutputOut:
    """Read a piece of a job's output."""
    return await outputs.read(await _wanted(jobs, outputs, job_id, user, task, file), offset, limit)


@router.get("/output/follow", response_class=StreamingResponse)
async def follow(
    job_id: JobId,
    user: CurrentUser,
    jobs: Jobs,
    outputs: JobOutputs,
    file: OutputFile = "stdout",
    task: Task = None,
    offset: Offset = -65_536,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Follow a job's output (server-sent events): `piece` as it grows, `end` once the job has ended and all is read.

    If the reader is too slow, or the output grows faster than 4 MiB a second, the stream skips ahead; `skipped` in a
    piece is the number of bytes left out before it.
    """
    wanted = await _wanted(jobs, outputs, job_id, user, task, file)
    if last_event_id is not None and (read := whole_number(last_event_id)) is not None:
        offset = read
    return sse.stream(outputs.follow(wanted, offset))
