"""A session as its owner sees it: the row, together with Slurm's snapshot and the latest measured use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from portal.apps.own import app_of
from portal.policy import formatting
from portal.policy.request import ResourceRequest, Resources, SessionRequest
from portal.sessions import endings
from portal.sessions.models import PROGRESS, SessionEvent, SessionRecord, SessionState
from portal.sessions.next_start import next_start
from portal.sessions.schemas import EndOut, EventOut, IdleOut, ImageBrief, QueueOut, SessionOut, UsageOut
from portal.settings import Settings
from portal.slurm.jobs import Factor, Job, JobState, Priority
from portal.slurm.reasons import has_position
from portal.slurm.snapshot import Snapshot

#: `render` with everything but the record bound.
Render = Callable[[SessionRecord], SessionOut]


def render(
    record: SessionRecord,
    settings: Settings,
    snapshot: Snapshot,
    usage: UsageOut | None,
    used_at: datetime | None = None,
    idle: IdleOut | None = None,
) -> SessionOut:
    app = app_of(settings, record.app, record.own_app)
    environment = settings.environments.get(record.environment)
    ready = record.state == SessionState.READY and record.base_url is not None
    address = f"{settings.sessions_origin(record.owner)}{record.base_url}" if ready else None
    return SessionOut(
        id=record.id,
        revision=record.revision,
        name=record.name,
        owner=record.owner,
        app=record.app,
        app_title=app.title if app else record.app,
        environment=record.environment,
        environment_title=environment.title if environment else (record.image or {}).get("title", record.environment),
        environment_version=record.environment_version,
        image=ImageBrief.model_validate(record.image) if record.image else None,
        options=record.options or {},
        modules=record.modules or [],
        template=record.template,
        preset=record.preset,
        state=SessionState(record.state),
        reason=record.reason,
        reason_code=record.reason_code,
        job_id=record.job_id,
        node=record.node,
        url=f"{address}{app.landing if app else ''}" if address is not None else None,
        ports_url=f"{address}proxy-port/" if address is not None and settings.agent.open_ports else None,
        server_name=record.server_name,
        resources=resources_of(record),
        created_at=record.created_at,
        queued_at=record.queued_at,
        started_at=record.started_at,
        ready_at=record.ready_at,
        ends_at=record.ends_at,
        ended_at=record.ended_at,
        end=_end(record, snapshot, settings),
        queue=queue_of(record, snapshot),
        suspended=is_suspended(record, snapshot),
        usage=usage if record.state == SessionState.READY else None,
        used_at=used_at if record.state == SessionState.READY else None,
        idle=idle if record.state == SessionState.READY else None,
        progress=PROGRESS[SessionState(record.state)],
    )


def render_event(event: SessionEvent) -> EventOut:
    state = SessionState(event.stage)
    return EventOut(
        seq=event.seq,
        at=event.at,
        stage=event.stage,
        message=event.message,
        progress=PROGRESS[state],
        state=state,
    )


def resources_of(record: SessionRecord) -> Resources:
    return Resources(**{field: getattr(record, field) for field in Resources.model_fields})


def ask_again(record: SessionRecord) -> SessionRequest:
    """Return the request that starts the same session again."""
    return SessionRequest(
        app=record.app,
        name=record.name,
        environment=record.environment,
        options=record.options,
        modules=record.modules,
        template=record.template,
        preset=record.preset,
        resources=ResourceRequest(**resources_of(record).model_dump()),
    )


def _end(record: SessionRecord, snapshot: Snapshot, settings: Settings) -> EndOut | None:
    if record.state != SessionState.ENDED or record.end_code is None:
        return None
    return EndOut(
        code=record.end_code,
        text=record.end_text or endings.words(record.end_code).text,
        advice=endings.words(record.end_code).advice,
        exit_code=record.exit_code,
        seen=record.end_seen,
        next=next_start(record, snapshot, settings.policy),
    )


def is_suspended(record: SessionRecord, snapshot: Snapshot) -> bool:
    """Whether Slurm has stopped the session's processes for now."""
    job = snapshot.jobs.get(record.job_id or 0)
    return (
        record.state != SessionState.ENDED and job is not None and job.state in (JobState.SUSPENDED, JobState.STOPPED)
    )


def queue_of(record: SessionRecord, snapshot: Snapshot) -> QueueOut | None:
    if record.state != SessionState.QUEUED or record.job_id is None:
        return None
    job = snapshot.jobs.get(record.job_id)
    if job is None or not job.state.waits or not has_position(job):
        return None
    line = own_line(job, snapshot)
    at = line.index(job)
    return QueueOut(
        position=at + 1,
        of=len(line),
        order=f"{_order(job, line[:at], snapshot.priorities)} {_consists_of(snapshot.priorities.get(job.id))}".strip(),
        expected_start=_future(job.started_at, snapshot),
    )


MOST_FACTORS = 2


def _order(job: Job, ahead: Sequence[Job], priorities: Mapping[int, Priority]) -> str:
    """Say why those ahead are ahead: they came earlier, or Slurm gives them a higher priority, and for what.

    Empty if none is ahead: the position says it.
    """
    if not ahead:
        return ""
    overtook = [other for other in ahead if other.rank[1:] > job.rank[1:]]
    later = len(overtook)
    if not later:
        return f"{formatting.plural(len(ahead), 'job')} ahead came earlier."
    which = "The job ahead" if len(ahead) == 1 else f"Of the {len(ahead)} jobs ahead, {later}"
    has = "has" if later == 1 else "have"
    return f"{which} came later but {has} a higher priority in Slurm, {_through(job, overtook, priorities)}."


def _through(job: Job, ahead: Sequence[Job], priorities: Mapping[int, Priority]) -> str:
    """Name the factor that puts each of these jobs most ahead, most frequent first."""
    own, most = priorities.get(job.id), Counter[Factor]()
    for theirs in (priorities[other.id] for other in ahead if own is not None and other.id in priorities):
        leads = {factor: points - own.points.get(factor, 0) for factor, points in theirs.points.items()} if own else {}
        if leads and max(leads.values()) > 0:
            most[max(leads, key=lambda factor: leads[factor])] += 1
    if not most:
        return "for example through fair share or QOS"
    return f"through {' and '.join(factor.value for factor, _ in most.most_common(MOST_FACTORS))}"


def _consists_of(priority: Priority | None) -> str:
    """Say what a priority consists of; nothing if Slurm has not computed it from factors."""
    if priority is None or not priority.points:
        return ""
    points = sorted(priority.points.items(), key=lambda item: -abs(item[1]))
    return f"Its priority is {priority.total:,}: {', '.join(f'{factor.value} {size:,}' for factor, size in points)}."


def own_line(job: Job, snapshot: Snapshot) -> list[Job]:
    """Return the queue that a job with a position waits in; of several, the one where it is nearest to the front."""
    return min((line_of(partition, snapshot) for partition in job.partitions), key=lambda line: line.index(job))


def line_of(partition: str, snapshot: Snapshot) -> list[Job]:
    """Return the partition's waiting jobs that have a position in the queue, in Slurm's order."""
    line = (
        job for job in snapshot.jobs.values() if job.state.waits and partition in job.partitions and has_position(job)
    )
    return sorted(line, key=lambda job: job.rank)


def _future(start: datetime | None, snapshot: Snapshot) -> datetime | None:
    """Return Slurm's estimate, unless it has already passed."""
    if start is None or (snapshot.jobs_as_of is not None and start <= snapshot.jobs_as_of):
        return None
    return start
