"""The directory's servers: tried in order; a dead one is skipped for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

import structlog

from portal.directory.client import Client, Connection
from portal.errors import DirectoryUnavailable

log = structlog.get_logger()
Answer = TypeVar("Answer")

DEAD_FOR_S = 30.0


class Servers:
    """Thread-safe: every connection is made, used and closed within one call."""

    def __init__(self, urls: list[str], client: Client, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._urls = urls
        self._client = client
        self._monotonic = monotonic
        self._dead_until: dict[str, float] = {}
        self._lock = threading.Lock()

    def ask(self, dn: str, password: str, question: Callable[[Connection], Answer]) -> Answer:
        """Put `question` to a server that answers, bound as `dn` (both empty: anonymously).

        A server that fails at any step is left alone for a while, and the next one is tried. Raises WrongPassword if
        the bind is refused, DirectoryUnavailable if no server answers.
        """
        failures = []
        for url in self._in_turn():
            try:
                with self._client.connect(url, dn, password) as connection:
                    answer = question(connection)
            except OSError as error:
                self._remember(url, dead=True)
                failures.append(f"{url}: {error}")
                log.warning("directory.server_failed", server=url, error=str(error))
                continue
            self._remember(url, dead=False)
            return answer
        raise DirectoryUnavailable(f"The directory does not answer ({'; '.join(failures)}).")

    def _in_turn(self) -> list[str]:
        """Return healthy servers in the settings' order, then recently failed ones: better late than no answer."""
        now = self._monotonic()
        with self._lock:
            dead = {url for url, until in self._dead_until.items() if until > now}
        return sorted(self._urls, key=lambda url: url in dead)

    def _remember(self, url: str, *, dead: bool) -> None:
        with self._lock:
            if dead:
                self._dead_until[url] = self._monotonic() + DEAD_FOR_S
            else:
                self._dead_until.pop(url, None)
