"""The wiring of sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from portal.auth.people import People
from portal.db.engine import UnitOfWork
from portal.events.bus import Bus
from portal.files.service import FileService
from portal.hub.client import HubClient
from portal.moment import steady
from portal.policy.closures import Closure
from portal.sealing import Seals
from portal.sessions.addresses import AgentAddresses
from portal.sessions.agents import AgentDesk
from portal.sessions.asks import Asks, LimitRules
from portal.sessions.forgotten import Forgotten
from portal.sessions.hub_link import HubLink
from portal.sessions.hub_servers import HubServers
from portal.sessions.last_use import LastUse
from portal.sessions.launch import LaunchBuilder
from portal.sessions.live import LiveSessions
from portal.sessions.lost import LostSteps
from portal.sessions.models import SessionRecord
from portal.sessions.reconciler import Reconciler
from portal.sessions.schemas import SessionOut, UsageOut
from portal.sessions.service import DEFAULT_APP, SessionService
from portal.sessions.store import SessionStore
from portal.sessions.strays import Strays
from portal.sessions.view import Render, render
from portal.settings import Environment, Settings
from portal.slurm.client import SlurmClient
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks


@dataclass(frozen=True)
class SessionRoom:
    store: SessionStore
    asks: Asks
    service: SessionService
    agents: AgentDesk
    reconciler: Reconciler
    hub_servers: HubServers
    last_use: LastUse
    render: Render


def session_room(
    *,
    settings: Settings,
    work: UnitOfWork,
    bus: Bus,
    tasks: Tasks,
    seals: Seals,
    slurm: SlurmClient,
    watcher: Watcher,
    hub: HubClient,
    people: People,
    launch: LaunchBuilder,
    files: FileService,
    environments: Callable[[str], Awaitable[Mapping[str, Environment]]],
    missing: Callable[[str, str, Environment], Awaitable[str | None]],
    unloadable: Callable[[Sequence[str]], Awaitable[str | None]],
    closures: Callable[[], Awaitable[Sequence[Closure]]],
    limits: LimitRules,
    sampled: Callable[[str, UsageOut], None],
    others: Callable[[str], Awaitable[bool]],
    now: Callable[[], datetime],
    steady: Callable[[], datetime] = steady,
) -> SessionRoom:
    """Wire the sessions. The callables are documented where they are used."""
    live = LiveSessions(steady)
    last_use = LastUse(hub, now)

    def shown(record: SessionRecord) -> SessionOut:
        return render(record, settings, watcher.snapshot, live.usage(record.id), last_use.of(record))

    store = SessionStore(work, bus, now, shown)
    link = HubLink(hub, store, tasks)
    strays = Strays(
        store=store,
        slurm=slurm,
        hub=hub,
        snapshot=lambda: watcher.snapshot,
        others=others,
        live=live,
        seals=seals,
        default_app=DEFAULT_APP,
        now=now,
        steady=steady,
    )
    asks = Asks(
        settings=settings,
        store=store,
        watcher=watcher,
        people=people,
        files=files,
        environments=environments,
        missing=missing,
        closures=closures,
        limits=limits,
        now=now,
        unloadable=unloadable,
    )
    service = SessionService(
        settings=settings,
        store=store,
        slurm=slurm,
        watcher=watcher,
        hub=link,
        asks=asks,
        seals=seals,
        live=live,
        tasks=tasks,
        now=now,
    )
    return SessionRoom(
        store=store,
        asks=asks,
        service=service,
        agents=AgentDesk(
            store=store,
            bus=bus,
            slurm=slurm,
            hub=link,
            launch=launch,
            seals=seals,
            sampled=sampled,
            live=live,
            tasks=tasks,
            kick=watcher.kick,
            addresses=AgentAddresses(settings.agent, lambda: watcher.snapshot),
        ),
        reconciler=Reconciler(
            store=store,
            service=service,
            slurm=slurm,
            watcher=watcher,
            live=live,
            lost=LostSteps(
                slurm=slurm,
                live=live,
                report_interval_s=settings.agent.report_interval_s,
                now=steady,
            ),
            forgotten=Forgotten(slurm=slurm, now=steady),
            strays=strays,
            now=now,
        ),
        hub_servers=HubServers(hub=hub, store=store, link=link, may_live=strays.may_live, now=now, steady=steady),
        last_use=last_use,
        render=shown,
    )
