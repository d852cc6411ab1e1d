"""Logs a browser out as the web app does."""

from __future__ import annotations

import httpx2

from tests.demo_site import API


def log_out(browser: httpx2.Client) -> httpx2.Response:
    """Log a browser out through the portal's button; return the page where it ends up."""
    browser.get("/services/portal/login").raise_for_status()
    csrf = browser.get(f"{API}/me").raise_for_status().json()["csrf_token"]
    where = browser.post(f"{API}/logout", headers={"X-CSRF-Token": csrf}).raise_for_status().json()["location"]
    return browser.get(where).raise_for_status()
