"""The scopes that narrow a token: JupyterHub's custom scopes, which the Hub grants and the portal enforces.

A token with none or all of them may do whatever its user may.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

PREFIX = "custom:portal:"
READ, SESSIONS, JOBS, FILES, ADMIN = (f"{PREFIX}{name}" for name in ("read", "sessions", "jobs", "files", "admin"))
#: What the Hub's pages say of each.
DESCRIPTIONS = {
    READ: "Read your own sessions, jobs, files and usage",
    SESSIONS: "Start and stop your sessions, import images and templates, and read",
    JOBS: "Submit and cancel your batch jobs, and read",
    FILES: "Change, upload and delete your files, and read",
    ADMIN: "Do what administrators do, and read your own (administrators only)",
}


#: Which scope lets a token change something, by the package of portal/ that changes it; no other may at all.
WRITES = {"jobs": JOBS, "files": FILES} | dict.fromkeys(
    ("sessions", "sharing", "idle", "presets", "images", "notebooks", "messages"), SESSIONS
)


def lacks(granted: AbstractSet[str], needed: str | None) -> bool:
    """Return whether a token with these scopes may not do what needs `needed`; None: what no narrow token may.

    Every narrow token may read.
    """
    narrow = {scope for scope in granted if scope.startswith(PREFIX)}
    is_narrow = narrow and not narrow >= DESCRIPTIONS.keys()  # a token that was given no scopes inherits them all
    return bool(is_narrow) and needed != READ and needed not in narrow
