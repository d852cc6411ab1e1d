"""The one event stream that a user's pages follow: sessions, jobs, what is free, the state of Slurm and the portal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Literal

from portal.auth.dependencies import User
from portal.cluster.shown import slurm_out
from portal.events import sse
from portal.events.bus import Bus, Event
from portal.files.operations import Operations
from portal.health.view import KIND, MISSING, HealthView
from portal.jobs.reconciler import JobReconciler
from portal.slurm.watcher import Watcher

Also = Literal["sessions", "queue", "nodes", "health"]
#: Events that only administrators' pages ask for.
ADMINISTRATORS = frozenset({"queue", "nodes", KIND})


class PageStream:
    def __init__(
        self, *, bus: Bus, watcher: Watcher, health: HealthView, jobs: JobReconciler, operations: Operations
    ) -> None:
        self._bus = bus
        self._watcher = watcher
        self._health = health
        self._jobs = jobs
        self._operations = operations

    async def follow(self, user: User, also: frozenset[str], after: str = "") -> AsyncIterator[str]:
        """Yield what the user's pages show; `also` is for administrators, `after` the last event received."""

        def wants(event: Event) -> bool:
            if event.kind in ADMINISTRATORS:
                return event.kind in also
            if event.kind == "session" and "sessions" in also:
                return True
            return event.kind != "progress" and event.owner in (None, user.username)

        def shown(event: Event) -> Iterator[Event]:
            if event.owner in (None, user.username):
                yield event
            if event.kind == "session" and "sessions" in also:
                yield replace(event, kind="anyones")

        with self._bus.reader(wants) as reader:
            # What came before this reader and is not in its queue: read it before anything is sent.
            missed = self._bus.since(after, wants) if after else None
            news, here = missed if missed is not None else self._recent(user, wants), self._bus.position
            if after and missed is None:
                yield sse.encode(Event("reset", "{}"))
            for event in news:
                for shown_event in shown(replace(event, position=None)):
                    yield sse.encode(shown_event)
            yield sse.encode(Event("site", slurm_out(self._watcher.snapshot).model_dump_json()))
            yield sse.encode(Event(MISSING, self._health.missing().model_dump_json()))
            yield sse.encode(Event("here", "{}", position=here))
            async for frame in sse.frames_of(reader, shown):
                yield frame

    def _recent(self, user: User, wants: Callable[[Event], bool]) -> list[Event]:
        """Return the latest event about each thing that has changed within the last minute."""
        jobs = self._jobs.latest(user.username)
        operations = self._operations.recent(user.username)
        return [*([jobs] if jobs is not None else []), *operations, *self._bus.recent(wants)]
