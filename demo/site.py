"""Where everything in a demo site is: its folder, the paths its processes see, ports and node names."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent

INSIDE = Path("/run/portal-demo")
"""The site's folder as its own processes see it. The same for every site: each has a mount namespace of its own, and a
clone may lie where other accounts cannot look."""

HUB_HOST = "hub.localhost"
CHOICES = {
    "database": ("sqlite", "postgresql"),
    "client": ("auto", "commands", "pyslurm"),
    "hosts": ("each", "one"),
}
"""What DSP_DEMO_DATABASE, DSP_DEMO_CLIENT and DSP_DEMO_HOSTS may say, the usual first."""
NODES = 4
GPUS_PER_NODE = 4
SLOTS = 24
FIRST_PORTS = {
    "portal": 8001,
    "proxy_api": 8002,
    "hub": 8081,
    "slurmctld": 16817,
    "slurmdbd": 16819,
    "ldaps": 16360,
    "node1": 17001,
    "node2": 17002,
    "node3": 17003,
    "node4": 17004,
}
PORTS_PER_SLOT = 100


class SiteError(Exception):
    """The site cannot do what was asked; says what happened and what to do about it."""

    def __init__(self, what: str, *, advice: str = "", log: Path | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice
        self.log = log


@dataclass(frozen=True)
class Site:
    """One demo site. Paths are as seen inside; `folder` and `clone` are the machine's."""

    folder: Path
    port: int
    slot: int
    ports: dict[str, int]
    clone: Path = CLONE
    database: str = "sqlite"
    """What the portal keeps its rows in: `sqlite` or `postgresql`."""
    client: str = "auto"
    """What the portal reads Slurm by: its `slurm.client`."""
    hosts: str = "each"
    """`each`: portal, Hub and each user's sessions have a host of their own; `one`: one has all."""

    @property
    def nodes(self) -> list[str]:
        """The node names. They differ between sites on one machine, because Slurm names its cgroups after them."""
        first = self.slot * NODES + 1
        return [f"node{number:03d}" for number in range(first, first + NODES)]

    @property
    def owner(self) -> int:
        """The account that the clone belongs to, which may read the passwords and control the site."""
        return self.source.stat().st_uid

    @property
    def public_url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def hub_url(self) -> str:
        """The address for logins; sessions are here too, or on one host per user below it."""
        return f"http://{HUB_HOST}:{self.port}" if self.hosts == "each" else self.public_url

    @property
    def source(self) -> Path:
        return INSIDE / "src"

    @property
    def python(self) -> Path:
        return self.source / ".venv" / "bin" / "python"

    @property
    def slurm_conf(self) -> Path:
        return INSIDE / "slurm" / "etc" / "slurm.conf"

    @property
    def portal_toml(self) -> Path:
        return INSIDE / "portal" / "portal.toml"

    @property
    def environments(self) -> Path:
        return INSIDE / "environments"

    def log(self, service: str) -> Path:
        return INSIDE / "log" / f"{service}.log"

    def as_json(self) -> dict[str, object]:
        tree = asdict(self) | {"folder": str(self.folder), "clone": str(self.clone)}
        return tree | {"url": self.public_url, "hub_url": self.hub_url, "nodes": self.nodes}


def default_folder() -> Path:
    return Path(os.environ.get("DSP_DEMO_DIR") or CLONE / ".demo").absolute()


def chosen() -> dict[str, str]:
    """Return the choices that the environment variables make for a site. Raises SiteError for an unknown value."""
    results = {}
    for name, choices in CHOICES.items():
        variable = f"DSP_DEMO_{name.upper()}"
        results[name] = os.environ.get(variable) or choices[0]
        if results[name] not in choices:
            raise SiteError(f"{variable}={results[name]} is not one of {', '.join(choices)}.", advice="Leave it out.")
    return results
