"""Wires the portal's parts. Each folder wires its own; routes get the services they name, never the whole portal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from typing import Any, get_type_hints

from cryptography.fernet import Fernet
from sqlalchemy.ext.asyncio import AsyncEngine

from portal import sealing
from portal.announcements.service import Announcements
from portal.apps.offers import Offers
from portal.apps.own import OwnApps
from portal.audit.service import Audit
from portal.auth.cookies import Cookies
from portal.auth.identity import Identities
from portal.auth.people import People
from portal.base import Base
from portal.cluster.wiring import ClusterServices, wire_cluster
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.directory import Directory, LdapDirectory
from portal.environments.lab_files import LabFiles
from portal.environments.service import EnvironmentService
from portal.events.bus import Bus
from portal.files.folders import Folders
from portal.files.operations import Operations
from portal.files.service import FileService
from portal.files.transfers import Transfers
from portal.files.uploads import Uploads
from portal.gate.service import Gate, the_gate
from portal.health.checks import checks
from portal.health.monitor import Check, Monitor
from portal.health.notifications import check as notifications_check
from portal.health.view import HealthView
from portal.hub.client import HubClient
from portal.hub.directory import HubDirectory
from portal.hub.routes import Routes
from portal.idempotency.service import IdempotencyKeys
from portal.idle.wiring import IdleServices, wire_idle
from portal.images.wiring import ImageServices, wire_images
from portal.jobs.wiring import JobServices, wire_jobs
from portal.limits.directory_cache import DirectoryCache
from portal.limits.people import PeopleLists
from portal.limits.service import LimitService
from portal.loops import Loops
from portal.messages.service import Messages
from portal.metrics import Metrics
from portal.modules.service import ModuleService
from portal.notebooks.copies import OwnCopies
from portal.notebooks.gallery import copies
from portal.notifications.wiring import NotificationServices, wire_notifications
from portal.operate.wiring import OperationServices, wire_operations
from portal.owner_locks import OwnerLocks
from portal.placement.policy_views import PolicyViews
from portal.presets.service import Presets
from portal.retention.service import Retention
from portal.sessions.launch import LaunchBuilder
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import UsageOut
from portal.sessions.wiring import SessionServices, wire_sessions
from portal.settings import Settings
from portal.sharing.logins import Logins as GuestLogins
from portal.sharing.service import Shares
from portal.site.stream import PageStream
from portal.slurm.client import SlurmClient
from portal.slurm.library.client import slurm_client
from portal.slurm.operator import Operator
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks
from portal.usage.wiring import UsageServices, wire_usage

#: Takes an agent's report, without I/O.
Reported = Callable[[SessionRecord, UsageOut], None]


def utcnow() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Portal:
    settings: Settings
    engine: AsyncEngine
    work: UnitOfWork
    bus: Bus
    tasks: Tasks
    loops: Loops
    slurm: SlurmClient
    watcher: Watcher
    hub: HubClient
    routes: Routes
    identities: Identities
    people: People
    cookies: Cookies
    gate: Gate
    audit: Audit
    retention: Retention
    idempotency_keys: IdempotencyKeys
    environments: EnvironmentService
    lab_files: LabFiles
    files: FileService
    folders: Folders
    operations: Operations
    transfers: Transfers
    uploads: Uploads
    modules: ModuleService
    offers: Offers
    own_copies: OwnCopies
    announcements: Announcements
    limits: LimitService
    views: PolicyViews
    people_lists: PeopleLists
    messages: Messages
    presets: Presets
    shares: Shares
    monitor: Monitor
    health: HealthView
    metrics: Metrics
    stream: PageStream
    sessions: SessionServices
    images: ImageServices
    jobs: JobServices
    cluster: ClusterServices
    operate: OperationServices
    usage: UsageServices
    notifications: NotificationServices
    idle: IdleServices

    def services(self) -> dict[Any, Any]:
        """Return every part by its type, including the folders' own."""
        provided: dict[Any, Any] = {}
        groups = (
            self,
            self.sessions,
            self.images,
            self.jobs,
            self.cluster,
            self.operate,
            self.usage,
            self.notifications,
            self.idle,
        )
        for whole in groups:
            types = get_type_hints(type(whole))
            provided |= {types[field.name]: getattr(whole, field.name) for field in fields(whole)}
        return provided

    async def end_streams(self) -> None:
        """End open pages' streams, so that a shutdown does not wait for them; the pages reconnect by themselves."""
        self.bus.close()
        await self.cluster.stream.close()


