"""How far a browser isolates portal, Hub and the sessions of different users, and what a site gives up."""

from __future__ import annotations

from enum import StrEnum


class Isolation(StrEnum):
    PER_USER = "per_user"
    """Portal, Hub and each user's sessions have hosts of their own."""
    TWO_HOSTS = "two_hosts"
    """The portal has a host of its own; the Hub and all sessions share another."""
    ONE_HOST = "one_host"

    @property
    def gives_up(self) -> str:
        """Return in one sentence what the site gives up; empty if nothing."""
        return _GIVES_UP[self]


_GIVES_UP = {
    Isolation.PER_USER: "",
    Isolation.TWO_HOSTS: (
        "Without a wildcard name the sessions of all users share one host with the Hub, so a browser does not "
        "isolate them: only the gate in the web server stops a link to another user's session from acting as the "
        "user who opens it."
    ),
    Isolation.ONE_HOST: (
        "With one host name for everything, a browser does not isolate the portal from the sessions: a link to "
        "another user's session can act in the portal, and in every session, as the user who opens it."
    ),
}
