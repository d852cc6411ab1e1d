"""A demo site whose portal has its own host, while Hub and everybody's sessions share another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.demo_site import INSIDE, DemoSite

PORTAL_TOML = str(INSIDE / "portal" / "portal.toml")


@contextmanager
def two_hosts(site: DemoSite, *, portal: str, sessions: str) -> Iterator[None]:
    """Give a site with one host (`hosts="one"`) two addresses; restore the settings at the end."""
    changes = (("server", portal), ("hub", sessions))
    change = "; ".join(f'/^\\[{part}\\]/,/^$/ s|^public_url = .*|public_url = "{url}"|' for part, url in changes)
    site.run("sed", "-i", change, PORTAL_TOML)
    try:
        for service in ("portal", "hub"):
            site.restart(service)
        yield
    finally:
        for service in ("settings", "portal", "hub"):
            site.restart(service)
