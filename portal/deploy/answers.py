"""The answers that `portal init` needs about a site, validated so that each is safe in every file it writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from portal.errors import ConfigurationError
from portal.settings.isolation import Isolation

_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?")
_LDAP = re.compile(r"ldaps?://[A-Za-z0-9.-]+(:\d{1,5})?")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,252}")
_PATH = re.compile(r"/[A-Za-z0-9._/@+-]*")
_ACCOUNT = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_DN = re.compile(r"[^\x00-\x1f=]+=[^\x00-\x1f]+")
_PLAIN_PATH = "a path that begins with / and has only letters, digits and ._@+-"
#: Rules for answers, by flag: the pattern, and its description.
_RULES = {
    "--url": (_URL, "a URL such as https://portal.example.org, without a path"),
    "--sessions-url": (_URL, "a URL such as https://jupyter.example.org, without a path"),
    "--head": (_HOST, "a host name or IPv4 address that the compute nodes can reach"),
    "--ldap": (_LDAP, "a URL such as ldaps://ldap.example.org"),
    "--ldap-base": (_DN, "a DN such as dc=example,dc=org"),
    "--ldap-user-base": (_DN, "a DN such as ou=people,dc=example,dc=org"),
    "--ldap-group-base": (_DN, "a DN such as ou=groups,dc=example,dc=org"),
    "--ldap-bind-dn": (_DN, "a DN such as cn=portal,dc=example,dc=org"),
    "--shared": (_PATH, _PLAIN_PATH),
    "--slurm-bin-dir": (_PATH, _PLAIN_PATH),
    "--slurm-conf": (_PATH, _PLAIN_PATH),
    "--environments-python": (_PATH, _PLAIN_PATH),
    "--ldap-ca": (_PATH, _PLAIN_PATH),
    "--account": (_ACCOUNT, "the name of a Unix account"),
}
_MANY = {"--ldap"}
"""Answers with several values, separated by spaces."""
PORTS = {"proxy": 8000, "proxy_api": 8002, "portal": 8001, "hub": 8081}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers about a site. Free text (names in the directory) is only ever written as a quoted string."""

    url: str
    sessions_url: str
    wildcard: str = ""
    """The name below the host of `sessions_url` that gives each user's sessions a host of their own."""
    head: str
    shared: Path
    ldap_servers: tuple[str, ...]
    ldap_user_base: str
    ldap_group_base: str
    ldap_bind_dn: str = ""
    ldap_ca_file: Path | None = None
    user_groups: tuple[str, ...] = ()
    admin_groups: tuple[str, ...] = ()
    unix_groups: tuple[str, ...] = ()
    """Groups that the door serves: Unix groups of this machine, where their names differ from the directory's."""
    database_url: str = ""
    slurm_bin_dir: Path = Path("/usr/bin")
    slurm_conf: Path | None = None
    environments_python: Path = Path("/usr/bin/python3")
    """The Python of the sessions' environments, at the same path on the compute nodes."""

    def __post_init__(self) -> None:
        """Raise ConfigurationError for the first invalid answer, with the reason."""
        check_answer("--url", self.url)
        if self.sessions_url:
            check_answer("--sessions-url", self.sessions_url)
            other_host(self.sessions_url, self.url)
        if self.wildcard:
            below(self.wildcard, self.sessions_url)
            _need(
                not f".{urlsplit(self.url).hostname}".endswith(self.wildcard.removeprefix("*")),
                "--url",
                f"a URL whose host is not below {self.wildcard.removeprefix('*.')}, where the users' hosts are",
            )
        check_answer("--head", self.head)
        _need(self.ldap_servers, "--ldap", "at least one directory server")
        for server in self.ldap_servers:
            check_answer("--ldap", server)
        for text, flag in (
            (self.ldap_user_base, "--ldap-user-base"),
            (self.ldap_group_base, "--ldap-group-base"),
            (self.ldap_bind_dn, "--ldap-bind-dn"),
            (self.shared, "--shared"),
            (self.slurm_bin_dir, "--slurm-bin-dir"),
            (self.slurm_conf, "--slurm-conf"),
            (self.environments_python, "--environments-python"),
            (self.ldap_ca_file, "--ldap-ca"),
        ):
            if text:
                check_answer(flag, str(text))

    @property
    def isolation(self) -> Isolation:
        if self.wildcard:
            return Isolation.PER_USER
        return Isolation.TWO_HOSTS if self.sessions_url else Isolation.ONE_HOST

    @property
    def start_tls(self) -> bool:
        return any(server.startswith("ldap://") for server in self.ldap_servers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things go on this machine, all below `root`, which does not appear in the files' text."""

    prefix: Path
    """The virtual environment that the program runs from."""
    root: Path = Path("/")
    etc: Path = Path("/etc/portal")
    data: Path = Path("/var/lib/portal")
    units: Path = Path("/etc/systemd/system")
    sudoers: Path = Path("/etc/sudoers.d/portal")
    logrotate: Path = Path("/etc/logrotate.d/portal")
    door: Path = Path("/usr/libexec/portal-door")
    door_log: Path = Path("/var/log/portal-door.log")
    proxy: Path = Path("/opt/portal/proxy")
    account: str = "portal"
    ports: dict[str, int] = field(
        default_factory=lambda: {"proxy": 8000, "proxy_api": 8002, "portal": 8001, "hub": 8081}
    )

    def __post_init__(self) -> None:
        """Raise ConfigurationError for a path or an account that cannot appear in a unit or in sudoers."""
        for name in ("prefix", "etc", "data", "units", "sudoers", "logrotate", "door", "door_log", "proxy"):
            _need(_PATH.fullmatch(str(getattr(self, name))), f"--{name.replace('_', '-')}", _PLAIN_PATH)
        check_answer("--account", self.account)

    @property
    def toml(self) -> Path:
        return self.etc / "portal.toml"

    @property
    def secrets(self) -> Path:
        return self.etc / "secrets"

    def on_disk(self, path: Path) -> Path:
        """Return where a site's path is on disk, below `root`."""
        return self.root / path.relative_to("/")


def check_answer(flag: str, answer: str) -> None:
    """Raise ConfigurationError for an invalid answer, with the reason; answers without a rule are free text."""
    if flag in _RULES:
        pattern, what = _RULES[flag]
        for part in answer.split() if flag in _MANY else [answer]:
            _need(pattern.fullmatch(part), flag, what)


def other_host(sessions_url: str, url: str) -> None:
    """Raise ConfigurationError if portal and sessions would share a host name."""
    _need(
        urlsplit(sessions_url).hostname != urlsplit(url).hostname,
        "--sessions-url",
        "a different host name than that of --url; leave it empty to use one for both",
    )


def wildcard_of(sessions_url: str) -> str:
    return f"*.{urlsplit(sessions_url).hostname}"


def below(wildcard: str, sessions_url: str) -> None:
    """Raise ConfigurationError if the wildcard is not below the sessions' host."""
    _need(sessions_url, "--sessions-url", "a URL such as https://jupyter.example.org if --wildcard is given")
    _need(wildcard == wildcard_of(sessions_url), "--wildcard", f"{wildcard_of(sessions_url)}, to match --sessions-url")


def _need(holds: object, flag: str, what: str) -> None:
    if not holds:
        raise ConfigurationError(
            f"{flag} must be {what}.", hint="Correct it; `portal init --help` describes all flags."
        )
