"""Builds the portal's web application: its parts, its routes, the web app's files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import cache, partial
from mimetypes import guess_type
from typing import Annotated, Any

from fastapi import FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from portal import __version__, api_page, doc_pages, http, logs
from portal.addresses import ClientAddress
from portal.announcements.endpoints import internal as login_page
from portal.announcements.endpoints import router as announcements
from portal.answers import describe_errors
from portal.apps.endpoints import router as apps
from portal.auth.endpoints import api as me
from portal.auth.endpoints import internal as hub_logins
from portal.auth.endpoints import pages as login
from portal.check.endpoints import router as own_check
from portal.cluster.live_endpoints import router as cluster
from portal.concurrency import ConcurrencyLimit
from portal.db import migrate
from portal.db.refused import in_words
from portal.db.single_portal import alone
from portal.environments.lab_endpoints import router as lab_files
from portal.errors import NotFound, PortalError
from portal.files.content_endpoints import router as file_contents
from portal.files.endpoints import router as files
from portal.files.operation_endpoints import router as file_operations
from portal.files.upload_endpoints import router as file_uploads
from portal.gate.endpoints import router as gate
from portal.health.dependencies import Health
from portal.health.endpoints import router as health
from portal.health.view import HealthPublisher
from portal.host_redirects import HostRedirects
from portal.idle.endpoints import router as idle
from portal.images.agent_endpoints import router as pulls
from portal.images.endpoints import router as images
from portal.images.environment_endpoints import router as environments
from portal.jobs.endpoints import router as jobs
from portal.jobs.output_endpoints import router as job_outputs
from portal.laptop.endpoints import router as laptop
from portal.limits.endpoints import router as limits
from portal.messages.endpoints import router as messages
from portal.metrics import Metrics
from portal.modules.endpoints import router as modules
from portal.notebooks.checkout import follow
from portal.notebooks.endpoints import router as notebooks
from portal.notifications.endpoints import router as notifications
from portal.operate.audit_endpoints import router as audit
from portal.operate.endpoints import router as operate
from portal.operate.session_endpoints import router as operate_sessions
from portal.presets.endpoints import router as presets
from portal.provided import provided
from portal.routing import Route, Router
from portal.sessions.agent_endpoints import router as agents
from portal.sessions.end_endpoints import router as ends
from portal.sessions.endpoints import router as sessions
from portal.sessions.hub_endpoints import router as hub
from portal.settings import Settings
from portal.settings.dependencies import SiteSettings
from portal.sharing.agent_endpoints import router as guests
from portal.sharing.endpoints import router as shares
from portal.shipped import API_DESCRIPTION, WEB_APP
from portal.site.endpoints import router as site
from portal.usage.endpoints import agents as meters
from portal.usage.endpoints import router as usage
from portal.wiring import Portal, build, utcnow

#: What the web app's build adds to each asset (frontend/scripts/compress.mjs), the smallest first.
ENCODED = {"br": ".br", "gzip": ".gz"}
#: A turn of loops that clone repositories, read sacct or roll up years of use may take this long.
LONG_S = 3600.0


def create_app(settings: Settings) -> FastAPI:
    """Return the application; its lifespan migrates the database and runs the watcher and the reconciler."""
    logs.configure(settings)
    app = routes(settings, lifespan=_lifespan)
    attach(app, build(settings))
    app.state.refused = None
    return app


@cache
def describe() -> dict[str, Any]:
    """Return the API's OpenAPI description, which does not depend on settings."""
    return routes(Settings()).openapi()


def routes(
    settings: Settings, lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] | None = None
) -> FastAPI:
    """Return the routes without services; `attach` adds them."""
    prefix = settings.server.prefix
    app = FastAPI(
        title="Data Scientist Portal",
        version=__version__,
        description="Sessions on a Slurm cluster. Tokens are JupyterHub's: `Authorization: token …`.",
        lifespan=lifespan,
        openapi_url=None,  # see _service_routes: FastAPI's own puts it together in the event loop
        docs_url=None,
        redoc_url=None,
    )
    if settings.hub.subdomains:
        app.add_middleware(HostRedirects, settings=settings)
    app.state.concurrency = ConcurrencyLimit()
    http.install(app, max_body_bytes=settings.server.max_body_bytes)
    # Level 9, the default, blocks the event loop six times as long for a response 4 % smaller.
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
    app.add_middleware(ClientAddress, trusted=settings.server.trusted_proxies)
    api = (
        me,
        site,
        cluster,
        sessions,
        jobs,
        job_outputs,
        files,
        file_contents,
        file_operations,
        file_uploads,
        apps,
        environments,
        modules,
        images,
        notebooks,
        announcements,
        messages,
        notifications,
        presets,
        shares,
        operate,
        operate_sessions,
        limits,
        audit,
        usage,
        idle,
        health,
    )
    for router in api:
        router.add_to(app, f"{prefix}/api")
    of_the_hub = (hub, login_page, hub_logins)
    of_jobs = (agents, guests, meters, pulls)
    pages = (_service_routes(), _web_app())  # the last: they answer whatever no other route does
    for router in (login, gate, *of_the_hub, own_check, *of_jobs, lab_files, laptop, ends, *pages):
        router.add_to(app, prefix)
    describe_errors(app)
    return app


