"""The user's sessions, and which of them a name means."""

from __future__ import annotations

import re
import time
import uuid
from datetime import datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from . import table
from .api import call
from .device import Device
from .errors import Failure, NoAnswer

DOMAIN = ".portal"
WORDS = {"ready": "ready", "queued": "waiting in the queue", "stopping": "ending"}


def active(device: Device) -> list[Any]:
    """Return the sessions that have not ended, newest first. Raises Failure."""
    return list(call(device, "/sessions?state=active&limit=200")["items"])


def alias(session: Any) -> str:
    """Return the session's name as part of a host name."""
    name = re.sub("[^a-z0-9]+", "-", str(session["name"]).lower()).strip("-")
    return name or str(session["id"])


def find(device: Device, name: str) -> Any:
    """Return the session of this name, ready to connect to. Raises Failure, which lists the sessions there are."""
    wanted, meant = _named(device, name)
    ready = [one for one in meant if one["state"] == "ready"]
    if ready:
        return ready[0]
    state = WORDS.get(meant[0]["state"], "starting")
    why = f" ({meant[0]['reason']})" if meant[0].get("reason") else ""
    raise Failure(f"The session {wanted} is {state}{why}. Try again when it is ready.")


def start(device: Device, body: Any) -> Any:
    """Request a session; ask twice if there is no answer, and get the same session. Raises Failure."""
    key = str(uuid.uuid4())
    try:
        return call(device, "/sessions", "POST", body, key)
    except NoAnswer:
        return call(device, "/sessions", "POST", body, key)


def stop(device: Device, name: str) -> Any:
    """Stop the one session of this name. Raises Failure if there is none, or more than one."""
    wanted, meant = _named(device, name)
    if len(meant) > 1:
        ids = ", ".join(one["id"] for one in meant)
        raise Failure(f"Several sessions are called {wanted}. Stop one by its id: {ids}")
    return call(device, f"/sessions/{meant[0]['id']}", "DELETE")


def _named(device: Device, name: str) -> tuple[str, list[Any]]:
    """Return the name without its domain, and the active sessions that it means. Raises Failure if there are none."""
    wanted = name[: -len(DOMAIN)] if name.endswith(DOMAIN) else name
    found = active(device)
    meant = [one for one in found if wanted in (one["id"], one["server_name"], one["name"], alias(one))]
    if meant:
        return wanted, meant
    names = ", ".join(sorted({alias(one) for one in found}))
    others = f"Your sessions: {names}." if names else "You have no active sessions."
    raise Failure(f"You have no session {wanted}. {others}")


def base_url(device: Device, session: Any) -> str:
    """Return the session's base URL (`…/user/NAME/SERVER/`), without the page that the app opens on."""
    parts = urlsplit(urljoin(device.url + "/", str(session["url"] or "")))
    own = 4 if session["server_name"] else 3  # /user/NAME/SERVER/
    return parts._replace(path="/".join(parts.path.split("/")[:own]) + "/", query="", fragment="").geturl()


def time_left(session: Any) -> str:
    """Return the time left in words; empty if it is unknown."""
    if not session.get("ends_at"):
        return ""
    left = datetime.fromisoformat(session["ends_at"].replace("Z", "+00:00")).timestamp() - time.time()
    minutes = max(0, int(left // 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def print_list(sessions: list[Any]) -> None:
    """Print a table."""
    if not sessions:
        print("You have no active sessions.")
        return
    rows = []
    for one in sessions:
        host = alias(one) + DOMAIN if one["state"] == "ready" else ""
        rows.append([one["name"], one["state"], one["node"], time_left(one), host])
    table.show(["NAME", "STATE", "NODE", "LEFT", "HOST"], rows)
