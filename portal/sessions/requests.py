"""Resolves a session request: its user, app, environment and options, and any problems with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from portal.apps.catalogue import Catalogue
from portal.apps.folders import OtherSession, look_at_folders
from portal.apps.options import Value, read_options
from portal.apps.own import OwnApp, OwnApps, is_own
from portal.apps.tried import FoundOut, still_so
from portal.auth.people import People
from portal.directory import DirectoryUser
from portal.environments.of_user import UserEnvironments
from portal.errors import FieldProblem, Forbidden, InvalidRequest
from portal.files.service import FileService
from portal.modules.service import ModuleService
from portal.placement.alternatives import Alternative, alternatives, is_about_resources
from portal.placement.reserved import refusal
from portal.placement.starts import Starts, starts
from portal.placement.view import cluster_view
from portal.placement.waits import PastJob, Range, planned, probable, waiting
from portal.policy import formatting
from portal.policy.closures import Closure, with_closures
from portal.policy.limits import of_groups
from portal.policy.request import ResourceRequest, Resources, SessionRequest
from portal.policy.resolve import consider, granted
from portal.policy.view import ClusterView, LimitRule, Pool, UserView
from portal.sessions.models import SessionRecord
from portal.settings import App, Environment, Settings
from portal.slurm.watcher import Watcher


@dataclass(frozen=True, slots=True)
class Choice:
    """A session's app, environment and options, validated; resources as requested, or the app's defaults."""

    name: str
    """The app's name."""
    app: App
    own_app: dict[str, Any] | None
    """What the file of a user's own app declares."""
    environment: str
    environment_version: str | None
    image: dict[str, str | None] | None
    """The image, if the environment is one: title, reference, path, digest."""
    options: dict[str, Value]
    warnings: list[FieldProblem]
    resources: ResourceRequest


@dataclass(frozen=True, slots=True)
class Estimate:
    """When a session that waits will probably start, by the waits of recent jobs like it, and by Slurm's plan."""

    wait: Range | None
    ahead_by: datetime | None
    """When Slurm plans to start the last of the jobs ahead."""


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """What a session would get, and the problems with it."""

    resources: Resources | None
    problems: list[FieldProblem]
    warnings: list[FieldProblem]
    summary: str
    starts: Starts
    starts_text: str
    alternatives: list[Alternative] = field(default_factory=list)
    estimate: Estimate | None = None


class Holding(Protocol):
    """What a user holds in sessions and batch jobs, and this month's GPU-hours."""

    sessions: int
    gpus: int
    used: float
    promised: float


class LimitRules(Protocol):
    """The limits that administrators set for users, and what users have used of them."""

    async def rules(self, username: str, groups: Iterable[str]) -> tuple[LimitRule, ...]: ...

    async def held(self, username: str) -> Holding: ...

    async def pools(self, rules: Sequence[LimitRule]) -> tuple[Pool, ...]: ...


