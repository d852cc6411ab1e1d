"""Where the app of a session listens, and whether it answers there.

Jupyter checks logins itself, so it listens on the network. Any other app listens where only the agent can connect, with
the proxy in front of it on the port that the network sees.
"""

from __future__ import annotations

import http.client
import os
import pwd
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from . import ports, readiness
from .app_sockets import AppSocket, app_socket
from .launch import Launch, agent_path, app_environment, home
from .placeholders import fill, fill_words
from .processes import App
from .readiness import Answer

if TYPE_CHECKING:
    from agent import wire

    from .port_hosting import PortHosting
    from .proxy.guests import Guests
    from .proxy.server import Proxy
    from .ssh_hosting import Hosting


class Place:
    """The app listens on a port of this node, and checks logins itself.

    `values` and `environment` are those of the app that was started last; `ssh` serves SSH into its session,
    and `ports` opens ports of it.
    """

    def __init__(self, launch: Launch, *, ip: str, folder: str) -> None:
        self.launch = launch
        self.ip = ip
        self.port = 0
        self.folder = folder
        self.values: Mapping[str, str] = {}
        self.environment: dict[str, str] = {}
        self.ssh: Hosting | None = None
        self.ports: PortHosting | None = None
        self.guests: Callable[[], Guests | None] = lambda: None

    def start(self) -> App:
        """Start the app, on a new port each time. Raises OSError, ValueError."""
        self.port = ports.free_port(self.ip, self.launch.ports)
        return self._run({"ip": self.ip, "port": str(self.port)})

    def answer(self, app: App) -> Answer:
        """Return what answers at the app's address. Raises readiness.NotReady, readiness.ForeignListener."""
        return readiness.answer(self.ip, self.port, self.launch.ready_path, app.pid)

    def check_port(self) -> None:
        """Raise readiness.ForeignListener if the app has ended and yet its port is in use.

        Any program's outgoing connection may take a port between our choice and the app's start.
        """
        if not ports.is_free(self.ip, self.port):
            raise readiness.ForeignListener(self.port)

    def connections(self) -> int:
        return ports.connections(self.port)

    def last_used(self) -> float | None:
        """Return when somebody last used the app through our proxy, in seconds since 1970; None: not seen."""
        return None

    def close(self) -> None:
        """Clean up after the app has ended."""

    def _run(self, values: Mapping[str, str], *, before: tuple[str, ...] = (), keep: tuple[int, ...] = ()) -> App:
        values = {
            "agent": agent_path(),
            "python": sys.executable,
            "folder": self.folder,
            "home": home(),
            "user": pwd.getpwuid(os.getuid()).pw_name,
            **self.launch.option_values(),
            **values,
        }
        argv = [*before, *fill_words(self.launch.command, values)]
        self.values, self.environment = values, app_environment(self.launch, values)
        return App(argv, self.environment, home(), keep=keep)


class ProxiedPlace(Place):
    """The app listens where only the agent can connect; the proxy lets its owner in."""

    def __init__(self, launch: Launch, orders: wire.Proxy, *, ip: str, folder: str, log: Callable[[str], None]) -> None:
        """`orders`: the portal's settings for the proxy."""
        super().__init__(launch, ip=ip, folder=folder)
        self._orders = orders
        self._log = log
        self._values = {
            "secret": secrets.token_urlsafe(32),
            "base_url": str(orders["base_url"]).rstrip("/"),
        }
        self._app_socket: AppSocket | None = None
        self._app: App | None = None
        self._proxy: Proxy | None = None

    def start(self) -> App:
        """Start the proxy, and the app behind it. Raises OSError, ValueError, KeyError."""
        self._app_socket = socket = app_socket(str(self._orders["listen"]), self.folder, self.launch.ports)
        self._app = self._run({**self._values, **socket.values}, before=socket.before, keep=socket.keep)
        socket.started()
        if self._proxy is None:
            self._proxy = self._stand_before()
        return self._app

    def _stand_before(self) -> Proxy:
        from .proxy import stand  # pulls in asyncio, which Jupyter sessions do not need

        self.port = ports.free_port(self.ip, self.launch.ports)
        listener = socket.socket(ports.family_of(self.ip), socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((self.ip, self.port))
        headers = {name: fill(str(value), self._values) for name, value in self._orders["headers"].items()}
        return stand(
            {**self._orders, "headers": headers},
            listener=listener,
            connect=self._connect,
            output=lambda: self._app.output.tail() if self._app else "",
            log=self._log,
            ssh=self.ssh,
            ports=self.ports.opened() if self.ports else None,
            guests=self.guests(),
        )

    def _connect(self, timeout_s: float) -> socket.socket:
        if self._app_socket is None:
            raise ConnectionRefusedError("the app has not started")
        return self._app_socket.connect(timeout_s)

    def check_port(self) -> None:
        """Do nothing: the port is the proxy's, and nobody can take the app's own place."""

    def answer(self, app: App) -> Answer:
        if self._app_socket is None:
            return Answer.NOTHING
        try:
            made = self._app_socket.connect()
        except OSError:
            return Answer.NOTHING
        connection = http.client.HTTPConnection("localhost")
        connection.sock = made
        try:
            self._app_socket.vouch(app.pid)
            made.settimeout(readiness.ANSWER_TIMEOUT_S)
            connection.request("GET", self.launch.ready_path, headers=dict(self._ready_headers()))
            readiness.check(connection.getresponse().status, self.launch.ready_path)
        except (OSError, http.client.HTTPException):
            return Answer.NOTHING
        finally:
            connection.close()
        return Answer.APP

    def _ready_headers(self) -> list[tuple[str, str]]:
        return [(name, fill(str(value), self._values)) for name, value in self._orders["headers"].items()]

    def connections(self) -> int:
        return self._proxy.open if self._proxy else 0

    def last_used(self) -> float | None:
        return self._proxy.last_used if self._proxy else None

    def close(self) -> None:
        if self._app_socket is not None:
            self._app_socket.close()
