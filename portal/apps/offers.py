"""The catalogue for one user: each app, its environments, and why it cannot start here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal

from portal.apps.catalogue import Catalogue
from portal.apps.own import GROUP, OwnApp
from portal.apps.schemas import AppSourceOut, OfferOut, OfferPage
from portal.apps.tried import FoundOut, still_missing
from portal.environments.of_user import UserEnvironments
from portal.settings import IMAGE_PREFIX, App, Environment, Settings
from portal.settings.app_files import read_folder
from portal.settings.apps import OWN_PREFIX, shipped, switched_off

Origin = Literal["portal", "site", "own"]


class Offers:
    def __init__(
        self,
        settings: Settings,
        environments: UserEnvironments,
        unloadable: Callable[[Sequence[str]], Awaitable[str | None]],
        missed: FoundOut,
        own_apps: Callable[[str], Awaitable[Sequence[OwnApp]]],
    ) -> None:
        """`unloadable` returns why modules do not load; None if they do. `own_apps` returns a user's own apps."""
        self._own_apps = own_apps
        self._missed = missed
        self._settings = settings
        self._environments = environments
        self._unloadable = unloadable
        self._shipped = shipped().keys()
        self._off = switched_off(settings.apps)

    async def page(self, username: str, *, admin: bool) -> OfferPage:
        """Return the site's apps for this user, in the catalogue's order; to administrators also those that are off."""
        environments = await self._environments.of(username)
        tried = still_missing(await self._missed(username), environments)
        catalogue = Catalogue(self._settings, environments, tried)
        refused = dict(
            zip(
                environments,
                await asyncio.gather(*(self._refusal(username, *environment) for environment in environments.items())),
                strict=True,
            )
        )

        def sources(app: App) -> list[AppSourceOut]:
            return [
                _source(name, environments[name], refused[name] or catalogue.lacks(app, name))
                for name in catalogue.meant(app)
            ]

        def offers() -> list[OfferOut]:
            return [
                _offer(name, app, sources(app), catalogue.why_not(app), shipped=name in self._shipped, admin=admin)
                for name, app in self._settings.apps.items()
            ]

        own = await self._own_apps(username)

        def mine() -> list[OfferOut]:
            return [
                _own(found, sources(found.app), catalogue.why_not(found.app)) if found.app else _broken_own(found)
                for found in own
            ]

        off = [_off(name, app) for name, app in self._off.items()] if admin else []
        wrong = await asyncio.to_thread(self._wrong_files) if admin else []
        return OfferPage(items=[*await asyncio.to_thread(offers), *await asyncio.to_thread(mine), *off, *wrong])

    def _wrong_files(self) -> list[OfferOut]:
        """Return the files of the site's folder that declare no app."""
        folder = read_folder(self._settings.apps_folder, self._settings.environments)
        return [_broken(path, Path(path).stem, problem, "site") for path, problem in folder.problems.items()]

    async def _refusal(self, username: str, name: str, environment: Environment) -> str | None:
        """Return why no session can use the environment; None if one can, or if only the nodes know."""
        return await self._environments.missing(username, name, environment) or await self._unloadable(
            environment.modules
        )


def _offer(
    name: str, app: App, sources: list[AppSourceOut], why_not: str | None, *, shipped: bool, admin: bool
) -> OfferOut:
    refusals = [source.reason for source in sources if source.reason is not None]
    if why_not is None and sources and len(refusals) == len(sources):
        why_not = refusals[0]
    remedy = _remedy(name, app, sources) if admin and why_not is not None else None
    origin: Origin = "portal" if shipped else "site"
    return _described(name, app, origin=origin, sources=sources, reason=why_not, remedy=remedy)


def _off(name: str, app: App) -> OfferOut:
    remedy = f"{app.needs} Then add to portal.toml: [apps.{name}] enabled = true".lstrip()
    return _described(name, app, origin="portal", sources=[], reason="This site does not offer it.", remedy=remedy)


def _own(own: OwnApp, sources: list[AppSourceOut], why_not: str | None) -> OfferOut:
    assert own.app is not None  # noqa: S101 - the caller has looked
    remedy = "Name an environment that has it, or give the program's full path." if why_not else None
    return _described(own.name, own.app, origin="own", sources=sources, reason=why_not, remedy=remedy)


def _broken_own(own: OwnApp) -> OfferOut:
    return _broken(own.path, own.name.removeprefix(OWN_PREFIX), own.problem or "", "own", name=own.name)


def _broken(path: str, title: str, problem: str, origin: Origin, *, name: str = "") -> OfferOut:
    app = App(title=title, group=GROUP if origin == "own" else "", kind="web", command=["{port}"])
    remedy = f"Correct the file; `portal apps try {path}` checks it."
    reason = f"{path}: {problem}"
    return _described(name or path, app, origin=origin, sources=[], reason=reason, remedy=remedy)


def _described(
    name: str, app: App, *, origin: Origin, sources: list[AppSourceOut], reason: str | None, remedy: str | None
) -> OfferOut:
    return OfferOut(
        name=name,
        title=app.title,
        description=app.description,
        icon=app.icon,
        group=app.group,
        kind=app.kind,
        origin=origin,
        program=app.program,
        network=app.kind == "jupyter" or app.listen != "private",
        sources=sources,
        available=reason is None,
        reason=reason,
        remedy=remedy,
    )


def _remedy(name: str, app: App, sources: list[AppSourceOut]) -> str:
    if sources:
        return "Fix its environments as described below, or name others that have it."
    if app.kind == "jupyter":
        return "Install an environment that serves Jupyter."
    needs = app.needs or f"An environment with {app.program}."
    return f'{needs} If it consists of modules or an image, also name it: [apps.{name}] environments = ["…"].'


def _source(name: str, environment: Environment, reason: str | None) -> AppSourceOut:
    return AppSourceOut(
        environment=name,
        title=environment.title,
        version=environment.version,
        kind=environment.kind,
        own=name.startswith(IMAGE_PREFIX),
        where=_where(environment),
        reason=reason,
    )


def _where(environment: Environment) -> str:
    if environment.kind == "modules":
        return ", ".join(environment.modules)
    return environment.reference or str(environment.path)
