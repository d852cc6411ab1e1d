"""HTTP routes for the site: its facts, the options of a new session, and the one event stream that its pages follow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Header, Query
from starlette.responses import StreamingResponse

from portal import __version__
from portal.apps.catalogue import Catalogue
from portal.apps.own import GROUP, OwnApp
from portal.auth.dependencies import CurrentUser
from portal.cluster.shown import accounts_of, availability, slurm_out
from portal.errors import Forbidden
from portal.events import sse
from portal.health.dependencies import Health
from portal.images.dependencies import EnvironmentChoices
from portal.placement.dependencies import Views
from portal.placement.reserved import open_to
from portal.policy.limits import limits_for
from portal.policy.request import ResourceRequest
from portal.policy.resolve import consider, refusal
from portal.policy.view import ClusterView, UserView
from portal.provided import provided
from portal.routing import Router
from portal.sessions.choices import as_the_app_wants
from portal.sessions.dependencies import SessionChoices
from portal.settings import App, Settings
from portal.settings.apps import OWN_PREFIX
from portal.settings.dependencies import SiteSettings
from portal.site.schemas import (
    AppOptionOut,
    AppOut,
    DefaultsOut,
    EnvironmentBrief,
    LicenseOut,
    MountOut,
    OptionsOut,
    PolicyOut,
    ReservationChoice,
    SiteOut,
)
from portal.site.stream import Also, PageStream
from portal.slurm.dependencies import SlurmWatcher
from portal.slurm.hostlist import expand
from portal.slurm.nodes import Reservation
from portal.slurm.snapshot import Snapshot

router = Router(tags=["cluster"])

LastEventId = Annotated[str, Header(max_length=64, description="The id of the last event that was read.")]

Stream = Annotated[PageStream, provided(PageStream)]


@router.get("/site")
async def site(user: CurrentUser, settings: SiteSettings, watcher: SlurmWatcher, health: Health) -> SiteOut:
    """Return the site's name and version, and whether Slurm answers."""
    return SiteOut(
        name=settings.site.name,
        version=__version__,
        support=settings.site.support,
        hub_url="/hub/",
        mounts=[MountOut(name=mount.name, title=mount.title or mount.name) for mount in settings.mounts],
        slurm=slurm_out(watcher.snapshot),
        missing=health.missing().items,
        sharing=settings.sharing.enabled and settings.hub.subdomains,
        ssh=settings.policy.ssh.allows(user.groups),
    )


@router.get("/options")
async def options(
    user: CurrentUser,
    settings: SiteSettings,
    watcher: SlurmWatcher,
    views: Views,
    choices: SessionChoices,
    environment_list: EnvironmentChoices,
) -> OptionsOut:
    """Return what a new session may request, what is free now, and the defaults."""
    snapshot = watcher.snapshot
    view = await views.user(user.username)
    limits = limits_for(view, settings.policy)
    cluster = await views.cluster()
    shown = availability(snapshot, lambda partition: refusal(cluster.partitions[partition.name], view, limits))
    resources, _ = consider(ResourceRequest(), view, cluster, settings.policy)
    app = next(iter(settings.apps), "")
    catalogue = await choices.catalogue(user.username)
    serving = list(catalogue.serving(settings.apps[app])) if app else []
    return OptionsOut(
        **shown.model_dump(),
        apps=await asyncio.to_thread(_apps, catalogue, settings, view, cluster, await choices.own_apps(user.username)),
        environments=[
            EnvironmentBrief.model_validate(environment)
            for environment in await environment_list.overview(user.username)
        ],
        accounts=accounts_of(snapshot, user.username),
        reservations=[_reservation(item, snapshot) for item in open_to(snapshot, view, datetime.now(UTC))],
        licenses=[LicenseOut(name=each.name, total=each.total, free=each.free) for each in snapshot.licenses],
        wckeys=list(view.wckeys or ()),
        policy=PolicyOut(
            cpus_per_gpu=settings.policy.cpus_per_gpu,
            memory_mib_per_gpu=settings.policy.memory_mib_per_gpu,
            cpu_only_cpus=settings.policy.cpu_only_cpus,
            cpu_only_memory_mib=settings.policy.cpu_only_memory_mib,
            max_walltime_s=limits.max_walltime_s,
            max_gpus=limits.max_gpus,
            gpus_in_use=view.gpus_in_use,
            max_sessions=limits.max_sessions,
            sessions_in_use=view.sessions_in_use,
            max_nodes=settings.policy.max_nodes,
            may_extend=settings.policy.extension.most_s > 0,
        ),
        defaults=DefaultsOut(app=app, environment=serving[0] if serving else None, resources=resources),
    )


def _reservation(reservation: Reservation, snapshot: Snapshot) -> ReservationChoice:
    names = set(expand(reservation.nodes))
    nodes = [node for node in snapshot.nodes if node.name in names]
    partitions = sorted(snapshot.partitions, key=lambda partition: not partition.default)
    return ReservationChoice(
        name=reservation.name,
        starts_at=reservation.starts_at,
        ends_at=reservation.ends_at,
        nodes=len(nodes),
        gpus=sum(gpu.total for node in nodes for gpu in node.gpus),
        partitions=[
            partition.name
            for partition in partitions
            if not partition.hidden and all(partition.name in node.partitions for node in nodes)
        ],
    )


def _apps(
    catalogue: Catalogue, settings: Settings, view: UserView, cluster: ClusterView, own: Sequence[OwnApp]
) -> list[AppOut]:
    """Return the catalogue for this user, then the user's own apps; checks for programs on disk."""

    def out(name: str, app: App) -> AppOut:
        return AppOut(
            name=name,
            title=app.title,
            description=app.description,
            icon=app.icon,
            group=app.group,
            kind=app.kind,
            environments=catalogue.fitting(app),
            options=[AppOptionOut.model_validate(option) for option in app.options],
            resources=consider(as_the_app_wants(app, ResourceRequest()), view, cluster, settings.policy)[0],
            available=(why_not := catalogue.why_not(app)) is None,
            reason=why_not,
        )

    return [
        *(out(name, app) for name, app in settings.apps.items()),
        *(out(mine.name, mine.app) if mine.app else _broken(mine) for mine in own),
    ]


def _broken(own: OwnApp) -> AppOut:
    return AppOut(
        name=own.name,
        title=own.name.removeprefix(OWN_PREFIX),
        description="",
        icon="app",
        group=GROUP,
        kind="web",
        environments=[],
        options=[],
        resources=None,
        available=False,
        reason=f"{own.path}: {own.problem}",
    )


@router.get("/events", response_class=StreamingResponse)
async def events(
    user: CurrentUser,
    stream: Stream,
    also: Annotated[
        list[Also] | None,
        Query(description="For administrators: all users' sessions (`anyones`), changes of queue, nodes and health."),
    ] = None,
    last_event_id: LastEventId = "",
) -> StreamingResponse:
    """Follow everything that this user's pages show (server-sent events): sessions, availability, Slurm's state.

    It begins with what has changed within the last minute, each thing as it is now; with `Last-Event-ID` it continues
    after that event, or sends `reset` if the events since then are no longer known: read everything again then.
    """
    if also and not user.admin:
        raise Forbidden("Only administrators can do this.")
    return sse.stream(stream.follow(user, frozenset(also or ()), last_event_id))
