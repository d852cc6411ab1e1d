"""A site's earlier answers, read back from its portal.toml, as defaults for `portal init`."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from portal.deploy.answers import wildcard_of
from portal.errors import ConfigurationError

KEYS = {
    "--url": ("server", "public_url"),
    "--sessions-url": ("hub", "public_url"),
    "--head": ("hub", "ip"),
    "--ldap": ("ldap", "servers"),
    "--ldap-user-base": ("ldap", "user_base"),
    "--ldap-group-base": ("ldap", "group_base"),
    "--ldap-bind-dn": ("ldap", "bind_dn"),
    "--user-group": ("ldap", "user_groups"),
    "--admin-group": ("ldap", "admin_groups"),
}
JOINED = {"--ldap": " ", "--user-group": ", ", "--admin-group": ", "}


def answers(toml: Path) -> dict[str, str]:
    """Return the answers by flag; none if there is no file. Raises ConfigurationError for a broken file."""
    try:
        tree = tomllib.loads(toml.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{toml} cannot be read: {error}.", hint="Fix it, or move it away.") from error
    results: dict[str, str] = {}
    for flag, (section, key) in KEYS.items():
        value = _at(tree, section, key)
        results[flag] = JOINED[flag].join(value) if isinstance(value, list) else str(value or "")
    if results["--sessions-url"] and _at(tree, "hub", "subdomains") is True:
        results["--wildcard"] = wildcard_of(results["--sessions-url"])
    if base := _at(tree, "environments", "base"):
        with suppress(KeyError, TypeError):
            results["--shared"] = str(Path(base["path"]).parent.parent)
    return results


def _at(tree: dict[str, Any], section: str, key: str) -> Any:
    part = tree.get(section)
    return part.get(key) if isinstance(part, dict) else None
