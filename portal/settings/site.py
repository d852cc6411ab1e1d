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
    host: str | list[str] = Field(
        "127.0.0.1",
        min_length=1,
        description="Address that the portal's own HTTP server listens on, or a list: one for the web server in front "
        "and one for the compute nodes.",
    )
    port: int = Field(8001, ge=0, le=65535, description="Port of the portal's own HTTP server.")
    prefix: ClassVar[str] = "/services/portal"
    """Where JupyterHub serves a service called `portal`; pages, cookies and clients rely on it."""
    public_url: str = Field("http://localhost:8000", description="The URL that users open; no trailing slash.")
    node_url: str = Field(
        "",
        description="The portal's URL for the compute nodes; empty: `http://<host>:<port>` of this server.",
    )
    trusted_proxies: list[IPvAnyNetwork] = Field(
        [IPv4Network("127.0.0.1"), IPv6Network("::1")],
        max_length=100,
        description="Networks or addresses whose X-Forwarded-For is trusted: the proxy, and your web server if it "
        "has an address of its own.",
    )
    max_body_bytes: int = Field(1_048_576, description="Larger request bodies are refused with 413.")

    @property
    def hosts(self) -> list[str]:
        """The addresses that the server listens on; on the machine itself, it is reached at the first."""
        return [self.host] if isinstance(self.host, str) else self.host

    @field_validator("trusted_proxies")
    @classmethod
    def _not_everybody(cls, value: list[Network]) -> list[Network]:
        if any(network.prefixlen == 0 for network in value):
            raise ValueError("a network that covers all addresses would let anybody forge theirs")
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
    proxy_api_url: str = Field("http://127.0.0.1:8002", description="URL of configurable-http-proxy's API.")
    connect_url: str = Field("", description="The Hub's URL for the compute nodes; empty: `http://<ip>:<port>`.")
    public_url: str = Field(
        "",
        description="URL of the login page and the sessions, if they have another host than the portal "
        "(docs/explanation/security.md); empty: everything is at `server.public_url`.",
    )
    subdomains: bool = Field(
        False,
        description="Give each user's sessions a host of their own, `<user>.<host of hub.public_url>`, so that no "
        "user's page can act as another user. Needs `hub.public_url`, with a wildcard DNS name and certificate below "
        "it (docs/explanation/security.md).",
    )
    admins_open_sessions: bool = Field(
        False, description="Whether administrators may open other users' sessions through the Hub, acting as the owner."
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
        default_factory=lambda: ["ldaps://localhost:636"], description="Directory servers, tried in turn."
    )
    ca_file: Path | None = Field(None, description="CA that signed the servers' certificates; None: the system's.")
    start_tls: bool = Field(False, description="StartTLS on `ldap://` servers. Plain `ldap://` is refused.")
    bind_dn: str = Field("", description="Service account for searches; empty: search as the user who logs in.")
    bind_password_file: Path | None = Field(None, description="File with the service account's password.")
    user_base: str = Field("ou=people,dc=example,dc=org", description="Base DN of the users.")
    user_filter: str = Field("(uid={username})", description="Filter that finds a user; `{username}` is escaped.")
    group_base: str = Field("ou=groups,dc=example,dc=org", description="Base DN of the groups.")
    group_filter: str = Field(
        "(|(member={dn})(memberUid={username}))", description="Filter that finds the groups of a user."
    )
    user_groups: list[str] = Field(
        default_factory=list, description="Groups whose members may log in; empty: every user of the directory."
    )
    admin_groups: list[str] = Field(default_factory=list, description="Groups whose members are administrators.")
    timeout_s: float = Field(5.0, gt=0, description="Deadline for connecting and for each operation.")
    login_rate: str = Field("10/minute", description="Failed logins per user and per address (`limits` notation).")


