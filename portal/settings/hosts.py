"""The host of a user's sessions where each user has one, by JupyterHub's rule; the Hub imports it from here."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import urlsplit

LABEL = re.compile(r"(?![0-9]+$)(?!-)[a-z0-9-]{1,63}(?<!-)")


def subdomain(name: str, domain: str, kind: str = "user") -> str:
    """Return the host of a user or a service below `domain`: JupyterHub's `subdomain_hook`.

    Equals its own hook `idna` for every valid account name (portal.directory.normalise).
    """
    return f"{_label(name)}{'' if kind == 'user' else f'--{kind}'}.{domain}"


def same_site(one: str, other: str) -> bool:
    """Return whether browsers take two URLs for one site: the same scheme and registered domain.

    The registered domain is taken to be the last two labels. Below a longer public suffix (`.co.uk`) two sites pass for
    one, which costs no more than what depends on it.
    """
    first, second = urlsplit(one), urlsplit(other)
    if first.scheme != second.scheme:
        return False
    domains = [(url.hostname or "").split(".")[-2:] for url in (first, second)]
    return first.hostname == second.hostname or (domains[0] == domains[1] and not domains[0][-1].isdigit())


def _label(name: str) -> str:
    """Return the name if it is valid in a host name; otherwise its valid part with part of its hash."""
    if "--" not in name and LABEL.fullmatch(name):
        return name
    stub = re.sub(r"[^a-z0-9]", "", name.lower())[:8] or "x"
    return f"u-{stub}--{hashlib.sha256(name.encode()).hexdigest()[:7]}"
