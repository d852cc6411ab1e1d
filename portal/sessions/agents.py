"""The portal's side of the agent that runs in every session's job.

What it may report is bounded: numbers in range, one line of text, an address of its own. Slurm's account of the job
takes precedence.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import structlog

from portal.errors import Forbidden, Gone, HelloWanted
from portal.events.bus import Bus
from portal.gpus import problems
from portal.gpus.schemas import GpuUse
from portal.placement import gpu_memory
from portal.sealing import Seals
from portal.sessions import endings
from portal.sessions.addresses import AgentAddresses
from portal.sessions.agent_wire import Launch
from portal.sessions.hub_link import HubLink
from portal.sessions.launch import LaunchBuilder
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import AgentEnded, AgentHello, AgentOrders, AgentReady, AgentReport, UsageOut
from portal.sessions.store import SessionStore
from portal.slurm.client import SlurmClient
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks

log = structlog.get_logger()

HELLO_WAIT_S = 20.0
ORDERS_WAIT_S = 45.0
#: The agent says no more about these ends than the portal's own sentence.
SAID_ALREADY = frozenset({"stopped", "time_limit"})


class AgentService:
    def __init__(
        self,
        *,
        store: SessionStore,
        bus: Bus,
        slurm: SlurmClient,
        hub: HubLink,
        launch: LaunchBuilder,
        seals: Seals,
        sampled: Callable[[SessionRecord, UsageOut], None],
        live: LiveSessions,
        tasks: Tasks,
        watcher: Watcher,
        addresses: AgentAddresses,
        may_ssh: Callable[[str], Awaitable[bool]],
    ) -> None:
        """`may_ssh`: whether a user may connect to their sessions with SSH; raises DirectoryUnavailable."""
        self._store = store
        self._bus = bus
        self._slurm = slurm
        self._hub = hub
        self._launch = launch
        self._seals = seals
        self._sampled = sampled
        self._live = live
        self._tasks = tasks
        self._watcher = watcher
        self._addresses = addresses
        self._may_ssh = may_ssh
        self.xids: Counter[tuple[str, int]] = Counter()
        """Xid errors that sessions have reported since the start, by node and number."""

    async def hello(self, hello: AgentHello) -> Launch | None:
        """Bind the agent's key and return what to launch; None if the agent should ask again or needs nothing.

        Raises as `AgentJob.bind`.
        """
        if hello.again and await self._store.known(hello.session) is None:
            raise HelloWanted(f"There is no session {hello.session}, or the database does not have it yet.")
        async with self._store.change(hello.session) as draft:
            record = draft.record
            if draft.state is SessionState.STOPPING:
                raise Gone("This session has ended.")
            if record.change is not None and hello.job_id not in (None, record.job_id):
                self._watcher.kick()
                return None  # its job takes over as soon as the outcome of the change is written
            record.bind(hello)
            draft.set(
                hello_at=record.hello_at or draft.now,
                onlookers=hello.onlookers,
                node=record.node or (hello.node if hello.node and self._addresses.knows(hello.node) else None),
                started_at=record.started_at or draft.now,
                ends_at=record.ends_at or draft.now + timedelta(seconds=record.walltime_s),
            )
            draft.advance(SessionState.ALLOCATED, f"Allocated on {record.node or 'a node'}.")
            draft.advance(SessionState.STARTING, "The job is running; starting the app.")
        self._live.heard(hello.session)
        if hello.again:
            return None
        with self._bus.reader(lambda event: event.session == hello.session and event.kind == "session") as reader:
            record = await self._store.get(hello.session)
            while (handover := self._seals.unseal(record.launch_sealed)) is None:
                try:
                    if await reader.next(HELLO_WAIT_S) is None:
                        return None
                except TimeoutError:
                    return None
                record = await self._store.get(hello.session)
                if record.state in (SessionState.STOPPING, SessionState.ENDED):
                    raise Gone("This session has ended.")
        end_key, ssh = self._seals.end_key_of(record.id), await self._may_ssh(record.owner)
        return self._launch.build(record, handover, end_key=end_key, ssh=ssh)

    async def authenticate(self, session_id: str, key: str) -> SessionRecord:
        """Return the session that an agent's key belongs to. Raises as `AgentJob.authenticate`."""
        record = await self._store.known(session_id)
        if record is None:
            raise HelloWanted(f"There is no session {session_id}, or the database does not have it yet.")
        record.authenticate(key)
        self._live.heard(session_id)
        return record

    async def progress(self, session_id: str, message: str) -> None:
        async with self._store.change(session_id) as draft:
            draft.say(message)

    async def ready(self, record: SessionRecord, ready: AgentReady, *, peer: str | None) -> None:
        """Record that the app listens, so that the Hub's spawner, which waits for the address, continues.

        Raises Forbidden for an address that the agent may not name, and ends the session, since nobody could reach it.
        `peer` is the address of the request; None if a proxy came between.
        """
        if (why := await self._addresses.refusal(record, ready, peer)) is not None:
            log.warning("agent.address_refused", session=record.id, ip=str(ready.ip), port=ready.port, peer=peer)
            if record.server_url is None:
                text = f"The portal does not connect to {ready.ip}, port {ready.port}: {why}."
                await self.ended(record.id, AgentEnded(code="app_failed", text=text))
            raise Forbidden(f"This address is refused: {why}.")
        async with self._store.change(record.id) as draft:
            if draft.record.server_url is None:
                host = f"[{ready.ip}]" if ready.ip.version == 6 else ready.ip
                draft.set(server_url=f"http://{host}:{ready.port}")
                draft.say("The app is up; connecting it to this portal.")
        self._hub.follow(record.id)

    async def report(self, record: SessionRecord, report: AgentReport) -> AgentOrders:
        """Record what the session uses. Raises HelloWanted for a session that the database does not have as ready."""
        if record.server_url is None:
            raise HelloWanted("This session's address is unknown.")
        use = UsageOut(
            at=self._store.now(),
            cpu_percent=report.cpu_percent,
            memory_mib=report.memory_mib,
            gpus=report.gpus,
            memory_kills=report.memory_kills,
            memory_killed_at=report.memory_killed_at,
            activity=report.activity,
            gpu_problems=problems.in_words(report.gpus),
            ports=report.ports or [],
        )
        before = self._live.usage(record.id)
        self._live.note_usage(record.id, use)
        self._sampled(record, use)
        self._store.tell(record)
        if errors := problems.news(before.gpus if before else (), report.gpus):
            # Without an earlier report, the portal has started since: the session's progress has what was reported.
            await self._tell_of(record, errors, told=set() if before else await self._told(record.id))
        return self._orders(record)

    async def _told(self, session_id: str) -> set[str]:
        return {event.message for event in await self._store.events(session_id)}

    async def _tell_of(self, record: SessionRecord, errors: Sequence[tuple[int, int]], *, told: set[str]) -> None:
        """Put new Xid errors into the session's progress, the log and the metrics, except those in `told`."""
        words = {error: problems.in_words([GpuUse(index=error[0], xids=[error[1]])])[0] for error in errors}
        new = {error: text for error, text in words.items() if text not in told}
        async with self._store.change(record.id) as draft:
            for text in new.values():
                draft.say(text)
        for index, xid in new:
            self.xids[record.node or "", xid] += 1
            log.warning("gpu.xid", node=record.node, session=record.id, owner=record.owner, gpu=index, xid=xid)

    async def orders(self, session_id: str) -> AgentOrders:
        """Return the orders once the session is to end or its end has moved, or after a timeout; marks the agent as
        listening.
        """
        orders = before = self._orders(await self._store.get(session_id))
        with (
            self._bus.reader(lambda event: event.session == session_id and event.kind == "session") as reader,
            self._live.listening(session_id),
            contextlib.suppress(TimeoutError),
        ):
            async with asyncio.timeout(ORDERS_WAIT_S):
                while (orders := self._orders(await self._store.get(session_id))) == before and not orders.stop:
                    if await reader.next() is None:
                        break
        return orders

    def _orders(self, record: SessionRecord) -> AgentOrders:
        over = record.state in (SessionState.STOPPING, SessionState.ENDED)
        idle = self._live.idle(record.id)
        return AgentOrders(stop=over, ends_at=record.ends_at, idle_ends_at=idle and idle.ends_at)

    async def ended(self, session_id: str, ended: AgentEnded) -> None:
        """Record how the app ended, and give the allocation back."""
        async with self._store.change(session_id) as draft:
            record = draft.record
            if record.end_code is None:
                code = "slurm_cancelled" if ended.code == "stopped" else ended.code
                full = gpu_memory.ran_out(ended.log_tail, self._watcher.snapshot) if record.gpus else None
                if code == "app_failed" and full is not None:
                    draft.set(end_code="gpu_oom", end_text=full)
                else:
                    text = endings.words(code).text
                    detail = "" if ended.code in SAID_ALREADY else ended.text.strip()
                    draft.set(end_code=code, end_text=f"{text} {detail}".strip() if detail else text)
            exit_code = ended.exit_code if ended.exit_code is not None else _signalled(ended.signal)
            draft.set(exit_code=exit_code, lacks=ended.lacks or None)
            if draft.advance(SessionState.STOPPING, "The app has ended; releasing the resources."):
                draft.set(stopping_at=draft.now)
        # An allocation placed at once outlives its agent. A queued job is ending already; cancelling it is harmless.
        self._tasks.start(record.cancel(self._slurm), name=f"release-{record.id}")
        self._watcher.kick()


def _signalled(signal: int | None) -> int | None:
    """Return the exit code of a shell whose process was ended by a signal."""
    return None if signal is None else 128 + signal
