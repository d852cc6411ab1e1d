"""The wiring of sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from portal.apps.own import OwnApps
from portal.base import Base
from portal.environments.of_user import UserEnvironments
from portal.files.service import FileService
from portal.hub.client import HubClient
from portal.modules.service import ModuleService
from portal.moment import steady
from portal.owner_locks import OwnerLocks
from portal.placement.policy_views import PolicyViews
from portal.placement.waits import PastJob
from portal.sealing import Seals
from portal.sessions.addresses import AgentAddresses
from portal.sessions.agents import AgentService
from portal.sessions.change_settlement import ChangeSettlement
from portal.sessions.change_steps import ChangeSteps
from portal.sessions.changes import Changes
from portal.sessions.choices import Choices
from portal.sessions.hub_link import HubLink
from portal.sessions.hub_servers import HubServers
from portal.sessions.last_use import LastUse
from portal.sessions.late_endings import LateEndings
from portal.sessions.launch import LaunchBuilder
from portal.sessions.live import LiveSessions
from portal.sessions.lost import LostSteps
from portal.sessions.models import SessionRecord
from portal.sessions.own_time import OwnTime
from portal.sessions.reconciler import Reconciler
from portal.sessions.requests import SessionRequests
from portal.sessions.schemas import SessionOut, UsageOut
from portal.sessions.service import DEFAULT_APP, SessionService
from portal.sessions.store import Changed, SessionStore
from portal.sessions.strays import Strays
from portal.sessions.time_limits import TimeLimits
from portal.sessions.view import Render, render
from portal.slurm.operator import Operator


@dataclass(frozen=True)
class SessionServices:
    seals: Seals
    live: LiveSessions
    store: SessionStore
    limits: TimeLimits
    own_time: OwnTime
    changes: Changes
    change_steps: ChangeSteps
    choices: Choices
    requests: SessionRequests
    service: SessionService
    agents: AgentService
    reconciler: Reconciler
    hub_servers: HubServers
    last_use: LastUse
    render: Render


def wire_sessions(
    base: Base,
    *,
    operator: Operator,
    seals: Seals,
    hub: HubClient,
    launch: LaunchBuilder,
    files: FileService,
    own_apps: OwnApps,
    environments: UserEnvironments,
    modules: ModuleService,
    views: PolicyViews,
    locks: OwnerLocks,
    sampled: Callable[[SessionRecord, UsageOut], None],
    waits: Callable[[str], Awaitable[Sequence[PastJob]]],
    changed: Changed,
    steady: Callable[[], datetime] = steady,
) -> SessionServices:
    """Wire the sessions. The callables are documented where they are used."""
    settings, slurm, watcher, tasks, now = base.settings, base.slurm, base.watcher, base.tasks, base.now
    live = LiveSessions(steady)
    last_use = LastUse(hub, now)

    def shown(record: SessionRecord) -> SessionOut:
        return render(
            record, settings, watcher.snapshot, live.usage(record.id), last_use.of(record), live.idle(record.id)
        )

    store = SessionStore(base.work, base.bus, now, shown, changed)
    link = HubLink(hub, store, tasks)
    strays = Strays(
        work=base.work,
        store=store,
        slurm=slurm,
        hub=hub,
        snapshot=lambda: watcher.snapshot,
        live=live,
        seals=seals,
        default_app=DEFAULT_APP,
        now=now,
        steady=steady,
    )
    choices = Choices(
        settings=settings,
        files=files,
        own_apps=own_apps,
        environments=environments,
        modules=modules,
        active=store.active,
        missed=store.missed,
    )
    requests = SessionRequests(
        policy=settings.policy, watcher=watcher, views=views, choices=choices, waits=waits, now=now
    )
    service = SessionService(
        settings=settings,
        store=store,
        slurm=slurm,
        watcher=watcher,
        hub=link,
        requests=requests,
        seals=seals,
        live=live,
        tasks=tasks,
        locks=locks,
        now=now,
    )
    limits = TimeLimits(store)
    steps = ChangeSteps(store=store, slurm=slurm, watcher=watcher, seals=seals, node_url=settings.node_url)
    changes = Changes(store=store, requests=requests, watcher=watcher, locks=locks, steps=steps, now=now)
    return SessionServices(
        seals=seals,
        live=live,
        store=store,
        limits=limits,
        own_time=OwnTime(
            store=store,
            views=views,
            limits=limits,
            locks=locks,
            operator=operator,
            watcher=watcher,
            policy=settings.policy,
            now=now,
        ),
        changes=changes,
        change_steps=steps,
        choices=choices,
        requests=requests,
        service=service,
        agents=AgentService(
            store=store,
            bus=base.bus,
            slurm=slurm,
            hub=link,
            launch=launch,
            seals=seals,
            sampled=sampled,
            live=live,
            tasks=tasks,
            watcher=watcher,
            addresses=AgentAddresses(settings.agent, lambda: watcher.snapshot),
            may_ssh=views.may_ssh,
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
            forgotten=LateEndings(slurm=slurm, now=steady),
            strays=strays,
            changes=ChangeSettlement(store=store, slurm=slurm, watcher=watcher, steps=steps),
            now=now,
        ),
        hub_servers=HubServers(hub=hub, store=store, link=link, may_live=strays.may_live, now=now, steady=steady),
        last_use=last_use,
        render=shown,
    )
