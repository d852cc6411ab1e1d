"""The portal's parts, wired once: what routes and background tasks share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from portal.announcements.service import Announcements
from portal.apps.launch import LaunchBuilder
from portal.audit.service import Audit
from portal.auth.cookies import Cookies
from portal.auth.identity import Identities
from portal.auth.people import People
from portal.cluster.feed import Feed
from portal.cluster.history import History
from portal.cluster.queue import Queue
from portal.cluster.shown import Announcer
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.directory import Directory, LdapDirectory
from portal.environments.service import EnvironmentService
from portal.events.bus import Bus
from portal.files.service import FileService
from portal.health.checks import checks
from portal.health.monitor import Monitor
from portal.hub.client import HubClient
from portal.hub.directory import HubDirectory
from portal.images.keys import Keys
from portal.images.pulls import Pulls
from portal.images.service import ImageService
from portal.images.shelf import Shelf
from portal.images.store import ImageStore
from portal.jobs.room import JobRoom, job_room
from portal.limits.people import PeopleLists
from portal.limits.roster import Roster
from portal.limits.service import LimitService
from portal.messages.service import Messages
from portal.modules.service import ModuleService
from portal.notebooks.mine import OwnCopies
from portal.operate.news import News
from portal.operate.node_history import NodeHistory
from portal.operate.service import Operations
from portal.operate.sessions import SessionOperations
from portal.sessions import sealing
from portal.sessions.agents import AgentDesk
from portal.sessions.asks import Asks
from portal.sessions.hub_link import HubLink
from portal.sessions.last_use import LastUse
from portal.sessions.lost import LostSteps
from portal.sessions.models import SessionRecord
from portal.sessions.pulse import Pulse
from portal.sessions.reconciler import Reconciler
from portal.sessions.schemas import SessionOut, UsageOut
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.view import render
from portal.settings import Settings
from portal.slurm.client import SlurmClient
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import Door
from portal.slurm.operator import Operator
from portal.slurm.timing import Timings
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks
from portal.usage.room import UsageRoom, usage_room

OAUTH_CLIENT_ID = "service-portal"


def utcnow() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Portal:
    settings: Settings
    engine: AsyncEngine
    work: UnitOfWork
    bus: Bus
    tasks: Tasks
    slurm: SlurmClient
    watcher: Watcher
    hub: HubClient
    identities: Identities
    people: People
    cookies: Cookies
    audit: Audit
    store: SessionStore
    asks: Asks
    sessions: SessionService
    agents: AgentDesk
    reconciler: Reconciler
    environments: EnvironmentService
    files: FileService
    jobs: JobRoom
    modules: ModuleService
    own_copies: OwnCopies
    images: ImageService
    keys: Keys
    pulls: Pulls
    shelf: Shelf
    announcer: Announcer
    announcements: Announcements
    limits: LimitService
    people_lists: PeopleLists
    feed: Feed
    queue: Queue
    history: History
    messages: Messages
    operations: Operations
    operate_sessions: SessionOperations
    last_use: LastUse
    news: News
    monitor: Monitor
    timings: Timings
    node_history: NodeHistory
    usage: dict[str, UsageOut]
    usage_room: UsageRoom

    def render(self, record: SessionRecord) -> SessionOut:
        return render(record, self.settings, self.watcher.picture, self.usage.get(record.id), self.last_use.of(record))

    async def end_streams(self) -> None:
        """End what open pages follow, so that a shutdown does not wait for them; they come back by themselves."""
        self.bus.close()
        await self.feed.close()


def build(settings: Settings) -> Portal:
    """Wire the portal from its settings; opens nothing yet."""
    secrets = settings.secrets
    cipher = sealing.fernet(secrets.encryption_key)
    engine = make_engine(settings.database_url)
    work = unit_of_work(engine)
    bus, tasks = Bus(), Tasks()
    slurm = SlurmCommands(settings.slurm)
    watcher = Watcher(slurm, utcnow, settings.slurm)
    hub = HubClient(settings.hub.api_url, secrets.service_token)
    federated = bool(settings.login.authenticator)
    directory: Directory = HubDirectory(hub, settings.ldap) if federated else LdapDirectory(settings.ldap)
    people = People(directory)
    environments = EnvironmentService(settings, bus)
    door = Door(settings.slurm.door, timeout_s=settings.slurm.timeout_s)
    files = FileService(door)
    limits = LimitService(work, utcnow)
    announcements = Announcements(work, bus, lambda: watcher.picture, utcnow)
    usage: dict[str, UsageOut] = {}
    used = usage_room(settings=settings, work=work, slurm=slurm, watcher=watcher, groups=people.groups, now=utcnow)
    pulse = Pulse(utcnow)
    lost = LostSteps(
        slurm=slurm, turn=watcher.turn, pulse=pulse, report_interval_s=settings.agent.report_interval_s, now=utcnow
    )
    last_use = LastUse(hub, utcnow)
    listening: set[str] = set()  # sessions whose agent hears of a stop at once

    def shown(record: SessionRecord) -> SessionOut:
        return render(record, settings, watcher.picture, usage.get(record.id), last_use.of(record))

    history = History(work, utcnow, settings.cluster.history_days)
    store = SessionStore(work, bus, utcnow, shown)
    link = HubLink(hub, store, tasks)
    modules = ModuleService(settings.modules, utcnow)
    messages = Messages(work, bus, store, utcnow)
    keys = Keys(work, cipher, settings.ngc, utcnow)
    image_store = ImageStore(work, bus, utcnow)
    pulls = Pulls(settings=settings, store=image_store, files=files, keys=keys, slurm=slurm, watcher=watcher)
    images = ImageService(settings, image_store, files, pulls)
    shelf = Shelf(settings, environments, images)
    asks = Asks(
        settings=settings,
        store=store,
        watcher=watcher,
        people=people,
        files=files,
        environments=shelf.of,
        missing=shelf.missing,
        closures=announcements.closures,
        limits=limits,
        now=utcnow,
        unloadable=modules.refusal,
    )
    sessions = SessionService(
        settings=settings,
        store=store,
        slurm=slurm,
        watcher=watcher,
        hub=link,
        asks=asks,
        cipher=cipher,
        listening=listening,
        tasks=tasks,
        now=utcnow,
    )
    operations = Operations(Operator(settings.slurm, slurm.calls), watcher, messages, store)
    return Portal(
        settings=settings,
        engine=engine,
        work=work,
        bus=bus,
        tasks=tasks,
        slurm=slurm,
        watcher=watcher,
        hub=hub,
        identities=Identities(hub),
        people=people,
        cookies=Cookies(
            cipher,
            path=settings.server.prefix,
            secure=settings.server.public_url.startswith("https://"),
            csrf_key=secrets.encryption_key,
        ),
        audit=Audit(work, utcnow),
        store=store,
        asks=asks,
        sessions=sessions,
        agents=AgentDesk(
            store=store,
            bus=bus,
            slurm=slurm,
            hub=link,
            launch=LaunchBuilder(settings),
            cipher=cipher,
            usage=usage,
            sampled=used.sampler.note,
            listening=listening,
            pulse=pulse,
            tasks=tasks,
            kick=watcher.kick,
        ),
        reconciler=Reconciler(
            store=store,
            service=sessions,
            slurm=slurm,
            watcher=watcher,
            hub=link,
            usage=usage,
            pulse=pulse,
            lost=lost,
            others=pulls.is_under_way,
            now=utcnow,
        ),
        environments=environments,
        files=files,
        jobs=job_room(
            settings=settings,
            work=work,
            bus=bus,
            slurm=slurm,
            watcher=watcher,
            files=files,
            view=asks.user_view,
            cluster=asks.cluster,
            tasks=tasks,
            now=utcnow,
        ),
        modules=modules,
        own_copies=OwnCopies(door, files),
        images=images,
        keys=keys,
        pulls=pulls,
        shelf=shelf,
        announcer=Announcer(watcher, bus),
        announcements=announcements,
        limits=limits,
        people_lists=PeopleLists(Roster(directory, utcnow), limits, settings.ldap),
        feed=Feed(watcher, history, settings.cluster),
        queue=Queue(),
        history=history,
        messages=messages,
        operations=operations,
        operate_sessions=SessionOperations(
            operations=operations,
            store=store,
            service=sessions,
            asks=asks,
            messages=messages,
            watcher=watcher,
            policy=settings.policy,
            now=utcnow,
        ),
        last_use=last_use,
        news=News(watcher, bus),
        monitor=Monitor(
            checks(
                settings=settings,
                engine=engine,
                directory=directory,
                hub=hub,
                slurm=slurm,
                watcher=watcher,
                now=utcnow,
            ),
            utcnow,
        ),
        timings=slurm.timings,
        node_history=NodeHistory(work, watcher, utcnow, settings.cluster.node_history_days),
        usage=usage,
        usage_room=used,
    )
