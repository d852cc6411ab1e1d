"""Every setting of the portal, as one frozen tree.

Read from `portal.toml`; any key can be overridden by an environment variable: `PORTAL_<SECTION>__<KEY>`,
`PORTAL_<KEY>` for one at the top. Unknown keys are refused. Secrets are never settings: they are files in
`secrets_dir`, one secret a file, made by `portal init-secrets`, mode 0600.
"""

from __future__ import annotations

import os
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from portal.errors import ConfigurationError

DEFAULT_PATH = "/etc/portal/portal.toml"
ENV_PREFIX = "PORTAL_"
SECRET_NAMES = ("hub_key", "service_token", "proxy_token", "encryption_key", "cookie_key")
WEAK_SECRETS = {"", "secret", "changeme", "change-me", "password", "default", "token", "portal"}

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Site(Section):
    name: str = Field("Data Scientist Portal", description="Shown in the title bar and on the login page.")
    support: str = Field("", description="Where users get help: a mail address or a URL, shown with errors.")


class Server(Section):
    host: str = Field("127.0.0.1", description="Address the portal's own HTTP server listens on.")
    port: int = Field(8001, ge=0, le=65535, description="Port of the portal's own HTTP server.")
    prefix: ClassVar[str] = "/services/portal"
    """Where JupyterHub serves a service called `portal`; pages, cookies and clients count on it."""
    public_url: str = Field("http://localhost:8000", description="The address users type; no trailing slash.")
    node_url: str = Field(
        "",
        description="The portal as the compute nodes reach it; empty: `http://<host>:<port>` of this server.",
    )
    max_body_bytes: int = Field(1_048_576, description="Larger request bodies are refused with 413.")

    @field_validator("public_url", "node_url")
    @classmethod
    def _url(cls, value: str) -> str:
        return value.rstrip("/")


class Database(Section):
    url: str = Field(
        "", description="SQLAlchemy URL; empty: SQLite in `data_dir`. PostgreSQL: `postgresql+psycopg://…`."
    )


class Hub(Section):
    ip: str = Field("127.0.0.1", description="Address the Hub listens on (for the proxy and the compute nodes).")
    port: int = Field(8081, description="Port the Hub listens on.")
    proxy_api_url: str = Field("http://127.0.0.1:8002", description="configurable-http-proxy's API.")
    connect_url: str = Field("", description="The Hub as compute nodes reach it; empty: `http://<ip>:<port>`.")

    @property
    def api_url(self) -> str:
        return f"http://{self.ip}:{self.port}/hub/api"


class Ldap(Section):
    servers: list[str] = Field(
        default_factory=lambda: ["ldaps://localhost:636"], description="Directory servers, asked in turn."
    )
    ca_file: Path | None = Field(None, description="CA that signed the servers' certificates; None: the system's.")
    start_tls: bool = Field(False, description="StartTLS on `ldap://` servers. Plain `ldap://` is refused.")
    bind_dn: str = Field("", description="Service account for searches; empty: search as the user who logs in.")
    bind_password_file: Path | None = Field(None, description="File with the service account's password.")
    user_base: str = Field("ou=people,dc=example,dc=org", description="Where accounts are.")
    user_filter: str = Field("(uid={username})", description="Finds the account; `{username}` is escaped.")
    group_base: str = Field("ou=groups,dc=example,dc=org", description="Where groups are.")
    group_filter: str = Field("(|(member={dn})(memberUid={username}))", description="Finds the groups of an account.")
    user_groups: list[str] = Field(
        default_factory=list, description="Members may log in; empty: every account of the directory."
    )
    admin_groups: list[str] = Field(default_factory=list, description="Members are administrators.")
    timeout_s: float = Field(5.0, gt=0, description="For connecting and for each operation.")
    login_rate: str = Field("10/minute", description="Failed logins per user and per address (`limits` notation).")


