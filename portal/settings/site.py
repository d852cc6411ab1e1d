"""The site and the services around the portal: HTTP, database, Hub, directory, Slurm, agent."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, IPvAnyNetwork, field_validator

from portal.settings.base import Section

Network = IPv4Network | IPv6Network


class Site(Section):
    name: str = Field("Data Scientist Portal", description="Shown in the title bar and on the login page.")
    support: str = Field("", description="Where users get help: a mail address or a URL, shown with errors.")


class Server(Section):
    host: str = Field("127.0.0.1", description="Address the portal's own HTTP server listens on.")
    port: int = Field(8001, ge=0, le=65535, description="Port of the portal's own HTTP server.")
    prefix: ClassVar[str] = "/services/portal"
    """Where JupyterHub serves a service called `portal`; pages, cookies and clients rely on it."""
    public_url: str = Field("http://localhost:8000", description="The address users type; no trailing slash.")
    node_url: str = Field(
        "",
        description="The portal as the compute nodes reach it; empty: `http://<host>:<port>` of this server.",
    )
    trusted_proxies: list[IPvAnyNetwork] = Field(
        [IPv4Network("127.0.0.1"), IPv6Network("::1")],
        max_length=100,
        description="Whose X-Forwarded-For is believed: the proxy, and your web server where it has an address of its "
        "own. Networks or addresses.",
    )
    max_body_bytes: int = Field(1_048_576, description="Larger request bodies are refused with 413.")

    @field_validator("trusted_proxies")
    @classmethod
    def _not_everybody(cls, value: list[Network]) -> list[Network]:
        if any(one.prefixlen == 0 for one in value):
            raise ValueError("a network of every address would let anybody forge theirs")
        return value

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
    public_url: str = Field(
        "",
        description="The address of the login page and of sessions, where that is another host than the portal's own "
        "(docs/explanation/security.md); empty: `server.public_url` is the address of all.",
    )
    subdomains: bool = Field(
        False,
        description="Each user's sessions on a host of their own, `<user>.<host of hub.public_url>`, so that no user's "
        "page can act for another user. Needs `hub.public_url`, and a wildcard DNS name and certificate below it "
        "(docs/explanation/security.md).",
    )
    admins_open_sessions: bool = Field(
        False, description="Whether administrators may open other people's sessions through the Hub, as their owner."
    )

    @field_validator("public_url")
    @classmethod
    def _url(cls, value: str) -> str:
        return value.rstrip("/")

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


class Doors(Section):
    """How many doors run at once. Looks read files; acts start, stop or change something; follows run for long."""

    looks: int = Field(32, ge=1, le=1000, description="Looks at files at once, of all users.")
    looks_per_user: int = Field(4, ge=1, le=1000, description="The same, of one user.")
    acts: int = Field(32, ge=1, le=1000, description="Starts, stops and other acts at once, of all users.")
    acts_per_user: int = Field(8, ge=1, le=1000, description="The same, of one user.")
    follows: int = Field(64, ge=1, le=1000, description="Open pages that follow a file or a job's use, of all users.")
    follows_per_user: int = Field(8, ge=1, le=1000, description="The same, of one user.")
    wait_s: float = Field(10.0, gt=0, le=60, description="How long a request waits for its turn before it is refused.")


class Slurm(Section):
    bin_dir: Path = Field(Path("/usr/bin"), description="Where squeue, scontrol, sbatch … are.")
    conf: Path | None = Field(None, description="SLURM_CONF; None: Slurm's own default (or configless).")
    client: Literal["auto", "commands", "pyslurm"] = Field(
        "auto",
        description="What reads queue and partitions: Slurm's commands, or pyslurm while it fits the installed Slurm.",
    )
    pyslurm_python: Path | None = Field(
        None, description="A Python that has pyslurm; None: the portal's own, if it has."
    )
    jobs_interval_s: float = Field(
        5.0, ge=1, description="How often the queue is read; squeue asks slurmctld twice each time."
    )
    nodes_interval_s: float = Field(30.0, ge=1, description="How often the nodes are read.")
    partitions_interval_s: float = Field(120.0, ge=1, description="How often partitions are read.")
    min_gap_s: float = Field(
        0.5,
        ge=0.2,
        description="Shortest time between two readings of the queue when something asks for a fresh one.",
    )
    readings_per_minute: float = Field(
        30.0,
        ge=1,
        description="Most readings a minute, whatever asks for them; a few that were saved up come on top at once.",
    )
    timeout_s: float = Field(10.0, gt=0, description="Deadline of one Slurm command.")
    door: list[str] = Field(
        default_factory=lambda: ["sudo", "-n", "/usr/libexec/portal-door"],
        description="The program that acts as a user; see docs/explanation/door.md.",
    )
    doors: Doors = Doors()
    immediate: bool = Field(True, description="Try to place a session at once (salloc) before it is queued (sbatch).")
    session_dir: str = Field(".portal/sessions", description="Logs of sessions, a folder under the user's home.")

    @property
    def deadline_s(self) -> int:
        """What the door gets for one command, in whole seconds within its own bounds."""
        return max(1, min(120, round(self.timeout_s)))


class Agent(Section):
    bind: str = Field(
        "", description="Address session servers listen on; empty: the node's own. The demo uses 127.0.0.1."
    )
    ports: tuple[int, int] = Field(
        (20000, 32000),
        description="Port range of session servers on the nodes; best below the ports that the nodes give to outgoing "
        "connections (Linux: from 32768).",
    )
    report_interval_s: float = Field(30.0, ge=1, description="How often a session reports its use.")
    start_timeout_s: float = Field(120.0, gt=0, description="How long an app may take until it answers.")
    warn_before_s: list[int] = Field(
        default_factory=lambda: [900, 300, 60], description="Warnings before the time limit, in seconds."
    )
