"""What a session opens: its app, environment, modules and options, resolved for a user and checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portal.apps.catalogue import Catalogue
from portal.apps.folders import OtherSession, look_at_folders
from portal.apps.options import Value, read_options
from portal.apps.own import OwnApp, OwnApps, is_own
from portal.apps.tried import FoundOut, still_missing
from portal.environments.of_user import UserEnvironments
from portal.errors import FieldProblem, InvalidRequest
from portal.files.service import FileService
from portal.modules.service import ModuleService
from portal.policy.request import ResourceRequest, SessionRequest
from portal.sessions.models import SessionRecord
from portal.settings import App, Environment, Settings


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


class Choices:
    def __init__(
        self,
        *,
        settings: Settings,
        files: FileService,
        own_apps: OwnApps,
        environments: UserEnvironments,
        modules: ModuleService,
        active: Callable[[str], Awaitable[Sequence[SessionRecord]]],
        missed: FoundOut,
    ) -> None:
        """`active` returns a user's sessions that are pending or running."""
        self._settings = settings
        self._files = files
        self._own_apps = own_apps
        self._environments = environments
        self._modules = modules
        self._active = active
        self._missed = missed

    async def catalogue(self, username: str) -> Catalogue:
        """Return the apps and environments that this user may choose."""
        return await self._catalogue(username, await self._environments.of(username))

    async def own_apps(self, username: str) -> list[OwnApp]:
        """Return the apps of the user's own, and files that declare none with the reason."""
        return await self._own_apps.of(username)

    async def _catalogue(
        self, username: str, environments: Mapping[str, Environment], own: Mapping[str, App] | None = None
    ) -> Catalogue:
        tried = still_missing(await self._missed(username), environments)
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
    if asked.part or asked.exclusive:
        wanted = {name: value for name, value in wanted.items() if name not in ("gpus", "cpus", "memory_mib")}
    elif asked.gpus not in (None, wanted.get("gpus")):
        wanted = {name: value for name, value in wanted.items() if name not in ("cpus", "memory_mib")}
    return ResourceRequest(**(wanted | asked.model_dump(exclude_none=True)))
