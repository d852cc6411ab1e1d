"""Remembers which documents a session has open, so that the next one can open them again.

Kept in the user's home, since sessions come and go on any node: one list for each of the last few sessions.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any, Mapping

from .portal import Portal, PortalUnavailable

FILE = "portal/open-documents.json"
SESSIONS = 8
MOST = 50
LONGEST = 1024


class Documents:
    def __init__(self, portal: Portal, environ: Mapping[str, str]) -> None:
        state = environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        self._path = os.path.join(state, FILE)
        self._portal = portal

    async def earlier(self) -> list[str]:
        """Return what the last session had open, if it has ended and this one has opened nothing yet."""
        known = self._read()
        if self._portal.session in known or not known:
            return []
        last = max(known, key=lambda session: known[session]["at"])
        try:
            answer = await self._portal.call("GET", f"/sessions/{last}")
        except PortalUnavailable:
            return []
        # 404: the portal has forgotten it, so it is long over.
        over = answer.code == 404 or (answer.code == 200 and json.loads(answer.body)["state"] == "ended")
        return list(known[last]["paths"]) if over else []

    def keep(self, paths: list[str]) -> None:
        """Record what is open now. Raises OSError."""
        known = {**self._read(), self._portal.session: {"at": time.time(), "paths": paths}}
        newest = sorted(known, key=lambda session: known[session]["at"])[-SESSIONS:]
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        new = f"{self._path}.{self._portal.session}"
        with open(new, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            json.dump({session: known[session] for session in newest}, file)
        os.replace(new, self._path)

    def _read(self) -> dict[str, Any]:
        """Return the sessions with their lists; what is malformed counts as missing."""
        try:
            with open(self._path, encoding="utf-8") as file:
                data = json.load(file)
            return {
                entry: known
                for entry, known in data.items()
                if entry.isalnum() and is_list(known["paths"]) and known["at"] + 0
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}


def is_list(paths: Any) -> bool:
    """Return whether this is a list of paths within bounds."""
    return (
        isinstance(paths, list)
        and len(paths) <= MOST
        and all(isinstance(path, str) and 0 < len(path) <= LONGEST for path in paths)
    )
