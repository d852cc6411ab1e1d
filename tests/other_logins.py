"""A site while its logins are another authenticator's than the directory's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.demo_site import INSIDE, DemoSite

PORTAL_TOML = str(INSIDE / "portal" / "portal.toml")


@contextmanager
def other_logins(site: DemoSite, login: str, *, user_groups: str | None = None) -> Iterator[None]:
    """Add `login` (TOML) to the settings, and start again what reads them; the settings are made anew at the end."""
    try:
        if user_groups:
            site.run("sed", "-i", f's|^user_groups = .*|user_groups = ["{user_groups}"]|', PORTAL_TOML)
        site.run("tee", "-a", PORTAL_TOML, stdin=login)
        for service in ("portal", "hub"):
            site.restart(service)
        yield
    finally:
        for service in ("settings", "portal", "hub"):
            site.restart(service)