class Slurm(Section):
    bin_dir: Path = Field(Path("/usr/bin"), description="Where squeue, scontrol, sbatch … are.")
    conf: Path | None = Field(None, description="SLURM_CONF; None: Slurm's own default (or configless).")
    jobs_interval_s: float = Field(5.0, ge=1, description="How often the queue is read.")
    nodes_interval_s: float = Field(15.0, ge=1, description="How often the nodes are read.")
    partitions_interval_s: float = Field(60.0, ge=1, description="How often partitions are read.")
    min_gap_s: float = Field(
        3.0,
        ge=0.2,
        description="Shortest time between two readings of the queue when something asks for a fresh one.",
    )
    timeout_s: float = Field(10.0, gt=0, description="Deadline of one Slurm command.")
    door: list[str] = Field(
        default_factory=lambda: ["sudo", "-n", "/usr/libexec/portal-door"],
        description="The program that acts as a user; see docs/explanation/door.md.",
    )
    immediate: bool = Field(True, description="Try to place a session at once (salloc) before it is queued (sbatch).")
    session_dir: str = Field(".portal/sessions", description="Logs of sessions, a folder under the user's home.")


class Agent(Section):
    bind: str = Field(
        "", description="Address session servers listen on; empty: the node's own. The demo uses 127.0.0.1."
    )
    ports: tuple[int, int] = Field((20000, 60000), description="Port range of session servers on the nodes.")
    report_interval_s: float = Field(30.0, ge=1, description="How often a session reports its use.")
    start_timeout_s: float = Field(120.0, gt=0, description="How long an app may take until it answers.")
    warn_before_s: list[int] = Field(
        default_factory=lambda: [900, 300, 60], description="Warnings before the time limit, in seconds."
    )


class GroupLimit(Section):
    group: str = Field(description="A group of the directory.")
    max_gpus: int | None = Field(None, ge=0, description="GPUs its members may hold at once, each.")
    max_sessions: int | None = Field(None, ge=0, description="Sessions at once, each.")
    max_walltime_s: int | None = Field(None, ge=60, description="Longest session.")
    partitions: list[str] | None = Field(None, description="Partitions its members may use; None: all.")


class Policy(Section):
    cpus_per_gpu: int = Field(8, ge=1, description="CPU cores each GPU brings by default.")
    memory_mib_per_gpu: int = Field(49_152, ge=1, description="Memory each GPU brings by default (48 GB).")
    cpu_only_cpus: int = Field(2, ge=1, description="Default cores of a session without GPUs.")
    cpu_only_memory_mib: int = Field(8_192, ge=1, description="Default memory of a session without GPUs.")
    default_gpus: int = Field(1, ge=0, description="GPUs a new session asks for by default.")
    default_walltime_s: int = Field(28_800, ge=60, description="Default time of a session (8 hours).")
    max_walltime_s: int = Field(172_800, ge=60, description="Longest session anyone may ask for.")
    max_gpus: int = Field(8, ge=0, description="GPUs one user may hold at once.")
    max_sessions: int = Field(10, ge=0, description="Sessions one user may have at once.")
    max_nodes: int = Field(1, ge=1, description="Nodes one interactive session may span.")
    default_partition: str = Field("", description="Empty: Slurm's default partition.")
    limits: list[GroupLimit] = Field(
        default_factory=list, description="Limits by group; the most generous of a user's groups holds."
    )


class Mount(Section):
    name: Name = Field(description="The link's name in the session's home.")
    path: Path = Field(description="What it points to, on the compute nodes.")
    title: str = Field("", description="Shown in the web app.")


class Environment(Section):
    title: str = Field(description="Shown in New session.")
    description: str = ""
    path: Path = Field(description="A virtual or conda environment, as seen on the compute nodes.")
    packages: tuple[Path, ...] = Field(
        (),
        description="Locked requirements (a file or a list of them: the first that this machine can get is taken); "
        "with them, `portal environments install NAME` makes the environment.",
    )
    extends: Name | None = Field(None, description="Environment that serves Jupyter; this one is then a kernel in it.")
    version: str = ""
    size_mb: int = Field(0, description="Roughly, once installed; shown before installing.")

    @field_validator("packages", mode="before")
    @classmethod
    def _one_lock(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str | Path) else value


class App(Section):
    title: str
    description: str = ""
    icon: str = "app"
    kind: Literal["jupyter"] = "jupyter"
    path: str = Field("lab", description="What to open under the session's URL.")
    environments: list[Name] = Field(default_factory=list, description="Empty: any.")


