"""Every setting of the portal, as one frozen tree.

Read from `portal.toml`; an environment variable overrides any key: `PORTAL_<SECTION>__<KEY>`,
`PORTAL_<KEY>` for one at the top. Unknown keys are refused. Secrets are never settings: they are files in
`secrets_dir`, one secret each, made by `portal init-secrets`, mode 0600.
"""

from __future__ import annotations

import os
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from portal.errors import ConfigurationError
from portal.settings.app_files import read_folder
from portal.settings.apps import OWN_PREFIX, App, AppOption, AppResources, with_shipped
from portal.settings.base import Name, Section
from portal.settings.catalogue import Mount, Repository, Templates
from portal.settings.cluster import Cluster
from portal.settings.environments import Environment, Framework, Images, ModuleName, Modules, Ngc
from portal.settings.hosts import subdomain
from portal.settings.idle import Idle
from portal.settings.isolation import Isolation
from portal.settings.jobs import Jobs
from portal.settings.login import Login
from portal.settings.notifications import Mail, Notifications, Webhooks
from portal.settings.policy import GroupLimit, Policy
from portal.settings.presets import SharedPreset
from portal.settings.proxy import Proxy
from portal.settings.retention import Retention
from portal.settings.secrets import SECRET_NAMES, Secrets
from portal.settings.sharing import Sharing
from portal.settings.site import Agent, Database, Hub, Ldap, Server, Site, Slurm
from portal.settings.usage import Usage

__all__ = [
    "ENV_PREFIX",
    "IMAGE_PREFIX",
    "SECRET_NAMES",
    "Agent",
    "App",
    "AppOption",
    "AppResources",
    "Cluster",
    "Database",
    "Environment",
    "Framework",
    "GroupLimit",
    "Hub",
    "Idle",
    "Images",
    "Jobs",
    "Ldap",
    "Login",
    "Mail",
    "ModuleName",
    "Modules",
    "Mount",
    "Name",
    "Ngc",
    "Notifications",
    "Policy",
    "Proxy",
    "Repository",
    "Retention",
    "Secrets",
    "Section",
    "Server",
    "Settings",
    "SharedPreset",
    "Sharing",
    "Site",
    "Slurm",
    "Templates",
    "Usage",
    "Webhooks",
    "load",
]

DEFAULT_PATH = "/etc/portal/portal.toml"
ENV_PREFIX = "PORTAL_"
IMAGE_PREFIX = "image-"
EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104 - to recognise, not to bind


