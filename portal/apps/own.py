"""Apps of a user's own: files in the user's home, read as the user, that start in the user's own sessions alone.

They pass the same checks as a site's, and a few more, since the portal itself checks values with what they declare
and colleagues may be let in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portal.errors import FieldProblem, Forbidden, InvalidRequest, NotFound, Unavailable
from portal.files.service import FileService
from portal.files.types import FileKind
from portal.settings import App, Settings
from portal.settings.app_files import IN_FOLDER, MAX_BYTES, SUFFIX, WrongAppFile, check, name_of, parse
from portal.settings.apps import OWN_PREFIX

FOLDER = "~/.config/portal/apps"
GROUP = "My apps"
MOST = 20
PATIENCE_S = 5.0
TITLE_LENGTH = 40
LONGEST_START_S = 3600
#: Beginnings of the names of cookies with which browsers are logged in.
LOGIN_COOKIES = ("__Host-", "__Secure-", "_xsrf", "jupyterhub", "jupyter-", "portal-", "username-")


@dataclass(frozen=True, slots=True)
class OwnApp:
    """A file that declares an app: the app, or what is wrong with the file."""

    name: str
    path: str
    declared: dict[str, Any] | None = None
    app: App | None = None
    problem: str | None = None


def is_own(name: str) -> bool:
    """Return whether a request names an app of the user's own: by its name, or by the path of its file."""
    return name.startswith((OWN_PREFIX, "/", "~/"))


def app_of(settings: Settings, name: str, declared: Mapping[str, Any] | None) -> App | None:
    """Return a session's app: as declared when it was requested, or the site's; None if the site no longer has it."""
    return settings.apps.get(name) if declared is None else App.model_validate(declared)


class OwnApps:
    def __init__(self, settings: Settings, files: FileService) -> None:
        self._settings = settings
        self._files = files

    async def of(self, username: str) -> list[OwnApp]:
        """Return the user's apps, at most 20; none if their home does not answer in time."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                listing = await self._files.list(username, FOLDER, limit=200)
                paths = [
                    f"{listing.path}/{entry.name}" + ("" if entry.name.endswith(SUFFIX) else f"/{IN_FOLDER}")
                    for entry in sorted(listing.entries, key=lambda entry: entry.name)
                    if entry.name.endswith(SUFFIX) or entry.kind is FileKind.FOLDER
                ]
                return list(await asyncio.gather(*(self._read(username, path) for path in paths[:MOST])))
        except (Forbidden, InvalidRequest, NotFound, Unavailable, TimeoutError):
            return []

    async def one(self, username: str, name: str) -> OwnApp:
        """Return the app that a request names. Raises InvalidRequest with the reason if it cannot start."""
        paths = [name]
        if name.startswith(OWN_PREFIX):
            stem = f"{FOLDER}/{name.removeprefix(OWN_PREFIX)}"
            paths = [f"{stem}{SUFFIX}", f"{stem}/{IN_FOLDER}"]
        for path in paths:
            look = await self._look(username, path)
            if look is not None:
                found = await self._read(username, look)
                if found.problem is not None:
                    raise _refusal(f"{found.path}: {found.problem}")
                return found
        raise _refusal(f"There is no file {' or '.join(paths)}.")

    async def _look(self, username: str, path: str) -> str | None:
        """Return the full path of an app's file, given the file or its folder; None if there is nothing."""
        try:
            look = await self._files.look(username, path)
        except (Forbidden, InvalidRequest, NotFound) as error:
            raise _refusal(error.message) from error
        if look.kind is FileKind.MISSING:
            return None
        return f"{look.path}/{IN_FOLDER}" if look.kind is FileKind.FOLDER else look.path

    async def _read(self, username: str, path: str) -> OwnApp:
        name = OWN_PREFIX + path.removesuffix(f"/{IN_FOLDER}").rpartition("/")[2].removesuffix(SUFFIX)
        try:
            name = OWN_PREFIX + name_of(path)
            piece = await self._files.read(username, path, limit=MAX_BYTES + 1)
            declared = await asyncio.to_thread(parse, piece.data, path)
            app = check(declared | {"group": GROUP}, self._settings.environments)
            _fit_for_a_user(app)
        except (WrongAppFile, Forbidden, InvalidRequest, NotFound) as error:
            return OwnApp(name, path, problem=error.message if hasattr(error, "message") else str(error))
        return OwnApp(name, path, app.model_dump(mode="json", exclude_defaults=True), app)


def _fit_for_a_user(app: App) -> None:
    """Raise WrongAppFile if only a site may declare this."""
    if app.kind != "web":
        raise WrongAppFile("kind: an app of your own is a web app; leave `kind` out")
    if len(app.title) > TITLE_LENGTH or not app.title.isprintable():
        raise WrongAppFile(f"title: use at most {TITLE_LENGTH} printable characters")
    if any(option.pattern for option in app.options):
        raise WrongAppFile("options: only a site's apps have a `pattern`; use a choice, or check the value in your app")
    if (app.start_timeout_s or 0) > LONGEST_START_S:
        raise WrongAppFile(f"start_timeout_s: at most {LONGEST_START_S}")
    for cookie in app.cookies:
        start, is_prefix = cookie.rstrip("*"), cookie.endswith("*")
        if start.startswith(LOGIN_COOKIES) or (is_prefix and any(login.startswith(start) for login in LOGIN_COOKIES)):
            raise WrongAppFile(f"cookies: {cookie} may carry somebody's login; name your app's own cookies")


def _refusal(message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem("app", message)])
