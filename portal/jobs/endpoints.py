"""HTTP routes for batch jobs: compose, check, submit, list, act."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import BeforeValidator

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser, User
from portal.errors import InvalidRequest
from portal.idempotency.dependencies import Idempotency
from portal.idempotency.service import IdempotencyKey
from portal.jobs import rows
from portal.jobs.dependencies import ArrayTasks, JobActs, JobOutputs, JobRecords, Jobs, LiveJobUse
from portal.jobs.detail import detail, submission_out
from portal.jobs.fit import JOBS, fit
from portal.jobs.models import JobRecord
from portal.jobs.output import OutputReader
from portal.jobs.schemas import (
    ActionIn,
    ActionsOut,
    AgainOut,
    ComposeIn,
    JobCheckOut,
    JobDetail,
    JobLastUse,
    JobPage,
    LiveUseOut,
    ParseIn,
    ParseOut,
    PresetPage,
    ScriptOut,
    SubmissionOut,
    SubmissionPage,
    SubmitIn,
    TaskPage,
)
from portal.jobs.script.form import JobName
from portal.jobs.script.parse import parse
from portal.jobs.service import JobService
from portal.moment import Moment
from portal.routing import BodyLimit, Router, takes
from portal.slurm.dependencies import SlurmWatcher

router = Router(prefix="/jobs", tags=["jobs"])

#: JSON may take six characters for one character of a script.
A_SCRIPT = BodyLimit(1 << 20)


def digits(value: object) -> object:
    """Refuse what would parse as an unintended number: `4712_7` is an array task, not job 47127."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError(
            "This is not a job number. Use a number such as 4711; for an array task, the number of its array"
        )
    return value


JobId = Annotated[int, Path(ge=1, lt=1 << 31), BeforeValidator(digits)]

SubmissionId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


async def mine(jobs: JobService, job_id: int, user: User) -> JobRecord:
    """Return the job if the caller may see it. Raises NotFound for another user's job, as for a missing one."""
    return await jobs.find(job_id, None if user.admin else user.username)


@router.get("/presets")
async def presets(_: CurrentUser, jobs: Jobs) -> PresetPage:
    """List the presets, each with the environment that has what it needs."""
    return PresetPage(items=await jobs.presets())


@router.post("/compose")
@takes(A_SCRIPT)
async def compose(body: ComposeIn, user: CurrentUser, jobs: Jobs) -> ScriptOut:
    """Build the job script from a form."""
    form = body.form
    if body.gpu_memory_gb is not None:
        form = await jobs.with_memory(user.username, form, body.gpu_memory_gb)
    return ScriptOut(script=jobs.compose(user.username, form, body.kept))


@router.post("/parse")
@takes(A_SCRIPT)
async def parse_(body: ParseIn, _: CurrentUser) -> ParseOut:
    """Parse a script into the form, and report what the form cannot show."""
    parsed = parse(body.script)
    return ParseOut(form=parsed.form, kept=parsed.kept, complete=parsed.complete)


@router.post("/check")
@takes(A_SCRIPT)
async def check(body: SubmitIn, user: CurrentUser, jobs: Jobs) -> JobCheckOut:
    """Check whether Slurm would take the job, when and where it would start, and what is wrong. Submits nothing."""
    return await jobs.check(user.username, body.script, body.workdir)


@router.post("", status_code=202)
@takes(A_SCRIPT)
async def submit(
    body: SubmitIn,
    user: CurrentUser,
    jobs: Jobs,
    outputs: JobOutputs,
    keys: Idempotency,
    audit: AuditLog,
    key: IdempotencyKey,
) -> JobDetail:
    """Submit a job. If policy or Slurm refuses it, nothing is submitted.

    A second request with the same `Idempotency-Key` returns the same job. `outcome_unknown` names the submission to
    look up.
    """
    async with keys.once(user.username, key) as made:
        record = await jobs.submissions.of_key(made) if made else None
        if record is None:
            async with audit.noted(user, "job.submit", "") as note:
                record = await jobs.submit(user.username, body.script, body.workdir, key)
                note.target = str(record.job_id)
    return await _detail(outputs, record)


@router.get("/submissions")
async def submissions(user: CurrentUser, jobs: Jobs) -> SubmissionPage:
    """List your submissions without a known job: the portal is looking for it, or it was not submitted."""
    records = await jobs.submissions.unsettled(user.username)
    return SubmissionPage(items=[submission_out(record) for record in records])