class Settings(Section):
    """The whole of `portal.toml`."""

    data_dir: Path = Field(Path("/var/lib/portal"), description="Database and state; mode 0700.")
    secrets_dir: Path = Field(Path("/etc/portal/secrets"), description="One file per secret; mode 0600.")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"
    environments_python: Path = Field(
        Path("/usr/bin/python3"),
        description="Python that environments are created with; the nodes must be able to read it.",
    )
    site: Site = Site()
    server: Server = Server()
    database: Database = Database()
    hub: Hub = Hub()
    proxy: Proxy = Proxy()
    ldap: Ldap = Ldap()
    login: Login = Login()
    slurm: Slurm = Slurm()
    agent: Agent = Agent()
    policy: Policy = Policy()
    jobs: Jobs = Jobs()
    cluster: Cluster = Cluster()
    usage: Usage = Usage()
    idle: Idle = Idle()
    sharing: Sharing = Sharing()
    notifications: Notifications = Notifications()
    retention: Retention = Retention()
    mounts: list[Mount] = Field(default_factory=list)
    environments: dict[Name, Environment] = Field(default_factory=dict)
    apps_folder: Path | None = Field(
        None, description="Folder with files that each declare an app: `NAME.toml`, or `app.toml` in a folder NAME."
    )
    apps: dict[Name, App] = Field(
        default_factory=dict, validate_default=True, description="Merged over the shipped catalogue."
    )
    presets: list[SharedPreset] = Field(
        default_factory=list, description="Presets of the new-session form for all users, or for groups."
    )
    templates: Templates = Templates()
    modules: Modules = Modules()
    images: Images = Images()
    ngc: Ngc = Ngc()

    @field_validator("apps", mode="before")
    @classmethod
    def _over_the_shipped(cls, declared: Any, info: ValidationInfo) -> Any:
        if not isinstance(declared, dict):
            return declared
        in_files = read_folder(info.data.get("apps_folder"), info.data.get("environments", ()))
        return with_shipped(declared, in_files.apps)

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        for server in self.ldap.servers:
            if server.startswith("ldap://") and not self.ldap.start_tls:
                raise ValueError(f"ldap.servers: {server} would send passwords in the clear; use ldaps:// or start_tls")
        if self.hub.public_url and _host(self.hub.public_url) == _host(self.server.public_url):
            raise ValueError("hub.public_url names the same host as server.public_url; leave it empty")
        if self.hub.subdomains:
            _can_have_subdomains(self.hub.public_url, self.server.public_url)
        for name, environment in self.environments.items():
            if environment.extends and environment.extends not in self.environments:
                raise ValueError(f"environments.{name}.extends: there is no environment {environment.extends!r}")
            if environment.modules and not self.modules.command:
                raise ValueError(f"environments.{name}.modules: set modules.command, which loads them")
            if name.startswith(IMAGE_PREFIX):
                raise ValueError(
                    f"environments.{name}: names that begin with {IMAGE_PREFIX} are reserved for users' images"
                )
        for name, app in self.apps.items():
            if name.startswith(OWN_PREFIX):
                raise ValueError(f"apps.{name}: names that begin with {OWN_PREFIX} are reserved for users' own apps")
            for wanted in app.environments:
                if wanted not in self.environments:
                    raise ValueError(f"apps.{name}.environments: there is no environment {wanted!r}")
        return self

    @property
    def database_url(self) -> str:
        return self.database.url or f"sqlite+aiosqlite:///{self.data_dir / 'portal.sqlite'}"

    @property
    def hub_origin(self) -> str:
        """Prefix of the Hub's paths in the portal's pages: empty if both have one origin."""
        return self.hub.public_url

    def sessions_origin(self, username: str) -> str:
        """Prefix of a user's sessions' paths in the portal's pages: empty as with `hub_origin`."""
        if not self.hub.subdomains:
            return self.hub_origin
        hub = urlsplit(self.hub.public_url)
        port = f":{hub.port}" if hub.port else ""
        return f"{hub.scheme}://{subdomain(username, hub.hostname or '')}{port}"

    @property
    def isolation(self) -> Isolation:
        """How far a browser isolates portal, Hub and the sessions of different users from each other."""
        if self.hub.subdomains:
            return Isolation.PER_USER
        return Isolation.TWO_HOSTS if self.hub.public_url else Isolation.ONE_HOST

    @property
    def portal_origin(self) -> str:
        """Prefix of the portal's paths in the Hub's pages, and in requests between the two."""
        return self.server.public_url if self.hub.public_url else ""

    @property
    def node_url(self) -> str:
        base = self.server.node_url or f"http://{bracketed(self.server.hosts[-1])}:{self.server.port}"
        return base + self.server.prefix

    @property
    def hub_connect_url(self) -> str:
        return self.hub.connect_url or f"http://{self.hub.ip}:{self.hub.port}"

    @property
    def portal_connect_url(self) -> str:
        """The portal's URL for the Hub and the proxy, on the same host."""
        host = "127.0.0.1" if self.server.hosts[0] in EVERYWHERE else self.server.hosts[0]
        return f"http://{bracketed(host)}:{self.server.port}"

    @cached_property
    def secrets(self) -> Secrets:
        return Secrets(self.secrets_dir)


def _host(url: str) -> str | None:
    """Return the host without the port: cookies know no ports."""
    return urlsplit(url).hostname


def bracketed(host: str) -> str:
    """Return the host as written in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def _can_have_subdomains(hub_url: str, portal_url: str) -> None:
    """Raise ValueError, with the reason, if hosts below the Hub's could not be the users' own."""
    hub, portal = _host(hub_url), _host(portal_url)
    if not hub:
        raise ValueError("hub.subdomains: needs hub.public_url, a host of the Hub's own")
    if ":" in hub or hub.replace(".", "").isdigit():
        raise ValueError("hub.subdomains: hub.public_url is an IP address, which cannot have subdomains")
    if f".{portal}".endswith(f".{hub}"):
        raise ValueError("hub.subdomains: server.public_url is below the host of hub.public_url, like the users' hosts")


def load(path: str | Path | None = None, environ: dict[str, str] | None = None) -> Settings:
    """Read the settings from `path` (default: $PORTAL_CONFIG, then /etc/portal/portal.toml).

    Raises ConfigurationError with file, key and reason.
    """
    environ = dict(os.environ) if environ is None else environ
    path = Path(path or environ.get("PORTAL_CONFIG") or DEFAULT_PATH)
    try:
        tree = tomllib.loads(path.read_text())
    except FileNotFoundError as error:
        hint = "On the portal's machine, name it with --config or PORTAL_CONFIG, or create it with `portal init`."
        raise ConfigurationError(f"{path} does not exist.", hint=hint) from error
    except OSError as error:
        hint = "Run the command as the portal's account: sudo -u portal …"
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.", hint=hint) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path} is not valid TOML: {error}.") from error
    _overlay(tree, environ)
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc']) or 'portal.toml'}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(f"{path}: {problems}") from error


def _overlay(tree: dict[str, Any], environ: dict[str, str]) -> None:
    """Put `PORTAL_SECTION__KEY=value` into the tree; the value is TOML if it parses, else a string."""
    for variable, value in environ.items():
        if not variable.startswith(ENV_PREFIX):
            continue
        *parents, leaf = variable.removeprefix(ENV_PREFIX).lower().split("__")
        if not parents and leaf not in Settings.model_fields:
            continue  # PORTAL_CONFIG, PORTAL_TOKEN and PORTAL_URL are not settings
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                raise ConfigurationError(f"{variable}: {parent} is a single value, not a section.")
        try:
            node[leaf] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            node[leaf] = value
