"""The portal's health in words: for load balancers (/healthz), for administrators, and as news for their open pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from portal.events.bus import Event
from portal.health import background
from portal.health.monitor import State
from portal.health.schemas import CallsOut, Health, HealthOut, Missing, MissingOut, PartOut

if TYPE_CHECKING:
    from portal.context import Portal

#: Only administrators' pages that ask for it hear news of this kind (portal/cluster/endpoints.py).
KIND = "health"
MISSING = "missing"

#: What users miss while a part is down.
WITHOUT = {
    "database": "The portal's database takes no changes: starting and stopping wait.",
    "directory": "The directory does not answer: nobody new can log in, and rights are as they were last known.",
    "hub": "JupyterHub does not answer: nothing can be started or opened anew. What is open goes on.",
    "slurmdbd": "Slurm's accounting does not answer: how jobs ended, accounts and usage come late. Jobs go on.",
}


def brief(portal: Portal) -> Health:
    """Return what load balancers ask for. Nothing is asked for it: it says what was last seen."""
    database = portal.monitor.part("database").state is not State.DOWN
    return Health(
        ok=database,
        database=database,
        hub=portal.monitor.part("hub").state is State.OK,
        slurm=portal.watcher.picture.state.value,
    )


def full(portal: Portal) -> HealthOut:
    calls = [CallsOut.model_validate(one) for one in portal.timings.recent()]
    picture = portal.watcher.picture
    return HealthOut(
        at=portal.monitor.now(),
        started_at=portal.monitor.started_at,
        parts=[
            PartOut.model_validate(one)
            for one in (*portal.monitor.parts, background.part(portal.loops.all, portal.monitor.now()))
        ],
        calls_per_minute=round(sum(one.per_minute for one in calls), 1),
        calls=calls,
        readers=portal.bus.readers,
        queue_as_of=picture.jobs_as_of,
        nodes_as_of=picture.nodes_as_of,
    )


def missing(portal: Portal) -> MissingOut:
    """Return what does not work for users because a part is down. Slurm itself is told with the site's state."""
    down = (part for part in portal.monitor.parts if part.state is State.DOWN)
    return MissingOut(
        items=[
            Missing(part=part.name, text=WITHOUT[part.name], since=part.since) for part in down if part.name in WITHOUT
        ]
    )


def since(portal: Portal, name: str, seen_at: datetime) -> datetime:
    """Return since when a part is away that was found so at `seen_at`: as the banner above every page says it."""
    part = portal.monitor.part(name)
    return part.since if part.state is State.DOWN and part.since is not None else seen_at


class Teller:
    """Tells open pages what each round has found: administrators all of it, everybody what is missing."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._told = missing(portal)

    def __call__(self) -> None:
        self._portal.bus.publish(Event(KIND, full(self._portal).model_dump_json()))
        now = missing(self._portal)
        if now != self._told:
            self._told = now
            self._portal.bus.publish(Event(MISSING, now.model_dump_json()))