class SessionRequests:
    def __init__(
        self,
        *,
        settings: Settings,
        watcher: Watcher,
        people: People,
        files: FileService,
        own_apps: OwnApps,
        environments: UserEnvironments,
        modules: ModuleService,
        closures: Callable[[], Awaitable[Sequence[Closure]]],
        limits: LimitRules,
        active: Callable[[str], Awaitable[Sequence[SessionRecord]]],
        without_jupyter: FoundOut,
        waits: Callable[[str], Awaitable[Sequence[PastJob]]],
        now: Callable[[], datetime],
    ) -> None:
        """`closures` returns the planned maintenance, `active` a user's sessions that run or wait, `waits` a
        partition's recent jobs.
        """
        self._settings = settings
        self._watcher = watcher
        self._people = people
        self._environments = environments
        self._files = files
        self._own_apps = own_apps
        self._modules = modules
        self._closures = closures
        self._limits = limits
        self._active = active
        self._without_jupyter = without_jupyter
        self._waits = waits
        self._now = now

    async def user_view(self, username: str) -> UserView:
        """Return the user as policy sees them. Raises Forbidden if the directory does not let them in."""
        account = await self._people.account(username)
        if account is None or not account.allowed:
            raise Forbidden(f"The user “{username}” may not use this portal.")
        return await self.view_of(account)

    async def view_of(self, account: DirectoryUser) -> UserView:
        """Return a user as policy sees them, with their limits, whether or not they may log in."""
        username = account.username
        held = await self._limits.held(username)
        mine = [association for association in self._watcher.snapshot.associations if association.user == username]
        user = UserView(
            username=username,
            groups=frozenset(account.groups),
            accounts=tuple(dict.fromkeys(association.account for association in mine)),
            default_account=next((association.account for association in mine if association.is_default), None),
            gpus_in_use=held.gpus,
            sessions_in_use=held.sessions,
            admin=account.admin,
            rules=await self._limits.rules(username, account.groups),
            gpu_hours_used=held.used,
            gpu_hours_promised=held.promised,
            wckeys=self._wckeys(username),
        )
        pooled = [rule for rule in of_groups(user, self._settings.policy) if rule.is_pooled]
        return replace(user, pools=await self._limits.pools(pooled)) if pooled else user

    def _wckeys(self, username: str) -> tuple[str, ...] | None:
        snapshot = self._watcher.snapshot
        return None if snapshot.wckeys is None else snapshot.wckeys.get(username, ())

    async def cluster(self) -> ClusterView:
        """Return the cluster as policy sees it, with planned and current maintenance."""
        return with_closures(cluster_view(self._watcher.snapshot), await self._closures(), self._now())

    async def catalogue(self, username: str) -> Catalogue:
        """Return the apps and environments that this user may choose."""
        return await self._catalogue(username, await self._environments.of(username))

    async def own_apps(self, username: str) -> list[OwnApp]:
        """Return the apps of the user's own, and files that declare none with the reason."""
        return await self._own_apps.of(username)

    async def _catalogue(
        self, username: str, environments: Mapping[str, Environment], own: Mapping[str, App] | None = None
    ) -> Catalogue:
        tried = still_so(await self._without_jupyter(username), environments)
        return Catalogue(self._settings, environments, tried, own)

    async def choose(self, username: str, ask: SessionRequest, *, warn: bool = False) -> Choice:
        """Return the app, environment and options that the request names; with `warn`, with warnings.

        Raises InvalidRequest with a sentence for each invalid field.
        """
        problems: list[FieldProblem] = []
        environments = await self._environments.of(username)
        own = await self._own_apps.one(username, ask.app) if is_own(ask.app) else None
        app_name = own.name if own else ask.app
        catalogue = await self._catalogue(username, environments, {own.name: own.app} if own and own.app else None)
        app = catalogue.app(app_name)
        name = ""
        try:
            name = catalogue.choose(app_name, ask.environment)
        except InvalidRequest as error:
            problems += error.fields
        environment = environments.get(name)
        if environment and (why := await self._environments.missing(username, name, environment)) is not None:
            problems.append(FieldProblem("environment", why))
        options, wrong = read_options(app, ask.options)
        problems += wrong
        others = await self._others(username, app_name) if warn and app.options else []
        seen = await look_at_folders(self._files, username, app, options, inside=warn, others=others)
        problems += seen.problems
        if ask.modules and (why := await self._why_no_modules(environment, ask.modules)) is not None:
            problems.append(FieldProblem("modules", why))
        if problems or environment is None:
            raise InvalidRequest(" ".join(problem.message for problem in problems), fields=problems)
        return Choice(
            name=app_name,
            app=app,
            own_app=own.declared if own else None,
            environment=name,
            environment_version=environment.version or None,
            image=_image(environment),
            options=options,
            warnings=seen.warnings,
            resources=as_the_app_wants(app, ask.resources),
        )

    async def _others(self, username: str, app: str) -> list[OtherSession]:
        return [
            OtherSession(record.name, record.options or {})
            for record in await self._active(username)
            if record.app == app
        ]

    async def _why_no_modules(self, environment: Environment | None, modules: Sequence[str]) -> str | None:
        """Return why the modules cannot be loaded on top of the environment; None if they can."""
        if environment and environment.kind == "image":
            return "Modules cannot be loaded inside an image; leave them out, or choose another environment."
        return await self._modules.refusal([*(environment.modules if environment else ()), *modules])

    async def resolve(self, choice: Choice, user: UserView) -> Resources:
        """Return what the session gets. Raises PolicyRefused."""
        return granted(*await self.consider(choice.resources, user))

    async def consider(self, wanted: ResourceRequest, user: UserView) -> tuple[Resources | None, list[FieldProblem]]:
        """Return the completed resources, and every problem that policy or a reservation has with them."""
        resources, problems = consider(wanted, user, await self.cluster(), self._settings.policy)
        if resources is not None and (why := refusal(resources, self._watcher.snapshot, user)) is not None:
            problems.append(FieldProblem("resources.reservation", why))
            self._watcher.kick("reservations")  # it may just have been made or changed
        return resources, problems

    async def check(self, username: str, ask: SessionRequest) -> CheckedRequest:
        """Check a session request without starting the session."""
        problems: list[FieldProblem] = []
        warnings: list[FieldProblem] = []
        wanted = ask.resources
        choice = None
        try:
            choice = await self.choose(username, ask, warn=True)
            wanted, warnings = choice.resources, choice.warnings
        except InvalidRequest as error:
            problems += error.fields
        user = await self.user_view(username)
        resources, refused = await self.consider(wanted, user)
        problems += refused
        if resources is None:
            return CheckedRequest(None, problems, warnings, "", "unknown", "")
        snapshot = self._watcher.snapshot.without(ask.avoid)
        when, text = starts(resources, snapshot, user, self._now())
        others: list[Alternative] = []
        if choice is not None and (problems or when == "later") and is_about_resources(problems):
            others = await asyncio.to_thread(
                alternatives,
                ask.resources,
                resources,
                complete=partial(as_the_app_wants, choice.app),
                user=user,
                cluster=await self.cluster(),
                policy=self._settings.policy,
                snapshot=snapshot,
                now=self._now(),
            )
        estimate = await self._estimate(resources) if when == "later" and not problems else None
        return CheckedRequest(
            resources, problems, warnings, formatting.summary(resources), when, text, others, estimate
        )

    async def _estimate(self, resources: Resources) -> Estimate | None:
        """Return when it will probably start; None if there is too little to go by, or a reservation decides."""
        if resources.reservation is not None:
            return None
        snapshot, partition = self._watcher.snapshot, resources.partition
        past = await self._waits(partition)
        gpus = resources.gpus_counted
        wait = await asyncio.to_thread(probable, past, gpus, waiting(snapshot, partition))
        ahead_by = planned(snapshot, partition, self._now())
        return Estimate(wait, ahead_by) if wait or ahead_by else None


def _image(environment: Environment) -> dict[str, str | None] | None:
    if environment.kind != "image":
        return None
    return {
        "title": environment.title,
        "reference": environment.reference or None,
        "path": str(environment.path),
        "digest": environment.digest or None,
    }


def as_the_app_wants(app: App, asked: ResourceRequest) -> ResourceRequest:
    """Fill in what the request leaves out with the app's defaults.

    The app's cores and memory belong to its number of GPUs: for any other number, policy decides them.
    """
    wanted = app.resources.model_dump(exclude_none=True)
    if asked.shards or asked.exclusive:
        wanted = {name: value for name, value in wanted.items() if name not in ("gpus", "cpus", "memory_mib")}
    elif asked.gpus not in (None, wanted.get("gpus")):
        wanted = {name: value for name, value in wanted.items() if name not in ("cpus", "memory_mib")}
    return ResourceRequest(**(wanted | asked.model_dump(exclude_none=True)))
