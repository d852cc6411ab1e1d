"""HTTP of the site and of what can be asked of it, and the page's one stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import Header, Query
from starlette.responses import StreamingResponse

from portal import __version__
from portal.apps.catalogue import Catalogue
from portal.auth.dependencies import CurrentUser, PortalContext, User
from portal.cluster.schemas import (
    AppOptionOut,
    AppOut,
    DefaultsOut,
    EnvironmentBrief,
    MountOut,
    OptionsOut,
    PolicyOut,
    SiteOut,
)
from portal.cluster.shown import accounts_of, availability, slurm_out
from portal.context import Portal
from portal.errors import Forbidden
from portal.events import sse
from portal.events.bus import Event
from portal.health.view import KIND, MISSING, missing
from portal.policy.ask import ResourceAsk
from portal.policy.limits import limits_for
from portal.policy.resolve import consider, refusal
from portal.policy.view import ClusterView, UserView
from portal.routing import Router
from portal.sessions.asks import as_the_app_wants
from portal.settings import Settings

router = Router(tags=["cluster"])

LastEventId = Annotated[str, Header(max_length=64, description="The id of the last event that was read.")]

Also = Literal["sessions", "queue", "nodes", "health"]
#: Events that only administrators' pages ask for.
ADMINISTRATORS = frozenset({"queue", "nodes", KIND})


@router.get("/site")
async def site(_: CurrentUser, portal: PortalContext) -> SiteOut:
    """Return the site's name and version, and whether Slurm answers."""
    settings = portal.settings
    return SiteOut(
        name=settings.site.name,
        version=__version__,
        support=settings.site.support,
        hub_url="/hub/",
        mounts=[MountOut(name=mount.name, title=mount.title or mount.name) for mount in settings.mounts],
        slurm=slurm_out(portal.watcher.picture),
        missing=missing(portal).items,
    )


@router.get("/options")
async def options(user: CurrentUser, portal: PortalContext) -> OptionsOut:
    """Return what a new session may ask for, what is free now, and what is filled in by default."""
    settings, picture = portal.settings, portal.watcher.picture
    view = await portal.sessions.asks.user_view(user.username)
    limits = limits_for(view, settings.policy)
    cluster = await portal.sessions.asks.cluster()
    shelf = portal.images.shelf
    shown = availability(picture, lambda one: refusal(cluster.partitions[one.name], view, limits))
    resources, _ = consider(ResourceAsk(), view, cluster, settings.policy)
    app = next(iter(settings.apps), "")
    catalogue = Catalogue(settings, await shelf.of(user.username))
    serving = list(catalogue.serving(settings.apps[app])) if app else []
    return OptionsOut(
        **shown.model_dump(),
        apps=await asyncio.to_thread(_apps, catalogue, settings, view, cluster),
        environments=[EnvironmentBrief.model_validate(one) for one in await shelf.overview(user.username)],
        accounts=accounts_of(picture, user.username),
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
        ),
        defaults=DefaultsOut(app=app, environment=serving[0] if serving else None, resources=resources),
    )


def _apps(catalogue: Catalogue, settings: Settings, view: UserView, cluster: ClusterView) -> list[AppOut]:
    """Return the catalogue for this user; it looks for programs on the disk."""
    return [
        AppOut(
            name=name,
            title=app.title,
            description=app.description,
            icon=app.icon,
            group=app.group,
            kind=app.kind,
            environments=catalogue.fitting(app),
            options=[AppOptionOut.model_validate(option) for option in app.options],
            resources=consider(as_the_app_wants(app, ResourceAsk()), view, cluster, settings.policy)[0],
            available=(why_not := catalogue.why_not(app)) is None,
            reason=why_not,
        )
        for name, app in settings.apps.items()
    ]


@router.get("/events", response_class=StreamingResponse)
async def events(
    user: CurrentUser,
    portal: PortalContext,
    also: Annotated[
        list[Also] | None,
        Query(description="For administrators: everybody's sessions (`anyones`), news of queue, nodes, health."),
    ] = None,
    last_event_id: LastEventId = "",
) -> StreamingResponse:
    """Follow everything this user's pages show (server-sent events): sessions, availability, Slurm's state.

    It begins with the sessions and jobs that have changed within the last minute; with `Last-Event-ID` it goes on after
    that event, or says `reset` when what came since is not known any more: read everything again then.
    """
    if also and not user.admin:
        raise Forbidden("This is for administrators.")
    return sse.stream(_follow(portal, user, frozenset(also or ()), last_event_id))


async def _follow(portal: Portal, user: User, also: frozenset[str], after: str = "") -> AsyncIterator[str]:
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

    with portal.bus.reader(wants) as reader:
        # What came before this reader, and nothing that it hears itself: read before anything is sent.
        missed = portal.bus.since(after, wants) if after else None
        news, here = missed if missed is not None else _recent(portal, user, wants), portal.bus.position
        yield sse.encode(Event("site", slurm_out(portal.watcher.picture).model_dump_json()))
        yield sse.encode(Event(MISSING, missing(portal).model_dump_json()))
        if after and missed is None:
            yield sse.encode(Event("reset", "{}"))
        for event in news:
            for one in shown(replace(event, position=None)):
                yield sse.encode(one)
        yield sse.encode(Event("here", "{}", position=here))
        async for frame in sse.frames_of(reader, shown):
            yield frame


def _recent(portal: Portal, user: User, wants: Callable[[Event], bool]) -> list[Event]:
    """Return the newest word of each session and job that has changed within the last minute."""
    jobs = portal.jobs.keeper.latest(user.username)
    return [*([jobs] if jobs is not None else []), *filter(wants, portal.sessions.store.latest())]