@router.get("/submissions/{submission_id}")
async def submission(submission_id: SubmissionId, user: CurrentUser, jobs: Jobs) -> SubmissionOut:
    """Return the state of one submission."""
    return submission_out(await jobs.submissions.find(submission_id, user.username))


@router.get("/submissions/{submission_id}/again")
async def submission_again(submission_id: SubmissionId, user: CurrentUser, jobs: Jobs) -> AgainOut:
    """Return what a submission requested, to submit it again."""
    return jobs.again_from(await jobs.submissions.find(submission_id, user.username))


@router.delete("/submissions/{submission_id}", status_code=204)
async def forget_submission(submission_id: SubmissionId, user: CurrentUser, jobs: Jobs) -> None:
    """Forget a submission that the portal no longer looks for."""
    await jobs.submissions.remove(submission_id, user.username)


@router.get("")
async def page(
    user: CurrentUser,
    records: JobRecords,
    watcher: SlurmWatcher,
    state: Literal["active", "ended", "all"] = "all",
    query: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Moment | None = None,
) -> JobPage:
    """List your batch jobs, newest first, an array as one row, including jobs that Slurm has forgotten."""
    page = await records.page(user.username, state=state, query=query, limit=limit + 1, before=before)
    shown = page[:limit]
    return JobPage(
        items=[rows.render(record) for record in shown],
        next=shown[-1].submitted_at.isoformat() if len(page) > limit else None,
        as_of=watcher.snapshot.jobs_as_of,
    )


@router.get("/last-use")
async def last_use(user: CurrentUser, records: JobRecords, name: Annotated[JobName, Query()]) -> JobLastUse:
    """Return how much memory and time your last jobs of this name needed."""
    return JobLastUse(fit=fit(await records.last(user.username, name, JOBS)))


@router.post("/actions")
async def actions(body: ActionIn, user: CurrentUser, audit: AuditLog, acting: JobActs) -> ActionsOut:
    """Cancel, hold, release or requeue your jobs, or shorten their time limits. Each job has its own result."""
    async with audit.noted(user, f"job.{body.action.value}", ",".join(body.ids)[:255]) as note:
        done = await acting.act(user.username, body.action, body.ids, body.walltime_s)
        note.detail["failed"] = {result.id: result.message for result in done if not result.ok}
    return ActionsOut(results=done)


@router.get("/{job_id}")
async def show(job_id: JobId, user: CurrentUser, jobs: Jobs, outputs: JobOutputs) -> JobDetail:
    """Return one of your jobs, as it is now."""
    record = await mine(jobs, job_id, user)
    if record.owner == user.username:  # whose output it reads
        await outputs.explain(record)
    return await _detail(outputs, record)


@router.get("/{job_id}/tasks")
async def tasks(
    job_id: JobId,
    user: CurrentUser,
    jobs: Jobs,
    array_tasks: ArrayTasks,
    state: Literal["all", "active", "pending", "running", "ended", "failed"] = "all",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: Annotated[int, Query(ge=-1, lt=1 << 31)] = -1,
) -> TaskPage:
    """List the tasks of an array by number."""
    record = await mine(jobs, job_id, user)
    if record.array_total is None and record.array_range is None:
        raise InvalidRequest(f"Job {job_id} is not an array.", hint="Request the job itself.")
    items, following = await array_tasks.page(record, state=state, limit=limit, after=after)
    return TaskPage(items=items, next=following)


@router.get("/{job_id}/use")
async def use(
    job_id: JobId,
    user: CurrentUser,
    jobs: Jobs,
    live: LiveJobUse,
    task: Annotated[int | None, Query(ge=0, lt=1 << 31, description="For an array: the task.")] = None,
) -> LiveUseOut:
    """Return what a running job uses now, node by node. Poll every five seconds: requests keep the measurement
    running.
    """
    return await live.look(await mine(jobs, job_id, user), task)


@router.get("/{job_id}/again")
async def again(job_id: JobId, user: CurrentUser, jobs: Jobs) -> AgainOut:
    """Return the job to submit again, with its corrections applied."""
    return jobs.again(await mine(jobs, job_id, user))


async def _detail(outputs: OutputReader, record: JobRecord) -> JobDetail:
    if record.id is None:  # not saved yet, so the database knows nothing of its files
        return detail(record, None, None)
    outputs = outputs
    return detail(record, await outputs.where(record, "stdout"), await outputs.where(record, "stderr"))
