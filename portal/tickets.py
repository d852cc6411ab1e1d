"""A message from the portal to the Hub, carried by the browser: the user asked to log out on the portal's page."""

from __future__ import annotations

import hashlib
import hmac

GOOD_FOR_S = 60


def logout_ticket(key: str, username: str, *, now_s: float) -> str:
    """Return a ticket, valid for a minute, that lets the Hub log `username` out without asking again."""
    until = int(now_s) + GOOD_FOR_S
    return f"{until}.{_mac(key, username, until)}"


def is_logout_ticket(key: str, username: str, ticket: str, *, now_s: float) -> bool:
    until, _, mac = ticket.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) <= 12) or not now_s <= int(until) <= now_s + GOOD_FOR_S:
        return False
    return hmac.compare_digest(mac.encode(errors="replace"), _mac(key, username, int(until)).encode())


def _mac(key: str, username: str, until: int) -> str:
    return hmac.new(key.encode(), f"logout:{until}:{username}".encode(), hashlib.sha256).hexdigest()