def attach(app: FastAPI, portal: Portal) -> None:
    """Give the routes their services. Raises LookupError for a service that the portal lacks."""
    app.state.portal, app.state.services = portal, portal.services()
    for route in app.routes:
        if isinstance(route, Route) and (lacks := route.services - app.state.services.keys()):
            raise LookupError(f"{route.path} needs services that the wiring does not register: {lacks}.")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    portal: Portal = app.state.portal
    async with AsyncExitStack() as stack:
        stack.push_async_callback(portal.engine.dispose)
        try:
            with in_words():
                await stack.enter_async_context(alone(portal.engine))
                await asyncio.to_thread(migrate.upgrade_apart, portal.settings.database_url)
        except PortalError as error:
            app.state.refused = error
            raise
        await stack.enter_async_context(_at_work(portal))
        yield


@asynccontextmanager
async def _at_work(portal: Portal) -> AsyncIterator[None]:
    """Run the background tasks, and end them with the block."""
    portal.monitor.on_change = HealthPublisher(portal.health, portal.bus)
    start_loops(portal)
    try:
        yield
    finally:
        await portal.end_streams()
        await portal.loops.close()
        await portal.tasks.close()
        await portal.slurm.close()
        await portal.hub.close()


def start_loops(portal: Portal) -> None:
    start = portal.loops.start
    start("watcher", portal.watcher.run)
    start("reconciler", portal.sessions.reconciler.run)
    start("reconciler-hub", portal.sessions.hub_servers.run)
    start("announcer", portal.cluster.announcer.run)
    start("jobs", portal.jobs.reconciler.run)
    start("submissions", portal.jobs.service.submissions.run)
    start("announcements", portal.announcements.run)
    start("feed", portal.cluster.stream.run)
    start("history", portal.cluster.history.run, patience_s=LONG_S)
    start("jupyterlab", portal.lab_files.run)
    start("modules", portal.modules.run, may_end=True)
    start("pulls", portal.images.pulls.run)
    start("templates", partial(follow, portal.settings.templates, utcnow), patience_s=LONG_S, may_end=True)
    start("last-use", portal.sessions.last_use.run)
    start("news", portal.operate.notifier.run)
    start("usage-sampler", portal.usage.sampler.run)
    start("usage-samples", portal.usage.samples.run, patience_s=LONG_S)
    start("usage-feed", portal.usage.reader.run, patience_s=LONG_S)
    start("health", portal.monitor.run)
    start("proxy-routes", portal.routes.run)
    start("retention", portal.retention.run, patience_s=LONG_S)
    start("notifications-mail", portal.notifications.mail.run, patience_s=LONG_S, may_end=True)
    start("notifications-webhooks", portal.notifications.webhooks.run, may_end=True)
    start("notifications-watch", portal.notifications.watch.run, may_end=True)
    start("idle", portal.idle.policy.run, may_end=True)
    start("node-history", portal.operate.node_history.run)


def _service_routes() -> Router:
    router = Router(include_in_schema=False)

    @router.get("/healthz")
    async def healthz(view: Health) -> Response:
        state = view.brief()
        return Response(state.model_dump_json(), media_type="application/json", status_code=200 if state.ok else 503)

    @router.get("/metrics")
    async def metrics(request: Request, read: Annotated[Metrics, provided(Metrics)]) -> Response:
        if "x-forwarded-for" in request.headers:  # every web server and the proxy add it: the request came from outside
            raise NotFound(
                "There is nothing at this address.", hint="Metrics are served only on the portal's own port."
            )
        return Response(await read.exposition(), media_type="text/plain; version=0.0.4")

    @router.get("/api/openapi.json")
    async def description() -> Response:
        return FileResponse(API_DESCRIPTION, headers={"Cache-Control": "no-cache"})

    @router.get("/api/docs")
    async def reference() -> Response:
        return HTMLResponse(await asyncio.to_thread(api_page.page))

    @router.get("/docs")
    async def documentation() -> Response:
        return RedirectResponse(f"docs/{doc_pages.FIRST}")

    @router.get("/docs/{path:path}")
    async def documentation_page(path: str, settings: SiteSettings) -> Response:
        if path.endswith(".md"):
            page = await asyncio.to_thread(doc_pages.page, path)
            return HTMLResponse(page.replace(doc_pages.EXAMPLE_ORIGIN, settings.server.public_url))
        return FileResponse(doc_pages.file(path))

    @router.get("/api/{path:path}")
    async def no_such_route(path: str) -> Response:
        raise NotFound("There is nothing at this address.")

    return router


def _web_app() -> Router:
    """Serve the built web app: hashed assets cached for ever, its page for every other path."""
    router = Router(include_in_schema=False)

    @router.get("/assets/{name}")
    async def asset(request: Request, name: str) -> Response:
        file = WEB_APP / "assets" / name
        if file.parent != WEB_APP / "assets" or not file.is_file():
            raise NotFound("There is no such file.")
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        kind, _ = guess_type(name)
        for coding, suffix in ENCODED.items():
            packed = file.with_name(f"{name}{suffix}")
            if coding in _accepted(request) and packed.is_file():
                return FileResponse(
                    packed, media_type=kind, headers=headers | {"Content-Encoding": coding, "Vary": "Accept-Encoding"}
                )
        return FileResponse(file, media_type=kind, headers=headers)

    @router.get("")
    @router.get("/{path:path}")
    async def page(path: str = "") -> Response:
        file = WEB_APP / path
        if path and "/" not in path and file.is_file():
            return FileResponse(file, headers={"Cache-Control": "no-cache"})
        index = WEB_APP / "index.html"
        if not index.is_file():
            raise NotFound("The web app is not built.", hint="Run: npm ci && npm run build, in frontend/.")
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    return router


def _accepted(request: Request) -> set[str]:
    """Return the content codings that the browser accepts."""
    offers = (offer.replace(" ", "").partition(";") for offer in request.headers.get("accept-encoding", "").split(","))
    return {coding.lower() for coding, _, weight in offers if weight not in ("q=0", "q=0.0")}
