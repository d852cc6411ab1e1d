"""The portal's health as text: for load balancers (/healthz), for administrators, and as events for open pages."""

from __future__ import annotations

from datetime import datetime

from portal.events.bus import Bus, Event
from portal.health import background
from portal.health.monitor import Monitor, State
from portal.health.schemas import CallsOut, Health, HealthOut, Missing, MissingOut, PartOut
from portal.loops import Loops
from portal.slurm.timing import Timings
from portal.slurm.watcher import Watcher

#: Only administrators' pages that ask for it get events of this kind (portal/site/stream.py).
KIND = "health"
MISSING = "missing"

#: What users miss while a part is down.
WITHOUT = {
    "database": "The portal's database accepts no changes: nothing can be started or stopped now.",
    "directory": "The directory does not answer: nobody new can log in, and permissions are as last known.",
    "door": "The portal cannot act for users: nothing can be started, stopped or submitted, and no files can be read."
    " What runs keeps running.",
    "hub": "JupyterHub does not answer: nothing can be started or newly opened. What is open keeps working.",
    "slurmdbd": "Slurm's accounting does not answer: job results, accounts and usage arrive late. Jobs continue.",
}


class HealthView:
    def __init__(self, *, monitor: Monitor, watcher: Watcher, timings: Timings, loops: Loops, bus: Bus) -> None:
        self._monitor = monitor
        self._watcher = watcher
        self._timings = timings
        self._loops = loops
        self._bus = bus

    def brief(self) -> Health:
        """Return the answer for load balancers, from the last round: it checks nothing itself."""
        database = self._monitor.part("database").state is not State.DOWN
        return Health(
            ok=database,
            database=database,
            hub=self._monitor.part("hub").state is State.OK,
            slurm=self._watcher.snapshot.state.value,
        )

    def full(self) -> HealthOut:
        calls = [CallsOut.model_validate(recent) for recent in self._timings.recent()]
        snapshot, now = self._watcher.snapshot, self._monitor.now()
        return HealthOut(
            at=now,
            started_at=self._monitor.started_at,
            parts=[
                PartOut.model_validate(part) for part in (*self._monitor.parts, background.part(self._loops.all, now))
            ],
            calls_per_minute=round(sum(call.per_minute for call in calls), 1),
            calls=calls,
            readers=self._bus.readers,
            queue_as_of=snapshot.jobs_as_of,
            nodes_as_of=snapshot.nodes_as_of,
        )

    def missing(self) -> MissingOut:
        """Return what does not work for users because a part is down. The site's state covers Slurm itself."""
        down = (part for part in self._monitor.parts if part.state is State.DOWN and part.name in WITHOUT)
        return MissingOut(items=[Missing(part=part.name, text=WITHOUT[part.name], since=part.since) for part in down])

    def since(self, name: str, seen_at: datetime) -> datetime:
        """Return since when a part found down at `seen_at` has been away, as the banner above every page shows it."""
        part = self._monitor.part(name)
        return part.since if part.state is State.DOWN and part.since is not None else seen_at


class HealthPublisher:
    """Pushes each round's results to open pages: all of them to administrators, the failures to everybody."""

    def __init__(self, view: HealthView, bus: Bus) -> None:
        self._view = view
        self._bus = bus
        self._told = view.missing()

    def __call__(self) -> None:
        self._bus.publish(Event(KIND, self._view.full().model_dump_json(), about=""))
        now = self._view.missing()
        if now != self._told:
            self._told = now
            self._bus.publish(Event(MISSING, now.model_dump_json()))
