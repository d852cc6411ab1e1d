"""The agent's side of opening ports: knows them for its reports and, with Jupyter, takes the requests it hands over."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .own_ports import OwnPorts

if TYPE_CHECKING:
    from agent import wire

    from .proxy.guests import Guests
    from .proxy.handed_over import HandedOver
    from .proxy.open_ports import OpenPorts

SOCKET = "ports.sock"
BACKLOG = 64
LOOK_EVERY_S = 3.0


class PortHosting(threading.Thread):
    """A thread that does nothing unless `orders` allow it; `own.reserved` is to be set by whoever knows the port."""

    def __init__(
        self,
        orders: wire.OpenPorts | None,
        folder: str,
        pids: Callable[[], Iterable[int]],
        log: Callable[[str], None],
        guests: Callable[[], Guests | None] = lambda: None,
    ) -> None:
        """`folder`: the session's own, which only its user may enter; `guests` creates the list of its guests."""
        super().__init__(name="take-ports", daemon=True)
        self._orders = orders
        self._path = os.path.join(folder, SOCKET)
        self._log = log
        self._guests = guests
        self._listener: socket.socket | None = None
        self._handed: HandedOver | None = None
        self._seen: frozenset[int] = frozenset()
        self._next_look = 0.0
        self.own = OwnPorts(pids, Path(folder) / "runtime")

    def opened(self) -> OpenPorts | None:
        """Return what answers requests for ports; None if the site has switched it off."""
        if self._orders is None:
            return None
        from .proxy.open_ports import OpenPorts  # pulls in asyncio

        return OpenPorts(self._orders, self.own)

    def listed(self) -> list[dict[str, Any]] | None:
        return None if self._orders is None else self.own.listed()

    def changed(self) -> bool:
        """Return whether a program of this user has started or stopped listening since the last look.

        Looks every few seconds, however often it is called.
        """
        now = time.monotonic()
        if self._orders is None or now < self._next_look:
            return False
        self._next_look = now + LOOK_EVERY_S
        before, self._seen = self._seen, self.own.seen()
        return self._seen != before

    @property
    def last_used(self) -> float | None:
        return self._handed.last_used if self._handed else None

    def run(self) -> None:
        """Take connections from Jupyter."""
        if self._orders is None:
            return
        try:
            self._listener = listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(self._path)
            os.chmod(self._path, 0o600)
            listener.listen(BACKLOG)
        except OSError as error:
            self._log(f"ports: {error!r}")
            return
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            handed = self._handed or self._serve_handed(self._orders)
            threading.Thread(target=handed.take, args=(connection,), daemon=True).start()

    def _serve_handed(self, orders: wire.OpenPorts) -> HandedOver:
        from .proxy.handed_over import HandedOver
        from .proxy.open_ports import OpenPorts

        ports = OpenPorts(orders, self.own)
        self._handed = HandedOver(
            ports, owner=orders["owner"], guests=self._guests(), portal_url=orders["portal_url"], log=self._log
        )
        return self._handed

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
