"""The app catalogue: the apps and environments that a session may name, and which of them fit together.

Jupyter needs an environment that has a server; an environment that extends it is a kernel there. A web app runs in
any environment that has its program, or in those that the site names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from portal.apps.tried import JUPYTER
from portal.environments.entry import SYSTEM_PATH
from portal.errors import FieldProblem, InvalidRequest
from portal.settings import App, Environment, Settings

NO_JUPYTER = "Your last session in it found no JupyterHub there."


class Catalogue:
    def __init__(
        self,
        settings: Settings,
        environments: Mapping[str, Environment] | None = None,
        missing: Collection[tuple[str, str]] = (),
        own: Mapping[str, App] | None = None,
    ) -> None:
        """`environments` are one user's: the site's, and the user's own images. `missing` are those in which the user's
        sessions did not find a program, with the program. `own` are the user's own apps.
        """
        self._settings = settings
        self._own = own or {}
        self._missing = missing
        self._environments = settings.environments if environments is None else environments

    def app(self, name: str) -> App:
        app = self._own.get(name) or self._settings.apps.get(name)
        if app is None:
            known = ", ".join(self._settings.apps)
            raise _refusal("app", f"There is no app “{name}”. Choose one of: {known}.")
        return app

    def serving(self, app: App) -> dict[str, Environment]:
        """Return the environments that can serve `app`, as far as this machine can see."""
        return {
            name: environment
            for name, environment in self._environments.items()
            if (not app.environments or name in app.environments) and self._serves(name, environment, app)
        }

    def fitting(self, app: App) -> list[str]:
        """Return the names a user may choose with `app`: those that serve it and, for Jupyter, what extends them."""
        serving = self.serving(app)
        if app.kind == "web":
            return list(serving)
        return [name for name, environment in self._environments.items() if (environment.extends or name) in serving]

    def meant(self, app: App) -> list[str]:
        """Return the names a user may choose with `app`, and those that cannot: named for it, or tried in vain."""
        tried = [name for name in self._environments if self._missed(name, app)]
        return list(dict.fromkeys([*app.environments, *self.fitting(app), *tried]))

    def lacks(self, app: App, name: str) -> str | None:
        """Return what an environment named for `app` lacks; None if it can serve it."""
        if self._missed(name, app):
            return _found_none(app)
        if app.kind == "jupyter":
            return None
        return None if _serves(self._environments[name], app) else f"It does not have the program {app.program}."

    def _serves(self, name: str, environment: Environment, app: App) -> bool:
        return _serves(environment, app) and not self._missed(name, app)

    def _missed(self, name: str, app: App) -> bool:
        """Return whether the user's last session of the app in the environment did not find its program there."""
        return (name, JUPYTER if app.kind == "jupyter" else app.program) in self._missing

    def why_not(self, app: App) -> str | None:
        """Return why nobody can start the app on this site; None if somebody can."""
        if self.serving(app):
            return None
        if not self._environments:
            return "This site has no environment to run it in."
        if app.kind == "jupyter":
            return f"No environment on this site serves {app.title}."
        where = "the environments that it may use" if app.environments else "no environment on this site"
        verb = "do not have" if app.environments else "has"
        return f"{where[:1].upper()}{where[1:]} {verb} the program {app.program}."

    def choose(self, app_name: str, environment_name: str | None) -> str:
        """Return the environment for the app: the requested one, or the first that serves it.

        An environment that extends another is served by that one, as a kernel.
        Raises InvalidRequest for an unknown app or environment, or if the two do not fit.
        """
        app = self.app(app_name)
        if environment_name is None:
            if (why := self.why_not(app)) is not None:
                raise _refusal("app", f"{app.title} cannot be started. {why} Tell the administrators.")
            return next(iter(self.serving(app)))
        environment = self._environments.get(environment_name)
        if environment is None:
            known = ", ".join(self._environments)
            raise _refusal("environment", f"There is no environment “{environment_name}”. Choose one of: {known}.")
        if environment_name not in self.fitting(app):
            why = f" {_found_none(app)}" if self._missed(environment_name, app) else ""
            raise _refusal(
                "environment", f"{environment.title} does not serve {app.title}; choose another environment.{why}"
            )
        return environment_name

    def server_environment(self, app: App, name: str) -> Environment:
        """Return the environment whose programs serve the session: itself or, for a kernel, the one it extends."""
        environment = self._environments[name]
        if app.kind == "jupyter" and environment.extends:
            return self._environments[environment.extends]
        return environment


def _found_none(app: App) -> str:
    return NO_JUPYTER if app.kind == "jupyter" else f"Your last session in it did not find the program {app.program}."


def _serves(environment: Environment, app: App) -> bool:
    if app.kind == "jupyter":
        return environment.extends is None and not _lacks_jupyter(environment)
    program = app.program
    if not program or program.startswith("/"):
        return True  # it exists on the nodes only; the session finds out when it starts
    if environment.programs is None:
        return bool(
            app.environments
        )  # this machine cannot see into modules and images: the site lists those that can serve it
    return any((folder / program).is_file() for folder in (environment.programs, *map(Path, SYSTEM_PATH.split(":"))))


def _lacks_jupyter(environment: Environment) -> bool:
    """Return whether this machine can see that nothing there serves Jupyter; what only nodes see is assumed to."""
    programs = environment.programs
    return programs is not None and programs.is_dir() and not (programs / "jupyterhub-singleuser").is_file()


def _refusal(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem(field, message)])
