"""A portal's sessions on their own database, with a Slurm and a Hub that tests control."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from portal.apps.own import OwnApps
from portal.auth.people import People
from portal.base import Base
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.directory import DirectoryUser
from portal.errors import HubUnavailable, PortalError, SlurmUnavailable
from portal.events.bus import Bus
from portal.files.types import Entry, FileKind, Listing, PathInfo
from portal.hub.client import HubServer
from portal.limits.service import LimitService
from portal.modules.service import ModuleService
from portal.notebooks.gallery import copies
from portal.notifications.outbox import Outbox
from portal.owner_locks import OwnerLocks
from portal.placement.policy_views import PolicyViews
from portal.placement.waits import PastJob
from portal.policy.closures import Closure
from portal.policy.request import ResourceRequest, SessionRequest
from portal.sealing import Seals
from portal.sessions.agents import AgentService
from portal.sessions.change_steps import ChangeSteps
from portal.sessions.changes import Changes
from portal.sessions.choices import Choices
from portal.sessions.hub_servers import HubServers
from portal.sessions.launch import LaunchBuilder
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord
from portal.sessions.own_time import OwnTime
from portal.sessions.reconciler import Reconciler
from portal.sessions.requests import SessionRequests
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.wiring import wire_sessions
from portal.settings import Database, Environment, Settings
from portal.slurm.client import job_name
from portal.slurm.jobs import Job, JobEnd, JobState, LogPiece, SessionSpec, Submitted
from portal.slurm.nodes import GpuCount, Node, NodeState, Partition
from portal.slurm.snapshot import Reach, Snapshot
from portal.tasks import Tasks

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.time = self.steady_time = START

    def __call__(self) -> datetime:
        return self.time

    def steady(self) -> datetime:
        return self.steady_time

    def set(self, seconds: float) -> None:
        """Set the clock ahead or back: no time passes."""
        self.time += timedelta(seconds=seconds)

    def pass_(self, seconds: float) -> datetime:
        self.time += timedelta(seconds=seconds)
        self.steady_time += timedelta(seconds=seconds)
        return self.time


@dataclass
class FakeSlurm:
    """Takes jobs and does with them what the test says."""

    clock: Clock
    full: bool = False
    error: Exception | None = None
    lose_answer: bool = False
    found: dict[int, Job] = field(default_factory=dict)
    ends: dict[int, JobEnd] = field(default_factory=dict)
    cancelled: list[tuple[str, int]] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    down: bool = False
    bare: set[int] = field(default_factory=set)
    """Jobs that go on without a step."""
    asked_for_steps: int = 0
    asked_for_ends: list[list[int]] = field(default_factory=list)
    accounting_down: bool = False
    steps: list[str] = field(default_factory=list)
    dies_at: str = ""
    silent_at: str = ""

    async def submit(self, user: str, spec: SessionSpec, env: Mapping[str, str]) -> Submitted:
        if self.down:
            raise SlurmUnavailable("Slurm does not answer.")
        if self.error is not None:
            raise self.error
        if spec.after is not None:
            self.step("submit")
        job_id = 100 + len(self.found)
        self.secrets[spec.session_id] = env["DSP_SECRET"]
        self.found[job_id] = Job(
            id=job_id,
            name=job_name(spec.session_id),
            user=user,
            account=spec.account or "",
            partition=spec.partition or "",
            qos="",
            state=JobState.PENDING if self.full else JobState.RUNNING,
            reason="Dependency" if spec.after else "Resources" if self.full else "",
            gpus=spec.gpus,
            gpu_type=spec.gpu_type,
            cpus=spec.cpus,
            memory_mib=spec.memory_mib,
            nodes="" if self.full else "node001",
            submitted_at=self.clock(),
            time_limit_s=spec.walltime_s,
            comment=spec.title or "",
        )
        if spec.after is not None:
            self.step("submitted")
        if self.lose_answer:
            raise RuntimeError("killed between submit and commit")
        return Submitted(job_id, placed=not self.full, node=None if self.full else "node001")

    async def change(self, user: str, job_id: int, values: Mapping[str, Any]) -> None:
        self.step("change")
        if self.error is not None:
            raise self.error
        job = self.found[job_id]
        known = {"partition", "account", "gpus", "cpus", "memory_mib"} & values.keys()
        changes = {name: values[name] for name in known}
        limit = values.get("walltime_s", job.time_limit_s)
        self.found[job_id] = replace(job, **changes, time_limit_s=limit)
        self.step("changed")

    async def withdraw(self, user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        self.step("withdraw")
        if successor in self.found and self.found[job_id].state.waits:
            self.becomes(job_id, JobState.CANCELLED)
            self.step("withdrawn")
        return self.found[job_id].state.is_over, successor in self.found

    def step(self, name: str) -> None:
        """Act on the point of a change that a test has named."""
        self.steps.append(name)
        if name == self.dies_at:
            raise asyncio.CancelledError
        if name == self.silent_at:
            raise SlurmUnavailable("Slurm does not answer.")

    async def cancel(self, user: str, job_id: int) -> None:
        if self.down:
            raise SlurmUnavailable("Slurm does not answer.")
        self.cancelled.append((user, job_id))
        self.becomes(job_id, JobState.CANCELLED)

    def becomes(self, job_id: int, state: JobState, **changes: object) -> None:
        self.found[job_id] = replace(self.found[job_id], state=state, **changes)  # type: ignore[arg-type]

    async def with_steps(self, job_ids: Collection[int]) -> set[int]:
        self.asked_for_steps += 1
        if self.down:
            raise SlurmUnavailable("Slurm does not answer.")
        return set(job_ids) - self.bare

    async def job_ends(self, job_ids: Collection[int]) -> dict[int, JobEnd]:
        self.asked_for_ends.append(list(job_ids))
        if self.accounting_down:
            raise SlurmUnavailable("Accounting does not answer.")
        return {number: self.ends[number] for number in job_ids if number in self.ends}

    async def read_log(self, user: str, session_id: str, offset: int, limit: int) -> LogPiece:
        return LogPiece("", 0, 0, 0)


@dataclass
class FakeOperator:
    """Sets time limits as the test says: it does, refuses, or gives no answer before or after it has done it."""

    slurm: FakeSlurm
    asked: list[tuple[str, int, int]] = field(default_factory=list)
    error: Exception | None = None
    lose_answer: bool = False

    async def extend(self, user: str, session_id: str, job_id: int, walltime_s: int) -> None:
        await self.shorten(user, job_id, walltime_s)

    async def shorten(self, user: str, job_id: int, walltime_s: int) -> None:
        self.asked.append((user, job_id, walltime_s))
        if self.error is not None:
            raise self.error
        self.slurm.found[job_id] = replace(self.slurm.found[job_id], time_limit_s=walltime_s)
        if self.lose_answer:
            raise SlurmUnavailable("Slurm does not answer.")


class FakeWatcher:
    """A snapshot that changes when the test says so."""

    def __init__(self, slurm: FakeSlurm, clock: Clock) -> None:
        self._slurm = slurm
        self._clock = clock
        self.kicks_again = 0
        self.snapshot = Snapshot(
            serial=1,
            state=Reach.UP,
            nodes=tuple(
                Node(
                    f"node00{number}",
                    NodeState.IDLE,
                    partitions=("sxm2",),
                    cpus=40,
                    memory_mib=384_000,
                    gpus=(GpuCount("v100", 4, 0),),
                )
                for number in (1, 2)
            ),
            partitions=(Partition("sxm2", default=True, max_walltime_s=172_800),),
            reservations_as_of=START,
            nodes_as_of=START,
            partitions_as_of=START,
            jobs_as_of=START,
        )

    async def first_look(self) -> Snapshot:
        return self.snapshot

    async def reread(self, name: str) -> None:
        """What the test says is what there is."""

    def kick(self, part: str = "jobs") -> None:
        """The test looks when it wants to."""

    def kick_again(self) -> None:
        self.kicks_again += 1

    def look(self) -> Snapshot:
        self.snapshot = replace(
            self.snapshot, serial=self.snapshot.serial + 1, jobs=dict(self._slurm.found), jobs_as_of=self._clock()
        )
        return self.snapshot


@dataclass
class FakeHub:
    """Remembers what it was asked; `servers_` is what it claims to have. `held`: it answers once that is set."""

    started: list[tuple[str, str, str]] = field(default_factory=list)
    stopped: list[tuple[str, str]] = field(default_factory=list)
    servers_: dict[tuple[str, str], HubServer] = field(default_factory=dict)
    idle: dict[tuple[str, str], HubServer] = field(default_factory=dict)
    """Those that are stopped, which are listed only on demand."""
    held: asyncio.Event | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    away: bool = False
    refusing: int = 0
    """How many more times it answers 500 to a DELETE."""
    calls: int = 0

    async def _answer(self) -> None:
        self.calls += 1
        self.asked.set()
        if self.held is not None:
            await self.held.wait()
        if self.away:
            raise HubUnavailable("JupyterHub does not answer.")

    async def start_server(
        self, username: str, server_name: str, session_id: str, display_name: str, ask: Mapping[str, object]
    ) -> None:
        await self._answer()
        self.started.append((username, server_name, session_id))
        options = {"session": session_id, "ask": ask}
        self.servers_[username, server_name] = HubServer(ready=False, pending="spawn", options=options)

    async def stop_server(self, username: str, server_name: str) -> None:
        await self._answer()
        if self.refusing:
            self.refusing -= 1
            raise HubUnavailable("JupyterHub answered 500.")
        self.stopped.append((username, server_name))
        self.servers_.pop((username, server_name), None)
        self.idle.pop((username, server_name), None)

    async def server(self, username: str, server_name: str) -> HubServer | None:
        await self._answer()
        return self.servers_.get((username, server_name))

    async def servers(self, *, stopped: bool = False) -> dict[tuple[str, str], HubServer]:
        await self._answer()
        return self.servers_ | (self.idle if stopped else {})

    async def progress(self, username: str, server_name: str) -> AsyncIterator[dict[str, object]]:
        yield {"ready": True}


class FakeDirectory:
    async def account(self, username: str) -> DirectoryUser | None:
        if username not in ("alice", "bob", "admin"):
            return None
        return DirectoryUser(
            username=username,
            display_name=username.title(),
            mail="",
            uid=10_001,
            gid=10_001,
            groups=("portal-users",),
            allowed=True,
            admin=username == "admin",
        )


@dataclass
class FakeFiles:
    """Users' files, as the test says; what it does not name is not there."""

    looks: dict[str, PathInfo | PortalError] = field(default_factory=dict)
    found: dict[str, tuple[Entry, ...]] = field(default_factory=dict)

    async def look(self, user: str, path: str) -> PathInfo:
        look = self.looks.get(path, PathInfo(path, FileKind.MISSING, 0, None, False, True, b""))
        if isinstance(look, PortalError):
            raise look
        return look

    async def find(self, user: str, path: str, glob: str, *, depth: int, limit: int) -> Listing:
        return Listing(path, self.found.get(path, ()), False)