def build(settings: Settings, directory: Directory | None = None) -> Portal:
    """Wire the portal from its settings, without opening anything yet. `directory`: another than the settings'."""
    secrets = settings.secrets
    cipher = sealing.fernet(secrets.encryption_key)
    engine = make_engine(settings.database_url)
    base = _base(settings, engine)
    work, bus, tasks, slurm, watcher = base.work, base.bus, base.tasks, base.slurm, base.watcher
    audit = Audit(work, utcnow)
    idempotency_keys = IdempotencyKeys(work, utcnow)
    hub = HubClient(settings.hub.api_url, secrets.service_token)
    if directory is None:
        federated = bool(settings.login.authenticator)
        directory = HubDirectory(hub, settings.ldap) if federated else LdapDirectory(settings.ldap)
    people = People(directory)
    environments = EnvironmentService(settings, bus)
    lab_files = LabFiles(settings)
    files, transfers = FileService(slurm.door), Transfers(slurm.door)
    own_apps = OwnApps(settings, files)
    limits, locks = LimitService(work, people.groups, utcnow), OwnerLocks()
    announcements = Announcements(work, bus, lambda: watcher.snapshot, utcnow)
    views = PolicyViews(
        policy=settings.policy,
        watcher=watcher,
        people=people,
        limits=limits,
        closures=announcements.closures,
        now=utcnow,
    )
    modules = ModuleService(settings.modules, utcnow)
    seals = sealing.Seals(secrets.encryption_key)
    usage = wire_usage(base, people.groups, seals.meter_key)
    notifications = wire_notifications(base, people=people, cipher=cipher)
    images = wire_images(base, cipher=cipher, files=files, environments=environments)
    operator = Operator(settings.slurm, slurm.door, slurm.calls)
    reported: list[Reported] = [usage.sampler.note, lambda record, use: notifications.watch.note(record.id, use)]
    sessions = wire_sessions(
        base,
        operator=operator,
        seals=seals,
        hub=hub,
        launch=LaunchBuilder(settings, copies, lambda: lab_files.offer),
        files=files,
        own_apps=own_apps,
        environments=images.environment_list,
        modules=modules,
        views=views,
        locks=locks,
        waits=usage.waits.of,
        sampled=_all(reported),
        changed=notifications.outbox.session_changed,
    )
    idle = wire_idle(base, sessions=sessions, outbox=notifications.outbox, audit=audit, groups=people.groups)
    reported.append(idle.policy.note)
    jobs = wire_jobs(
        base,
        files=files,
        locks=locks,
        views=views,
        meter_key=seals.meter_key,
    )
    presets = Presets(work, settings.presets, utcnow)
    messages = Messages(work, bus, sessions.store, utcnow, notifications.outbox.message)
    identities = Identities(hub)
    cookies = _cookies(settings, cipher)
    cluster = wire_cluster(base)
    loops = Loops(utcnow)
    retention = _retention(base, audit, idempotency_keys, jobs, usage, notifications)
    monitored = checks(
        settings=settings,
        engine=engine,
        directory=directory,
        hub=hub,
        slurm=slurm,
        watcher=watcher,
        people=people,
        registries=images.registries,
        retention=retention,
        now=utcnow,
    )
    monitor = _monitor(monitored, notifications)
    health = HealthView(monitor=monitor, watcher=watcher, timings=slurm.timings, loops=loops, bus=bus)
    operations = Operations(slurm.door, bus, tasks, audit, utcnow)
    return Portal(
        settings=settings,
        engine=engine,
        work=work,
        bus=bus,
        tasks=tasks,
        loops=loops,
        slurm=slurm,
        watcher=watcher,
        hub=hub,
        identities=identities,
        routes=Routes(hub, settings.hub.proxy_api_url, secrets.proxy_token),
        people=people,
        cookies=cookies,
        gate=the_gate(settings, identities, people, cookies),
        audit=audit,
        retention=retention,
        idempotency_keys=idempotency_keys,
        environments=environments,
        lab_files=lab_files,
        files=files,
        folders=Folders(slurm.door, files, settings.mounts),
        operations=operations,
        transfers=transfers,
        uploads=Uploads(slurm.door, transfers, cipher, utcnow),
        modules=modules,
        offers=Offers(settings, images.environment_list, modules.refusal, sessions.store.missed, own_apps.of),
        own_copies=OwnCopies(slurm.door, files),
        announcements=announcements,
        limits=limits,
        views=views,
        people_lists=PeopleLists(DirectoryCache(directory, utcnow), limits, settings.ldap),
        messages=messages,
        presets=presets,
        shares=Shares(
            settings=settings,
            work=work,
            people=people,
            identities=identities,
            audit=audit,
            logins=GuestLogins(cipher),
            now=utcnow,
        ),
        monitor=monitor,
        health=health,
        metrics=_metrics(base, monitor, loops, retention, sessions, cluster, usage, notifications, idle),
        stream=PageStream(bus=bus, watcher=watcher, health=health, jobs=jobs.reconciler, operations=operations),
        sessions=sessions,
        images=images,
        jobs=jobs,
        cluster=cluster,
        operate=wire_operations(base, messages, sessions, operator, views, usage.gpus.troubles_on),
        usage=usage,
        notifications=notifications,
        idle=idle,
    )


