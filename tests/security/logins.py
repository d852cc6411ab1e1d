"""A browser's way out, as the web app goes it."""

from __future__ import annotations

import httpx2

from tests.demo_site import API


def log_out(browser: httpx2.Client) -> httpx2.Response:
    """Log a browser out by the portal's button; return the page it ends at."""
    browser.get("/services/portal/login").raise_for_status()
    csrf = browser.get(f"{API}/me").raise_for_status().json()["csrf_token"]
    where = browser.post(f"{API}/logout", headers={"X-CSRF-Token": csrf}).raise_for_status().json()["location"]
    return browser.get(where).raise_for_status()
