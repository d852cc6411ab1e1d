"""Settles jobs that carry a session's name without being the job of an active session or pull.

A job whose session or pull has ended is cancelled. So is a second job of an active session: Slurm had created the
first, but its answer was lost. If there is no row at all, the database may have been restored from an earlier copy.
Such a job is watched for a while. If the Hub still has its server, the row is rebuilt from what Slurm and the Hub know;
if not, nobody can reach the session, and the job is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from pydantic import ValidationError

from portal import agent_jobs, sealing
from portal.db.engine import UnitOfWork
from portal.errors import HubUnavailable, PortalError
from portal.hub.client import HubClient, HubServer
from portal.policy.request import SessionRequest
from portal.sealing import Seals
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import SessionStore
from portal.slurm.client import SlurmClient, session_of
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Reach, Snapshot

log = structlog.get_logger()

#: For how long, and in how many snapshots of Slurm, a row must be missing before it counts as lost.
GRACE = timedelta(seconds=120)
SNAPSHOTS = 3
#: The same for a second job: longer than a submission takes, since the row may still name the job that is given up.
SECOND_GRACE = timedelta(seconds=20)


@dataclass(slots=True)
class _Watched:
    since: datetime
    snapshots: int = 0


class Strays:
    def __init__(
        self,
        *,
        work: UnitOfWork,
        store: SessionStore,
        slurm: SlurmClient,
        hub: HubClient,
        snapshot: Callable[[], Snapshot],
        live: LiveSessions,
        seals: Seals,
        default_app: str,
        now: Callable[[], datetime],
        steady: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._slurm = slurm
        self._hub = hub
        self._snapshot = snapshot
        self._work = work
        self._live = live
        self._seals = seals
        self._default_app = default_app
        self._now = now
        self._steady = steady
        self._watched: dict[int, _Watched] = {}  # by job id

    async def settle(self, snapshot: Snapshot, active: Sequence[SessionRecord]) -> None:
        """Cancel or adopt the snapshot's jobs that are named after sessions without being the job of an active one."""
        # While a session's request is being changed, a second job may be about to take over: `changes` settles it.
        own = {record.id: None if record.change else record.job_id for record in active}
        strays = {
            job.id: (session_id, job)
            for job in snapshot.jobs.values()
            if not job.state.is_over
            and (session_id := session_of(job.name)) is not None
            and (session_id not in own or _is_second(job, own[session_id], snapshot))
        }
        self._watched = {job: watched for job, watched in self._watched.items() if job in strays}
        for session_id, job in strays.values():
            try:
                await self._one(session_id, job, is_second=session_id in own)
            except PortalError as error:
                log.warning("reconciler.stray_kept", job=job.id, error=error.message)

    async def _one(self, session_id: str, job: Job, *, is_second: bool) -> None:
        if is_second:
            if self._has_lasted(job, SECOND_GRACE):
                await self._cancel(session_id, job)
            return
        row = await agent_jobs.known(self._work, session_id)
        if row is None:
            if self._has_lasted(job, GRACE):
                await self._settle_missing(session_id, job)
        elif row.is_over:  # otherwise it pulls an image, or was started after the list was read
            await self._cancel(session_id, job)

    def _has_lasted(self, job: Job, grace: timedelta) -> bool:
        watched = self._watched.setdefault(job.id, _Watched(self._steady()))
        watched.snapshots += 1
        return watched.snapshots >= SNAPSHOTS and self._steady() - watched.since >= grace

    async def _settle_missing(self, session_id: str, job: Job) -> None:
        try:
            servers = await self._hub.servers()
        except HubUnavailable as error:
            log.warning("reconciler.stray_unknown", job=job.id, session=session_id, error=error.message)
            return
        for (owner, server_name), server in servers.items():
            if server.session_id == session_id and server.ready and owner == job.user and job.nodes:
                await self._store.add(
                    self._row(session_id, job, server_name, server),
                    "The portal's database had lost this session; it was found again in Slurm and JupyterHub.",
                )
                self._live.heard(session_id)  # gives its agent some minutes to say hello again
                log.warning("reconciler.session_adopted", session=session_id, job=job.id, user=job.user)
                return
        await self._cancel(session_id, job)

    async def _cancel(self, session_id: str, job: Job) -> None:
        log.warning("reconciler.stray_job", job=job.id, user=job.user, session=session_id)
        await self._slurm.cancel(job.user, job.id)

    def _row(self, session_id: str, job: Job, server_name: str, server: HubServer) -> SessionRecord:
        ask = _asked(server.options) or SessionRequest(app=self._default_app)
        since = job.started_at or job.submitted_at or self._now()
        return SessionRecord(
            id=session_id,
            owner=job.user,
            name=ask.name or f"Session {session_id[:4]}",
            server_name=server_name,
            app=ask.app,
            environment=ask.environment or "",
            options=ask.options,
            modules=ask.modules,
            template=ask.template,
            preset=ask.preset,
            origin="adopted",
            state=SessionState.READY.value,
            partition=job.partition,
            account=job.account or None,
            qos=job.qos or None,
            reservation=job.reservation or None,
            nodes=job.node_count,
            gpus=job.gpus // job.node_count,
            gpu_type=job.gpu_type,
            shards=job.shards // job.node_count,
            mps_percent=job.mps_percent // job.node_count,
            constraint=ask.resources.constraint,
            licenses=ask.resources.licenses,
            wckey=ask.resources.wckey,
            exclusive=bool(ask.resources.exclusive),
            cpus=job.cpus // job.node_count,
            memory_mib=(job.memory_mib or 0) // job.node_count,
            walltime_s=job.time_limit_s or 0,
            job_id=job.id,
            node=job.nodes,
            base_url=server.base_url,
            created_at=job.submitted_at or since,
            submitted_at=job.submitted_at or since,
            started_at=since,
            ready_at=since,
            ends_at=job.ends_at,
            secret_hash=sealing.digest(self._seals.secret_of(session_id)),
        )

    async def may_live(self, session_id: str) -> bool:
        """Whether a session without an active row may still have a job. True while that is unknown."""
        snapshot = self._snapshot()
        if snapshot.state is not Reach.UP:
            return True
        if not session_id:
            return bool(self._watched)
        record = await self._store.known(session_id)
        if record is not None:
            return record.state != SessionState.ENDED
        return any(session_of(job.name) == session_id and not job.state.is_over for job in snapshot.jobs.values())


def _is_second(job: Job, own: int | None, snapshot: Snapshot) -> bool:
    """Whether this is a duplicate: the session's own job is a different one and is active."""
    if own is None or own == job.id:
        return False
    first = snapshot.jobs.get(own)
    return first is not None and not first.state.is_over


def _asked(options: Mapping[str, Any]) -> SessionRequest | None:
    """Return the request that a server was started with, if its options still hold a valid one."""
    try:
        return SessionRequest.model_validate(options.get("ask", options))
    except ValidationError:
        return None
