"""What the agent in the job is told to start: command, environment, links and files for the home.

What stands in braces is filled in by the agent, on the node. Jupyter checks logins itself; any other app is handed to
the proxy in the agent, with what the Hub has for the session's server.
"""

from __future__ import annotations

from typing import Any

from portal.apps.catalogue import Catalogue
from portal.environments import entry, jupyter_path
from portal.environments.entry import Entry
from portal.notebooks import copies
from portal.sessions.models import SessionRecord
from portal.sessions.sealing import HubHandover
from portal.settings import App, Settings


class LaunchBuilder:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._catalogue = Catalogue(settings)

    def build(self, record: SessionRecord, handover: HubHandover) -> dict[str, Any]:
        """Return the launch of a session. Raises InvalidRequest if its app has left the catalogue."""
        settings = self._settings
        app = self._catalogue.app(record.app)
        of_the_app = self._jupyter if app.kind == "jupyter" else self._web
        return of_the_app(app, record, handover) | {
            "ip": settings.agent.bind,
            "ports": list(settings.agent.ports),
            "links": [{"name": mount.name, "target": str(mount.path)} for mount in settings.mounts],
            "copies": copies(settings) if app.kind == "jupyter" else [],
            "report_interval_s": settings.agent.report_interval_s,
            "start_timeout_s": app.start_timeout_s or settings.agent.start_timeout_s,
            "warn_before_s": settings.agent.warn_before_s,
            "ends_at": record.ends_at.isoformat() if record.ends_at else None,
        }

    def _jupyter(self, app: App, record: SessionRecord, handover: HubHandover) -> dict[str, Any]:
        base_url = record.base_url or "/"
        inside = self._inside(app, record)
        env = self._hub_env(handover) | {
            "JUPYTERHUB_SERVICE_URL": f"http://{{ip}}:{{port}}{base_url}",
            "JUPYTERHUB_DEFAULT_URL": f"/{app.landing}",
            **inside.env,
        }
        if kernels := jupyter_path(self._settings):
            env["JUPYTER_PATH"] = ":".join(kernels)
        return {
            "command": [*inside.wrap, inside.python, "{agent}", "serve-jupyter"],
            "env": env,
            "ready_path": f"{base_url}api",
        }

    def _web(self, app: App, record: SessionRecord, handover: HubHandover) -> dict[str, Any]:
        base_url = record.base_url or "/"
        inside = self._inside(app, record)
        return {
            "command": [*inside.wrap, *app.command],
            "env": {**inside.env, **(self._hub_env(handover) if app.portal_token else {}), **app.env},
            "options": _options(app, record),
            "ready_path": f"{'/' if app.strip_prefix else base_url}{app.ready_path}",
            "proxy": {
                "base_url": base_url,
                "public_url": self._settings.server.public_url,
                "listen": app.listen,
                "strip_prefix": app.strip_prefix,
                "headers": app.headers,
                "cookies": app.cookies,
                "user_header": app.user_header,
                "user_cookie": app.user_cookie,
                "hub": {name: value for name, value in handover.env.items() if name.startswith("JUPYTERHUB_")},
                "api_token": handover.api_token,
            },
        }

    def _inside(self, app: App, record: SessionRecord) -> Entry:
        """Return how the app's command gets inside its environment, with all the modules of the session."""
        settings = self._settings
        server = self._catalogue.server_environment(app, record.environment)
        modules = [*settings.environments[record.environment].modules, *record.modules]
        return entry(server, settings, modules=modules)

    def _hub_env(self, handover: HubHandover) -> dict[str, str]:
        """Return what a program needs to speak with Hub and portal as the session's user."""
        return handover.env | {
            "JUPYTERHUB_API_TOKEN": handover.api_token,
            "JPY_API_TOKEN": handover.api_token,
            "PORTAL_URL": self._settings.server.public_url,
        }


def _options(app: App, record: SessionRecord) -> list[dict[str, Any]]:
    """Return the options that have a value, in words; true and false are called so."""
    found = []
    for option in app.options:
        value = record.options.get(option.name)
        if value is not None:
            text = str(value).lower() if isinstance(value, bool) else value
            found.append(
                {"name": option.name, "value": text, "folder": option.kind == "folder", "create": option.create}
            )
    return found