@dataclass
class Harness:
    """Everything a test holds in its hands."""

    clock: Clock
    slurm: FakeSlurm
    watcher: FakeWatcher
    hub: FakeHub
    live: LiveSessions
    settings: Settings
    limits: LimitService
    store: SessionStore
    choices: Choices
    requests: SessionRequests
    files: FakeFiles
    service: SessionService
    operator: FakeOperator
    own_time: OwnTime
    reconciler: Reconciler
    agents: AgentService
    hub_servers: HubServers
    changes: Changes
    change_steps: ChangeSteps
    work: UnitOfWork
    bus: Bus
    tasks: Tasks
    missing: dict[str, str]
    closures: list[Closure]
    past: list[PastJob]
    """Whose waits are known."""

    async def start(self, user: str = "alice", **resources: object) -> SessionRecord:
        ask = SessionRequest(app="jupyterlab", resources=ResourceRequest.model_validate(resources))
        return await self.service.start(user, ask, origin="api")

    async def reconcile(self, after_s: float = 5.0) -> None:
        self.clock.pass_(after_s)
        await self.reconciler.reconcile(self.watcher.look())

    async def compare(self, after_s: float = 15.0) -> None:
        """Compare with the Hub, and wait until what follows from it is done."""
        self.clock.pass_(after_s)
        await self.hub_servers.compare()
        await self.done()

    async def done(self) -> None:
        """Wait until the background tasks that wait for nothing but the Hub are done."""
        async with asyncio.timeout(5):
            while any(task.get_name().startswith(("hub-start", "hub-drop")) for task in asyncio.all_tasks()):
                await asyncio.sleep(0)

    async def state(self, record: SessionRecord) -> str:
        return (await self.store.get(record.id)).state