def _base(settings: Settings, engine: AsyncEngine) -> Base:
    slurm = slurm_client(settings.slurm)
    return Base(
        settings=settings,
        work=unit_of_work(engine),
        bus=Bus(),
        tasks=Tasks(),
        slurm=slurm,
        watcher=Watcher(slurm, utcnow, settings.slurm),
        now=utcnow,
    )


def _cookies(settings: Settings, cipher: Fernet) -> Cookies:
    return Cookies(
        cipher,
        path=settings.server.prefix,
        secure=settings.server.public_url.startswith("https://"),
        own_host=bool(settings.portal_origin),
        csrf_key=settings.secrets.encryption_key,
    )


def _all(listeners: Sequence[Reported]) -> Reported:
    """Return a function that passes an agent's report to all listeners, including those added later."""

    def note(record: SessionRecord, use: UsageOut) -> None:
        for listener in listeners:
            listener(record, use)

    return note


def _retention(
    base: Base,
    audit: Audit,
    keys: IdempotencyKeys,
    jobs: JobServices,
    usage: UsageServices,
    notifications: NotificationServices,
) -> Retention:
    forget: dict[str, Callable[[int], Awaitable[int]]] = {
        "keys": keys.forget,
        "jobs": jobs.reconciler.forget,
        "usage_jobs": usage.reader.forget,
        "notifications": partial(notifications.outbox.forget, base.settings.retention.notifications_days),
    }
    return Retention(base.work, audit, forget, base.now, base.settings.retention)


def _monitor(monitored: Sequence[Check], notifications: NotificationServices) -> Monitor:
    mail = notifications_check(notifications.outbox, notifications.mail, notifications.webhooks)
    return Monitor([*monitored, mail], utcnow)


def _metrics(
    base: Base,
    monitor: Monitor,
    loops: Loops,
    retention: Retention,
    sessions: SessionServices,
    cluster: ClusterServices,
    usage: UsageServices,
    notifications: NotificationServices,
    idle: IdleServices,
) -> Metrics:
    return Metrics(
        sessions=sessions.store,
        monitor=monitor,
        bus=base.bus,
        loops=loops,
        retention=retention,
        history=cluster.history,
        watcher=base.watcher,
        timings=base.slurm.timings,
        outbox=notifications.outbox,
        idle=idle.policy,
        agents=sessions.agents,
        gpus=usage.gpus,
        gpu_labels=base.settings.usage.gpu_metrics,
    )
