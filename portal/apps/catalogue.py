"""The app catalogue: which apps and environments a session may name, and what fits together."""

from __future__ import annotations

from portal.errors import FieldProblem, InvalidRequest
from portal.settings import App, Environment, Settings


class Catalogue:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def app(self, name: str) -> App:
        app = self._settings.apps.get(name)
        if app is None:
            known = ", ".join(self._settings.apps)
            raise _refusal("app", f"There is no app “{name}”. Choose one of: {known}.")
        return app

    def serving(self, app: App) -> dict[str, Environment]:
        """Return the environments that can serve `app`: those that stand on their own."""
        return {
            name: environment
            for name, environment in self._settings.environments.items()
            if environment.extends is None and (not app.environments or name in app.environments)
        }

    def fitting(self, app: App) -> list[str]:
        """Return the names a user may choose with `app`: what serves it, and what extends that."""
        serving = self.serving(app)
        return [
            name
            for name, environment in self._settings.environments.items()
            if (environment.extends or name) in serving
        ]

    def choose(self, app_name: str, environment_name: str | None) -> str:
        """Return the environment for the app: the one asked for, or the first that serves it.

        An environment that extends another is served by that one, as a kernel in it.
        Raises InvalidRequest for an unknown app or environment, or two that do not fit.
        """
        app = self.app(app_name)
        serving = self.serving(app)
        if environment_name is None:
            if not serving:
                raise _refusal(
                    "environment", f"No environment of this site serves {app.title}; tell the administrators."
                )
            return next(iter(serving))
        environment = self._settings.environments.get(environment_name)
        if environment is None:
            known = ", ".join(self._settings.environments)
            raise _refusal("environment", f"There is no environment “{environment_name}”. Choose one of: {known}.")
        if (environment.extends or environment_name) not in serving:
            raise _refusal("environment", f"{environment.title} does not serve {app.title}; choose another one.")
        return environment_name

    def server_environment(self, name: str) -> Environment:
        """Return the environment whose programs serve the session: itself, or the one it extends."""
        environment = self._settings.environments[name]
        return self._settings.environments[environment.extends] if environment.extends else environment


def _refusal(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem(field, message)])