@pytest.fixture
def settings(tmp_path: Path, database: str) -> Settings:
    return Settings(
        data_dir=tmp_path,
        database=Database(url=database),
        environments={"base": Environment(title="Base", path=Path("/opt/environments/base"))},
    )


@pytest.fixture
async def harness(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Harness]:
    monkeypatch.setattr("portal.sessions.change_steps.KEPT_S", 0)
    engine = make_engine(settings.database_url)
    work = unit_of_work(engine)
    clock, bus, tasks = Clock(), Bus(), Tasks()
    slurm = FakeSlurm(clock)
    watcher, hub, files = FakeWatcher(slurm, clock), FakeHub(), FakeFiles()
    operator = FakeOperator(slurm)
    missing: dict[str, str] = {}
    closures: list[Closure] = []
    past: list[PastJob] = []

    async def closed() -> list[Closure]:
        return closures

    async def waits(_: str) -> list[PastJob]:
        return past

    class Environments:
        async def of(self, username: str) -> dict[str, Environment]:
            return settings.environments

        async def missing(self, username: str, name: str, environment: Environment) -> str | None:
            return missing.get(name)

    people = People(FakeDirectory())  # type: ignore[arg-type]  # two accounts
    limits = LimitService(work, people.groups, clock)
    views = PolicyViews(
        policy=settings.policy,
        watcher=watcher,  # type: ignore[arg-type]  # steered by hand
        people=people,
        limits=limits,
        closures=closed,
        now=clock,
    )
    services = wire_sessions(
        Base(
            settings=settings,
            work=work,
            bus=bus,
            tasks=tasks,
            slurm=slurm,  # type: ignore[arg-type]  # only what sessions use
            watcher=watcher,  # type: ignore[arg-type]  # steered by hand
            now=clock,
        ),
        operator=operator,  # type: ignore[arg-type]  # only what sessions use
        seals=Seals("a key of the tests"),
        hub=hub,  # type: ignore[arg-type]  # steered by hand
        launch=LaunchBuilder(settings, copies, lambda: ""),
        files=files,  # type: ignore[arg-type]  # known by heart
        own_apps=OwnApps(settings, files),  # type: ignore[arg-type]
        environments=Environments(),
        modules=ModuleService(settings.modules, clock),
        views=views,
        locks=OwnerLocks(),
        sampled=lambda *_: None,
        waits=waits,
        changed=Outbox(work, bus, settings.notifications, clock).session_changed,
        steady=clock.steady,
    )
    yield Harness(
        clock=clock,
        slurm=slurm,
        watcher=watcher,
        hub=hub,
        live=services.live,
        settings=settings,
        limits=limits,
        store=services.store,
        choices=services.choices,
        requests=services.requests,
        files=files,
        service=services.service,
        operator=operator,
        own_time=services.own_time,
        reconciler=services.reconciler,
        agents=services.agents,
        hub_servers=services.hub_servers,
        changes=services.changes,
        change_steps=services.change_steps,
        work=work,
        bus=bus,
        tasks=tasks,
        missing=missing,
        closures=closures,
        past=past,
    )
    await tasks.close()
    await engine.dispose()
