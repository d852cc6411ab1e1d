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
        "Without a wildcard name the sessions of all users share one host with the Hub, so a browser does not keep "
        "them apart: only the gate in the web server stops a link to somebody else's session from acting as whoever "
        "opens it."
    ),
    Isolation.ONE_HOST: (
        "With one host name for everything a browser does not keep the portal and the sessions apart: a link to "
        "somebody else's session can act in the portal, and in every session, as whoever opens it."
    ),
}
