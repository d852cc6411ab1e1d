"""A site whose logins come from another authenticator than the directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from tests.demo_site import API, INSIDE, DemoSite

PORTAL_TOML = str(INSIDE / "portal" / "portal.toml")


@contextmanager
def other_logins(site: DemoSite, login: str, *, user_groups: str | None = None) -> Iterator[None]:
    """Add `login` (TOML) to the settings, and restart what reads them; restore the settings at the end."""
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


def main_job(site: DemoSite, alice: httpx2.Client) -> str:
    """Start a session as alice, who has just logged in, and wait until it is ready; return its address in the API."""
    alice.get("/services/portal/login").raise_for_status()
    me = alice.get(f"{API}/me").json()
    assert (me["username"], me["admin"]) == ("alice", False)
    asked = {"app": "jupyterlab", "resources": {"gpus": 1}}
    answer = alice.post(f"{API}/sessions", json=asked, headers={"X-CSRF-Token": me["csrf_token"]})
    assert answer.status_code == 202, answer.text
    where = f"{API}/sessions/{answer.json()['id']}"
    site.wait_for(lambda: alice.get(where).json()["state"] == "ready", "the session to be ready", 120)
    return where
