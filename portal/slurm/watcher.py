"""The one reader of Slurm: takes snapshots of queue, nodes and partitions for everybody.

How often Slurm is asked depends on the settings alone, never on the number of users, sessions or pages. Events here (a
start, a stop, a drained node) bring readings forward, within the client's budget.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from portal.errors import SlurmUnavailable
from portal.loops import resting, turn
from portal.moment import Steps
from portal.settings import Slurm
from portal.slurm.client import SlurmClient
from portal.slurm.followups import FollowUps, moved
from portal.slurm.snapshot import Reach, Snapshot

log = structlog.get_logger(__name__)

#: Accounts and the version change only when an administrator acts, so they are read less often than partitions, by this
#: factor.
RARELY = 5
#: A submitted job starts within about this time, so another reading follows a kicked one.
FOLLOW_UP_S = 1.0
#: Reading the queue takes at most this share of the time, however long the queue is.
MOST_OF_THE_TIME = 1 / 5
#: Details of all jobs are a large answer, so they are read no more often than this.
PLACES_GAP_S = 20.0
#: Fair share and waiting time change slowly.
PRIORITIES_GAP_S = 60.0
ON_REQUEST = frozenset({"places", "priorities"})
#: After jobs of others have started or ended, nodes are read after this share of their interval.
SOONER = 1 / 3
FIRST_LOOK_S = 10.0
UNREADABLE = "The portal could not read Slurm's answer."


@dataclass(slots=True)
class _Part:
    """One part of the snapshot: how to read it, how often, and when next (on the event loop's clock)."""

    name: str
    read: Callable[[], Awaitable[dict[str, Any]]]
    interval_s: float
    retry_s: float
    due: float = 0.0
    began: float = 0.0
    """When its last reading began, on the same clock."""
    asked: bool = False
    """Read only on request; `due` is then the earliest time."""


class Watcher:
    """Keeps `snapshot` current while `run` runs; on failure the last snapshot stays, marked `down`.

    Each part's `…_as_of` is the time its reading started: everything that happened in Slurm before is in it.
    """

    def __init__(self, client: SlurmClient, clock: Callable[[], datetime], settings: Slurm) -> None:
        self._client = client
        self._clock = clock
        self._steps = Steps(clock)
        self._jobs_interval_s = settings.jobs_interval_s
        self._min_gap_s = settings.min_gap_s
        often, rarely = settings.partitions_interval_s, settings.partitions_interval_s * RARELY
        self._parts = (
            _Part("nodes", self._nodes, settings.nodes_interval_s, settings.nodes_interval_s),
            _Part("partitions", self._partitions, often, often),
            _Part("reservations", self._reservations, often, often),
            _Part("version", self._version, rarely, often),
            _Part("associations", self._associations, rarely, often),
            _Part("places", self._places, PLACES_GAP_S, PLACES_GAP_S, asked=True),
            _Part("priorities", self._priorities, PRIORITIES_GAP_S, PRIORITIES_GAP_S, asked=True),
        )
        self._rest = asyncio.Event()
        self._wanted: set[str] = set()
        self._snapshot = Snapshot()
        self._changed = asyncio.Condition()
        self._kicked = asyncio.Event()
        self._hurried = False
        self._moved: datetime | None = None
        """When a reading last showed a job that had got or left nodes."""
        self.calls: Counter[str] = Counter()
        """Readings started, by part."""

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    async def subscribe(self, after: int = 0) -> AsyncIterator[Snapshot]:
        """Yield the current snapshot if its serial is above `after`, then every newer one.

        A slow reader skips snapshots and never holds up the others.
        """
        while True:
            with resting():
                snapshot = await self.newer(after)
            after = snapshot.serial
            yield snapshot

    async def follow(self, act: Callable[[Snapshot], Awaitable[None]], *, failure: str) -> None:
        """Call `act` with every new snapshot, forever, while Slurm answers; log an error as `failure`."""
        async for snapshot in self.subscribe():
            if snapshot.state is Reach.UP:
                with turn(failure, serial=snapshot.serial):
                    await act(snapshot)

    async def newer(self, after: int) -> Snapshot:
        """Wait for a snapshot whose serial is above `after`."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._snapshot.serial > after)
            return self._snapshot

    async def first_look(self) -> Snapshot:
        """Return the snapshot once it includes the cluster, so that a portal that has just started can read it.

        Returns without it if Slurm is down, or after FIRST_LOOK_S.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_LOOK_S):
                while self._snapshot.state is not Reach.DOWN and not self._snapshot.knows_the_cluster:
                    await self.newer(self._snapshot.serial)
        return self._snapshot

    def kick(self, part: str = "jobs") -> None:
        """Request a fresh reading soon: of the queue, or of `nodes`, `partitions`, `places`, `reservations`.

        Many kicks make one reading; min_gap_s and the budget still apply.
        """
        if part == "jobs":
            self._hurried = True
            self._kicked.set()
        else:
            self._wanted.add(part)
            self._rest.set()

    def kick_again(self) -> None:
        """Request another reading of the queue, FOLLOW_UP_S after the last one: a change is on its way."""
        self._kicked.set()

    async def reread(self, name: str) -> None:
        """Read one part now, out of schedule: an administrator has just changed it, or an act depends on it."""
        with self._client.budget.at_once():
            await self._read_part(next(part for part in self._parts if part.name == name))

    async def run(self) -> None:
        """Read forever; ends only when cancelled. A part that hangs does not hold up the queue."""
        with resting():
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow_queue())
                tasks.create_task(self._follow_rest())

    async def _follow_queue(self) -> None:
        loop, follow_ups, budget = asyncio.get_running_loop(), FollowUps(), self._client.budget
        while True:
            async with budget.reading():  # here, since times count from the moment that Slurm is asked
                began, was = loop.time(), self._snapshot.jobs
                if self._kicked.is_set():
                    follow_ups.begin()
                self._kicked.clear()
                self._hurried = False
                await self._read_queue()
            took = loop.time() - began
            answered = self._snapshot.state is Reach.UP  # waiting in vain was no work for Slurm
            pause = max(self._jobs_interval_s, took / MOST_OF_THE_TIME) if answered else took + self._jobs_interval_s
            if moved(was, self._snapshot.jobs):
                self._moved = self._snapshot.jobs_as_of
            if self._nodes_are_older_than(self._moved):  # they have other free resources now
                self._want_nodes(at_once=follow_ups.active)
            if follow_ups.wanted(was, self._snapshot.jobs) and budget.saved >= 1:
                pause = min(pause, FOLLOW_UP_S)
            with resting(), contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(began + pause):
                    await self._kicked.wait()
                    gap_s = self._min_gap_s if self._hurried else FOLLOW_UP_S
                    await asyncio.sleep(began + gap_s - loop.time())

    def _want_nodes(self, *, at_once: bool) -> None:
        nodes = self._parts[0]
        if at_once:
            self.kick("nodes")
        elif (due := nodes.began + nodes.interval_s * SOONER) < nodes.due:
            nodes.due = due
            self._rest.set()

    def _nodes_are_older_than(self, moment: datetime | None) -> bool:
        as_of = self._snapshot.nodes_as_of
        return moment is not None and (as_of is None or as_of < moment)

    async def _follow_rest(self) -> None:
        """Read the parts that are due, one by one. While the queue is out of reach, these would only wait as well."""
        loop = asyncio.get_running_loop()
        while True:
            if self._snapshot.state is not Reach.UP:
                with resting():
                    await self.newer(self._snapshot.serial)
                continue
            self._rest.clear()
            self._take_wishes(loop.time())
            part = min((part for part in self._parts if not part.asked), key=lambda part: part.due)
            if part.due > loop.time():
                with resting(), contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(part.due):
                        await self._rest.wait()
                continue
            async with self._client.budget.reading():
                part.began = loop.time()
                read = await self._read_part(part)
            part.due = part.began + (part.interval_s if read else part.retry_s)

    def _take_wishes(self, now: float) -> None:
        """Make requested parts due: at once, or once their own gap has passed."""
        for part in self._parts:
            if part.name in self._wanted:
                self._wanted.discard(part.name)
                if part.name not in ON_REQUEST:
                    part.due = min(part.due, now)
                part.asked = False

    async def _read_queue(self) -> None:
        began = self._clock()
        self.calls["jobs"] += 1
        try:
            jobs = {job.id: job for job in await self._client.jobs()}
        except SlurmUnavailable as error:
            await self._down(error.message)
        except Exception:
            log.exception("slurm.watcher.failed", part="jobs")
            await self._down(UNREADABLE)
        else:
            was = self._snapshot
            up: dict[str, Any] = {}
            if was.state is not Reach.UP:
                log.info("slurm.up", was=was.state.value)
                up = {"state": Reach.UP, "since": began, "message": None}
            same = jobs == was.jobs  # quick: unchanged jobs are the same values
            await self._show(jobs=was.jobs if same else jobs, jobs_as_of=began, **up)

    async def _down(self, message: str) -> None:
        was = self._snapshot
        if was.state is Reach.DOWN and was.message == message:
            return
        log.warning("slurm.down", message=message)
        await self._show(
            state=Reach.DOWN, since=was.since if was.state is Reach.DOWN else self._clock(), message=message
        )

    async def _read_part(self, part: _Part) -> bool:
        began = self._clock()
        self.calls[part.name] += 1
        try:
            news = await part.read()
        except SlurmUnavailable as error:
            log.warning("slurm.unavailable", part=part.name, message=error.message)
            return False
        except Exception:
            log.exception("slurm.watcher.failed", part=part.name)
            return False
        as_of = {} if part.name == "version" else {f"{part.name}_as_of": began}
        part.asked = part.name in ON_REQUEST
        await self._show(**news, **as_of)
        return True

    async def _show(self, **news: Any) -> None:
        async with self._changed:
            set_lately = self._steps.lately()
            self._snapshot = replace(self._snapshot, serial=self._snapshot.serial + 1, clock_set=set_lately, **news)
            self._changed.notify_all()

    async def _nodes(self) -> dict[str, Any]:
        nodes = tuple(await self._client.nodes())
        if any(job.state.waits for job in self._snapshot.jobs.values()):
            self.kick("priorities")
        if self._snapshot.reservations or any(node.in_reservation for node in nodes):
            self.kick("reservations")  # the nodes do not say until when, and for whom
        return {"nodes": nodes}

    async def _partitions(self) -> dict[str, Any]:
        partitions = tuple(await self._client.partitions())
        if not self._snapshot.licenses:
            return {"partitions": partitions}
        return {"partitions": partitions, "licenses": tuple(await self._client.licenses())}

    async def _associations(self) -> dict[str, Any]:
        return {"associations": tuple(await self._client.associations()), "wckeys": await self._client.wckeys()}

    async def _version(self) -> dict[str, Any]:
        """Read what seldom changes, and whether there are licences: a cluster without is not asked more often."""
        version = await self._client.version()
        licenses = tuple(await self._client.licenses())
        return {"version": version, "private": await self._client.private(), "licenses": licenses}

    async def _reservations(self) -> dict[str, Any]:
        return {"reservations": tuple(await self._client.reservations())}

    async def _places(self) -> dict[str, Any]:
        return {"places": await self._client.places()}

    async def _priorities(self) -> dict[str, Any]:
        return {"priorities": await self._client.priorities()}