class Doors(Section):
    """How many doors run at once. Looks read files; acts start, stop or change something; follows are long-running."""

    looks: int = Field(32, ge=1, le=1000, description="Reads of files at once, all users together.")
    looks_per_user: int = Field(4, ge=1, le=1000, description="The same, per user.")
    acts: int = Field(32, ge=1, le=1000, description="Starts, stops and other changes at once, all users together.")
    acts_per_user: int = Field(8, ge=1, le=1000, description="The same, per user.")
    follows: int = Field(
        64, ge=1, le=1000, description="Open pages that follow a file or a job's use, all users together."
    )
    follows_per_user: int = Field(8, ge=1, le=1000, description="The same, per user.")
    transfers: int = Field(32, ge=1, le=1000, description="Uploads and downloads at once, all users together.")
    transfers_per_user: int = Field(4, ge=1, le=1000, description="The same, per user.")
    operations: int = Field(
        16, ge=1, le=1000, description="Copies, moves and deletions of whole folders at once, all users together."
    )
    operations_per_user: int = Field(2, ge=1, le=1000, description="The same, per user; more wait for their turn.")
    wait_s: float = Field(
        10.0, gt=0, le=60, description="How long a request waits for a free door before it is refused."
    )


class Slurm(Section):
    bin_dir: Path = Field(Path("/usr/bin"), description="Where squeue, scontrol, sbatch … are.")
    conf: Path | None = Field(None, description="SLURM_CONF; None: Slurm's own default (or configless).")
    client: Literal["auto", "commands", "pyslurm"] = Field(
        "auto",
        description="What reads the queue: Slurm's commands, or pyslurm while it fits the installed Slurm.",
    )
    pyslurm_python: Path | None = Field(None, description="A Python that has pyslurm; None: the portal's own.")
    jobs_interval_s: float = Field(
        5.0, ge=1, description="How often the queue is read; each squeue sends slurmctld two requests."
    )
    nodes_interval_s: float = Field(
        30.0, ge=1, description="How often the nodes are read; after a third of that if jobs have started or ended."
    )
    partitions_interval_s: float = Field(120.0, ge=1, description="How often partitions are read.")
    min_gap_s: float = Field(
        0.5,
        ge=0.2,
        description="Minimum time between two readings of the queue when a fresh one is requested.",
    )
    readings_per_minute: float = Field(
        30.0,
        ge=1,
        description="Maximum readings per minute for all purposes, with small bursts.",
    )
    timeout_s: float = Field(10.0, gt=0, description="Deadline of one Slurm command.")
    door: list[str] = Field(
        default_factory=lambda: ["sudo", "-n", "/usr/libexec/portal-door"],
        description="The program that acts as a user; see docs/explanation/door.md.",
    )
    doors: Doors = Doors()
    immediate: bool = Field(True, description="Try to place a session at once (salloc) before it is queued (sbatch).")
    session_dir: str = Field(".portal/sessions", description="Folder under the user's home for the logs of sessions.")

    @property
    def deadline_s(self) -> int:
        """What the door gets for one command, in whole seconds within its own bounds."""
        return max(1, min(120, round(self.timeout_s)))


class Agent(Section):
    bind: str = Field(
        "", description="Address that sessions listen on; empty: the node's own. The demo uses 127.0.0.1."
    )
    ports: tuple[int, int] = Field(
        (20000, 32000),
        description="Port range of sessions on the nodes; best below the nodes' ephemeral ports (Linux: from 32768).",
    )
    report_interval_s: float = Field(30.0, ge=1, description="How often a session reports its use.")
    start_timeout_s: float = Field(120.0, gt=0, description="How long an app may take to answer.")
    warn_before_s: list[int] = Field(
        default_factory=lambda: [900, 300, 60], description="When to warn before the time limit, in seconds."
    )
    open_ports: bool = Field(
        True, description="Whether users may open ports of their own sessions' programs in the browser."
    )
    kernel_ahead_s: float = Field(
        300.0,
        ge=0,
        description="JupyterLab's first kernel starts while the browser loads its page, "
        "and ends if no notebook has asked for it after this time; 0: it starts with the notebook.",
    )
