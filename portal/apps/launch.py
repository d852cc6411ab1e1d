"""What the agent in the job is told to start: command, environment, links and files for the home.

`{agent}`, `{python}`, `{ip}` and `{port}` are filled in by the agent, on the node.
"""

from __future__ import annotations

from typing import Any

from portal.apps.catalogue import Catalogue
from portal.environments import entry, jupyter_path
from portal.notebooks import copies
from portal.sessions.models import SessionRecord
from portal.sessions.sealing import HubHandover
from portal.settings import Settings


class LaunchBuilder:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._catalogue = Catalogue(settings)

    def build(self, record: SessionRecord, handover: HubHandover) -> dict[str, Any]:
        """Return the launch of a session. Raises InvalidRequest if its app has left the catalogue."""
        settings = self._settings
        app = self._catalogue.app(record.app)
        base_url = record.base_url or "/"
        server = self._catalogue.server_environment(app, record.environment)
        inside = entry(server, settings, modules=[*settings.environments[record.environment].modules, *record.modules])
        env = handover.env | {
            "JUPYTERHUB_API_TOKEN": handover.api_token,
            "JPY_API_TOKEN": handover.api_token,
            "JUPYTERHUB_SERVICE_URL": f"http://{{ip}}:{{port}}{base_url}",
            "JUPYTERHUB_DEFAULT_URL": f"/{app.landing}",
            **inside.env,
            "PORTAL_URL": settings.server.public_url,
        }
        if kernels := jupyter_path(settings):
            env["JUPYTER_PATH"] = ":".join(kernels)
        return {
            "command": [*inside.wrap, inside.python, "{agent}", "serve-jupyter"],
            "env": env,
            "ip": settings.agent.bind,
            "ports": list(settings.agent.ports),
            "ready_path": f"{base_url}api",
            "links": [{"name": mount.name, "target": str(mount.path)} for mount in settings.mounts],
            "copies": copies(settings),
            "report_interval_s": settings.agent.report_interval_s,
            "start_timeout_s": settings.agent.start_timeout_s,
            "warn_before_s": settings.agent.warn_before_s,
            "ends_at": record.ends_at.isoformat() if record.ends_at else None,
        }
