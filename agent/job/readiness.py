"""Checks that the app answers, and that it is really our app that answers."""

from __future__ import annotations

import enum
import http.client
import socket

from .early import HEADER
from .ports import family_of, is_theirs
from .processes import descendants

ANSWER_TIMEOUT_S = 5.0


class Answer(enum.Enum):
    """What answers at the app's address. `EARLY`: a page that waits for the app, so users can be let in."""

    NOTHING = enum.auto()
    EARLY = enum.auto()
    APP = enum.auto()


class ForeignListener(Exception):
    """A process other than the app's listens on the app's port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is already in use")


class NotReady(Exception):
    """The app answers, but is not ready; carries a sentence."""


def check(status: int, path: str) -> None:
    """Raise NotReady if an app that answers `GET path` with this status is not ready.

    A server error and a missing page say that it is not; a redirect, or a refusal without a login, come from an app
    that works.
    """
    if status >= 500 or status == http.client.NOT_FOUND:
        raise NotReady(f"It last answered HTTP {status} at {path}.")


def answer(ip: str, port: int, path: str, pid: int) -> Answer:
    """Return what answers `GET path` for process `pid`: its app only if that is ready. Raises NotReady.

    Raises ForeignListener if the socket is not the app's: on a shared node somebody else may have taken the port
    between our choice and the app's start, and must not receive the user's requests.
    """
    if not _listens(ip, port):
        return Answer.NOTHING
    ours = is_theirs(ip, port, lambda: {pid, *descendants()})
    if ours is None:
        return Answer.NOTHING
    if not ours:
        raise ForeignListener(port)
    connection = http.client.HTTPConnection(ip, port, timeout=ANSWER_TIMEOUT_S)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        check(response.status, path)
    except (OSError, http.client.HTTPException):
        return Answer.NOTHING
    finally:
        connection.close()
    return Answer.APP if response.headers.get(HEADER) is None else Answer.EARLY


def _listens(ip: str, port: int) -> bool:
    """Return whether anything listens on the port; cheap enough for a hundred calls a second."""
    with socket.socket(family_of(ip), socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((ip, port)) == 0
