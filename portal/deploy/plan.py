"""Lists the files that `portal init` writes for a site, with text, owner and mode. Writes nothing itself."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portal.deploy.answers import Answers, Places
from portal.deploy.patterns import fill
from portal.deploy.web_servers import caddy, nginx
from portal.settings import SECRET_NAMES, Server
from portal.shipped import PROXY

LDAP_PASSWORD = "ldap_password"  # noqa: S105 - a file's name
KERNELS = ("pytorch", "tensorflow", "jax", "xgboost", "pytensor", "mxnet")
LOCKS = {"base": "session.txt"} | {name: f"environment-{name}.txt" for name in KERNELS}
"""The declared environments, each with its shipped lock."""
#: Root's capabilities that sudo and the door need: change user, write to the kernel's audit, end their children. sudo's
#: PAM stack also reads /etc/shadow, which on Red Hat's family has mode 0000.
DOOR_CAPABILITIES = "CAP_SETUID CAP_SETGID CAP_AUDIT_WRITE CAP_KILL CAP_SYS_RESOURCE CAP_DAC_READ_SEARCH"


@dataclass(frozen=True, slots=True)
class File:
    """A file of the site. `group`: this account's primary group. `secret`: made once, never overwritten."""

    path: Path
    text: str
    mode: int = 0o644
    owner: str = "root"
    group: str = "root"
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path
    owner: str
    mode: int = 0o755


def folders(answers: Answers, places: Places) -> list[Folder]:
    account = places.account
    return [
        Folder(places.etc, "root"),
        Folder(places.secrets, account, 0o700),
        Folder(places.data, account, 0o700),
        Folder(places.data / "hub", account, 0o700),
        Folder(answers.shared, "root"),  # the agent runs as every user: the owner of its folder could replace it
        Folder(answers.shared / "environments", account),
    ]


def files(answers: Answers, places: Places, *, ldap_password: str) -> list[File]:
    """Return all files, in reading order."""
    account = places.account
    values = _values(answers, places)
    units = [
        File(places.units / unit, fill(unit, values))
        for unit in ("portal-proxy.service", "portal-hub.service", "portal.service")
    ]
    examples = places.etc / "examples"
    return [
        File(places.toml, _without_blanks(fill("portal.toml", _quoted(values))), 0o640, group=account),
        *_secrets(answers, places, ldap_password),
        *units,
        File(places.sudoers, fill("sudoers", values), 0o440),
        File(places.door.with_name(f"{places.door.name}.json"), _door_config(answers, places)),
        File(places.logrotate, fill("logrotate", values)),
        File(examples / "nginx.conf", nginx(answers, places)),
        File(examples / "Caddyfile", caddy(answers, places)),
        File(examples / "alerts.yml", fill("alerts.yml", {"docs": f"{answers.url}{Server.prefix}/docs"})),
        *(File(places.proxy / path.name, path.read_text()) for path in sorted(PROXY.glob("package*.json"))),
    ]


def _secrets(answers: Answers, places: Places, ldap_password: str) -> Iterator[File]:
    def one(name: str, value: str) -> File:
        return File(places.secrets / name, value + "\n", 0o600, places.account, places.account, secret=True)

    yield from (one(name, secrets.token_hex(32)) for name in SECRET_NAMES)
    if answers.ldap_bind_dn:
        yield one(LDAP_PASSWORD, ldap_password)


def _door_config(answers: Answers, places: Places) -> str:
    tree: dict[str, object] = {
        "groups": list(answers.unix_groups or answers.user_groups),
        "admin_groups": list(answers.admin_groups),
        "python": "/usr/bin/python3",
        "agent": str(agent(answers)),
        "log": str(places.door_log),
        "bin_dir": str(answers.slurm_bin_dir),
    }
    if answers.slurm_conf:
        tree["conf"] = str(answers.slurm_conf)
    return json.dumps(tree, indent=2) + "\n"


def agent(answers: Answers) -> Path:
    """The sessions' agent: one file, on storage that the nodes share."""
    return answers.shared / "agent.pyz"


def templates(answers: Answers) -> Path:
    return answers.shared / "templates"


def _values(answers: Answers, places: Places) -> dict[str, str]:
    """Values used as they are in units, sudoers and the like: each has been checked, or is ours."""
    home = str(places.prefix).startswith(("/home/", "/root/"))
    low = places.ports["proxy"] < 1024
    return {
        "account": places.account,
        "prefix": str(places.prefix),
        "toml": str(places.toml),
        "data": str(places.data),
        "secrets": str(places.secrets),
        "door": str(places.door),
        "door_log": str(places.door_log),
        "door_capabilities": DOOR_CAPABILITIES,
        "proxy_capabilities": "CAP_NET_BIND_SERVICE" if low else "",
        "protect_home": "read-only" if home else "yes",
        "proxy_program": str(places.proxy / "node_modules/.bin/configurable-http-proxy"),
        "node_url": f"http://{answers.head}:{places.ports['portal']}",
        "head": answers.head,
        "url": answers.url,
        "sessions_url": answers.sessions_url,
        "subdomains": str(bool(answers.wildcard)).lower(),
        "database_url": answers.database_url,
        "environments_python": str(answers.environments_python),
        "ldap_bind_dn": answers.ldap_bind_dn,
        "ldap_user_base": answers.ldap_user_base,
        "ldap_group_base": answers.ldap_group_base,
        "slurm_bin_dir": str(answers.slurm_bin_dir),
        **{f"{name}_environment": str(answers.shared / "environments" / name) for name in LOCKS},
        **{f"{name}_packages": lock for name, lock in LOCKS.items()},
        "templates": str(templates(answers)),
    } | _toml_values(answers, places)


def _toml_values(answers: Answers, places: Places) -> dict[str, str]:
    """Values of portal.toml that are not plain strings, as TOML."""
    return {
        **{f"{name}_port": str(port) for name, port in places.ports.items()},
        "portal_hosts": _list(list(dict.fromkeys(["127.0.0.1", answers.head]))),
        "ldap_servers": _list(answers.ldap_servers),
        "user_groups": _list(answers.user_groups),
        "admin_groups": _list(answers.admin_groups),
        "start_tls": str(answers.start_tls).lower(),
        "ldap_ca": f"ca_file = {_string(str(answers.ldap_ca_file))}" if answers.ldap_ca_file else "",
        "ldap_password_file": (
            f"bind_password_file = {_string(str(places.secrets / LDAP_PASSWORD))}" if answers.ldap_bind_dn else ""
        ),
        "slurm_conf": f"conf = {_string(str(answers.slurm_conf))}" if answers.slurm_conf else "",
        "door_command": _list(("sudo", "-n", str(places.door))),
    }


_TOML = {"ldap_servers", "user_groups", "admin_groups", "start_tls", "ldap_ca", "ldap_password_file", "slurm_conf"}
_TOML |= {"portal_hosts", "door_command", "subdomains", "proxy_port", "proxy_api_port", "portal_port", "hub_port"}


def _quoted(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values for portal.toml: strings as TOML strings."""
    return {name: value if name in _TOML else _string(value) for name, value in values.items()}


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_string, values))}]"


def _string(value: str) -> str:
    """A JSON string is a TOML string (TOML 1.0, "Basic strings")."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _without_blanks(text: str) -> str:
    """Remove the empty lines that `fill` leaves for unused keys; one between sections stays."""
    return re.sub(r"(?<=[^\n])\n(?=\n[a-z])", "", text)