class Templates(Section):
    folders: list[Path] = Field(default_factory=list, description="Folders with an index.toml each, seen by nodes.")


class Settings(Section):
    """The whole of `portal.toml`."""

    data_dir: Path = Field(Path("/var/lib/portal"), description="Database and state; mode 0700.")
    secrets_dir: Path = Field(Path("/etc/portal/secrets"), description="One file a secret; mode 0600.")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"
    environments_python: Path = Field(
        Path("/usr/bin/python3"), description="Python that environments are made with; readable on the nodes."
    )
    site: Site = Site()
    server: Server = Server()
    database: Database = Database()
    hub: Hub = Hub()
    ldap: Ldap = Ldap()
    slurm: Slurm = Slurm()
    agent: Agent = Agent()
    policy: Policy = Policy()
    mounts: list[Mount] = Field(default_factory=list)
    environments: dict[Name, Environment] = Field(default_factory=dict)
    apps: dict[Name, App] = Field(
        default_factory=lambda: {
            "jupyterlab": App(
                title="JupyterLab",
                description="Notebooks, terminal and files on a compute node.",
                icon="jupyter",
            )
        }
    )
    templates: Templates = Templates()

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        for server in self.ldap.servers:
            if server.startswith("ldap://") and not self.ldap.start_tls:
                raise ValueError(f"ldap.servers: {server} would send passwords in clear; use ldaps:// or start_tls")
        for name, environment in self.environments.items():
            if environment.extends and environment.extends not in self.environments:
                raise ValueError(f"environments.{name}.extends: there is no environment {environment.extends!r}")
        for name, app in self.apps.items():
            for wanted in app.environments:
                if wanted not in self.environments:
                    raise ValueError(f"apps.{name}.environments: there is no environment {wanted!r}")
        return self

    @property
    def database_url(self) -> str:
        return self.database.url or f"sqlite+aiosqlite:///{self.data_dir / 'portal.sqlite'}"

    @property
    def node_url(self) -> str:
        base = self.server.node_url or f"http://{self.server.host}:{self.server.port}"
        return base + self.server.prefix

    @property
    def hub_connect_url(self) -> str:
        return self.hub.connect_url or f"http://{self.hub.ip}:{self.hub.port}"

    @cached_property
    def secrets(self) -> Secrets:
        return Secrets(self.secrets_dir)


class Secrets:
    """The site's secrets, read from files once; a missing, weak or world-readable one is refused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getattr__(self, name: str) -> str:
        if name not in SECRET_NAMES:
            raise AttributeError(name)
        value = self.read(self._folder / name)
        setattr(self, name, value)
        return value

    @staticmethod
    def read(path: Path) -> str:
        try:
            if path.stat().st_mode & 0o007:
                raise ConfigurationError(f"{path} can be read by others; run: chmod o= {path}")
            value = path.read_text().strip()
        except OSError as error:
            raise ConfigurationError(f"The secret {path} cannot be read: {error.strerror}.") from error
        if value.lower() in WEAK_SECRETS or len(value) < 16:
            raise ConfigurationError(f"The secret in {path} is too short or a well-known word; make a new one.")
        return value


def load(path: str | Path | None = None, environ: dict[str, str] | None = None) -> Settings:
    """Read the settings from `path` (default: $PORTAL_CONFIG, then /etc/portal/portal.toml).

    Raises ConfigurationError, naming file, key and what is wrong, in words.
    """
    environ = dict(os.environ) if environ is None else environ
    path = Path(path or environ.get("PORTAL_CONFIG") or DEFAULT_PATH)
    try:
        tree = tomllib.loads(path.read_text())
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from error
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
    """Put `PORTAL_SECTION__KEY=value` into the tree; the value is TOML where it parses, else a string."""
    for variable, value in environ.items():
        if not variable.startswith(ENV_PREFIX):
            continue
        *parents, leaf = variable.removeprefix(ENV_PREFIX).lower().split("__")
        if not parents and leaf not in Settings.model_fields:
            continue  # PORTAL_CONFIG, PORTAL_TOKEN and PORTAL_URL are not settings
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        try:
            node[leaf] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            node[leaf] = value
