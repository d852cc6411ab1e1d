"""Builds what the agent in the job starts: command, environment, links, and files for the home.

The agent fills in placeholders in braces on the node. Jupyter checks logins itself; any other app runs behind the
agent's app proxy, which gets what the Hub has for the session's server.
"""

from __future__ import annotations

from collections.abc import Callable

from portal.apps.catalogue import Catalogue
from portal.apps.own import app_of
from portal.environments import entry, jupyter_path, own_image
from portal.environments.entry import Entry, image_words
from portal.sealing import HubHandover
from portal.sessions.agent_wire import AppLaunch, Launch, Option, Ssh
from portal.sessions.models import SessionRecord
from portal.settings import App, Environment, Settings
from portal.settings.apps import INSIDE


class LaunchBuilder:
    """`copies` lists what the agent copies into the home: source on the node, target relative to the home.

    `lab_files` returns where JupyterLab's pages find the files that all sessions share, and which those are.
    """

    def __init__(
        self, settings: Settings, copies: Callable[[Settings], list[dict[str, str]]], lab_files: Callable[[], str]
    ) -> None:
        self._settings = settings
        self._copies = copies
        self._lab_files = lab_files
        self._catalogue = Catalogue(settings)
        self._api = f"{settings.node_url}/api"
        self._pages = f"{settings.server.public_url}{settings.server.prefix}"

    def build(self, record: SessionRecord, handover: HubHandover, *, end_key: str = "", ssh: bool = False) -> Launch:
        """Return the launch of a session; with `end_key`, its pages may ask how it ended; `ssh` lets its owner connect.

        Raises InvalidRequest if its app is no longer in the catalogue.
        """
        settings = self._settings
        app = app_of(settings, record.app, record.own_app) or self._catalogue.app(record.app)
        of_the_app = self._jupyter if app.kind == "jupyter" else self._web
        launched = of_the_app(app, record, handover)
        if app.kind == "jupyter":
            launched["env"]["PORTAL_END_KEY"] = end_key
        if "proxy" in launched:
            launched["proxy"]["bar"] = {
                "session": record.id,
                "owner": record.owner,
                "api": self._api,
                "pages": self._pages,
                "end_key": end_key,
                "in_pages": app.bar,
            }
        if ssh:
            launched["ssh"] = self._ssh(record)
        if settings.agent.open_ports:
            launched["open_ports"] = {
                "owner": record.owner,
                "base_url": record.base_url or "/",
                "public_url": self._public_url(record),
                "portal_url": f"{self._pages}/",
                "own_host": settings.hub.subdomains,
            }
        if settings.sharing.enabled and settings.hub.subdomains:
            launched["guests"] = {
                "base_url": record.base_url or "/",
                "public_url": self._public_url(record),
                "portal_url": f"{self._pages}/",
            }
        return {
            **launched,
            "ip": settings.agent.bind,
            "ports": list(settings.agent.ports),
            "links": [{"name": mount.name, "target": str(mount.path)} for mount in settings.mounts],
            "copies": self._copies(settings) if app.kind == "jupyter" else [],
            "report_interval_s": settings.agent.report_interval_s,
            "start_timeout_s": app.start_timeout_s or settings.agent.start_timeout_s,
            "warn_before_s": settings.agent.warn_before_s,
            "log_days": settings.retention.logs_days,
            "ends_at": record.ends_at.isoformat() if record.ends_at else None,
        }

    def _jupyter(self, app: App, record: SessionRecord, handover: HubHandover) -> AppLaunch:
        base_url = record.base_url or "/"
        inside = self._inside(app, record)
        env = self._hub_env(handover) | {
            "JUPYTERHUB_SERVICE_URL": f"http://{{ip}}:{{port}}{base_url}",
            "JUPYTERHUB_DEFAULT_URL": f"/{app.landing}",
            # In the home it would be shared: Lab would restore what another session has open, kernels included.
            "JUPYTERLAB_WORKSPACES_DIR": "{folder}/workspaces",
            # For the portal's Lab extension: its session, the API as nodes reach it, the pages as browsers do.
            "PORTAL_SESSION": record.id,
            "PORTAL_API": self._api,
            "PORTAL_PAGES": self._pages,
            **inside.env,
        }
        kernels = jupyter_path(self._settings)
        chosen = self._environments(record)[record.environment]
        command = [*inside.wrap, inside.python, "{agent}", "serve-jupyter"]
        launch: AppLaunch = {"command": command, "env": env, "ready_path": f"{base_url}api"}
        if chosen.extends and chosen.kind != "modules":
            command.append(f"--MultiKernelManager.default_kernel_name={record.environment}")
        if chosen.extends and chosen.kind == "image":
            kernels.insert(0, "{folder}/jupyter")
            words = image_words(chosen, self._settings)
            launch["image"] = {"name": record.environment, "title": chosen.title, "words": words}
        if offer := self._lab_files():
            env["PORTAL_LAB_FILES"] = offer
        if self._settings.agent.kernel_ahead_s:
            env["PORTAL_KERNEL_AHEAD_S"] = str(self._settings.agent.kernel_ahead_s)
        if kernels:
            env["JUPYTER_PATH"] = ":".join(kernels)
        return launch

    def _web(self, app: App, record: SessionRecord, handover: HubHandover) -> AppLaunch:
        base_url = record.base_url or "/"
        inside = self._inside(app, record)
        return {
            "command": _inside_words(app, inside),
            "env": {**inside.env, **(self._hub_env(handover) if app.portal_token else {}), **app.env},
            "options": _options(app, record),
            "ready_path": f"{'/' if app.strip_prefix else base_url}{app.ready_path}",
            "proxy": {
                "base_url": base_url,
                "public_url": self._public_url(record),
                "own_host": self._settings.hub.subdomains,
                "portal_url": f"{self._pages}/",
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

    def _public_url(self, record: SessionRecord) -> str:
        return self._settings.sessions_origin(record.owner) or self._settings.server.public_url

    def _ssh(self, record: SessionRecord) -> Ssh:
        """Return how SSH enters the session's environment, with all its modules."""
        environment = self._environments(record)[record.environment]
        is_image = environment.kind == "image"
        inside = entry(environment, self._settings, modules=() if is_image else record.modules)
        return {"owner": record.owner, "words": inside.wrap, "env": inside.env, "image": is_image}

    def _inside(self, app: App, record: SessionRecord) -> Entry:
        """Return how the app's command enters its environment, with all modules of the session."""
        environments = self._environments(record)
        server = Catalogue(self._settings, environments).server_environment(app, record.environment)
        modules = [*environments[record.environment].modules, *record.modules]
        return entry(server, self._settings, modules=modules)

    def _environments(self, record: SessionRecord) -> dict[str, Environment]:
        """Return the site's environments, and the user's own image if the session was requested with it."""
        environments = dict(self._settings.environments)
        if record.image and record.environment not in environments:
            environments[record.environment] = own_image(self._settings, **record.image)
        return environments

    def _hub_env(self, handover: HubHandover) -> dict[str, str]:
        """Return the variables that a program needs to reach the Hub and the portal as the session's user."""
        return handover.env | {
            "JUPYTERHUB_API_TOKEN": handover.api_token,
            "JPY_API_TOKEN": handover.api_token,
            "PORTAL_URL": self._settings.server.public_url,
        }


def _inside_words(app: App, inside: Entry) -> list[str]:
    """Return the app's command inside the environment: all of it, or the part after the placeholder."""
    if INSIDE not in app.command:
        return [*inside.wrap, *app.command]
    at = app.command.index(INSIDE)
    return [*app.command[:at], *inside.wrap, *app.command[at + 1 :]]


def _options(app: App, record: SessionRecord) -> list[Option]:
    """Return the options that have a value, as text; booleans as `true` and `false`."""
    options: list[Option] = []
    for option in app.options:
        value = record.options.get(option.name)
        if value is not None:
            text = str(value).lower() if isinstance(value, bool) else value
            options.append({"name": option.name, "value": text, "folder": option.is_path, "create": option.create})
    return options
