"""Shows JupyterLab's page while its server is still being imported: the browser runs JupyterLab's scripts meanwhile.

The page is the one that the user's last session has left (`kept_page.py`). It contains nothing private, so it needs no
login. Its script logs in once the server is there, and JupyterLab starts only then. Every other request waits, unread,
for the server, which takes over the port and the waiting connections.
"""

from __future__ import annotations

import json
import selectors
import socket
import threading
from contextlib import suppress
from typing import Any, Mapping
from urllib.parse import unquote, urlsplit

from .kept_page import KeptPage

HEADER = "X-Portal-Early"
"""In every response that comes before the server is there."""
MOST_HEAD = 1 << 16
SEND_TIMEOUT_S = 5.0


class Early:
    """Answers at the server's address, in a thread, until `take`."""

    def __init__(self, url: str, page: KeptPage) -> None:
        """`url`: the server's own, with its port. Raises OSError, ValueError."""
        address = urlsplit(url)
        host, self.port = address.hostname or "", address.port or 0
        if not host or not self.port:
            raise ValueError(f"not an address with a port: {url!r}")
        self._page = page
        self._base_url = address.path
        self._waiting: list[tuple[socket.socket, Any]] = []
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, self.port), family=family, backlog=128)
        self.listener.setblocking(False)
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="early", daemon=True)
        self._thread.start()

    def take(self) -> list[tuple[socket.socket, Any]]:
        """Stop answering; return the connections that wait for the server, with their addresses."""
        self._wake.close()
        self._thread.join()
        return self._waiting

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            selector.register(self.listener, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._woken:
                        self._woken.close()
                        silent = [other for other in selector.get_map().values() if other.data]
                        self._waiting += [(other.fileobj, other.data) for other in silent]  # type: ignore[misc]
                        return
                    if key.fileobj is self.listener:
                        with suppress(OSError):
                            connection, peer = self.listener.accept()
                            selector.register(connection, selectors.EVENT_READ, peer)
                    else:
                        selector.unregister(key.fileobj)
                        self._read(key.fileobj, key.data)

    def _read(self, connection: Any, peer: Any) -> None:
        """Answer a request for the page; let any other wait."""
        try:
            answer = self._answer(connection.recv(MOST_HEAD, socket.MSG_PEEK))
            if answer is None:
                self._waiting.append((connection, peer))
                return
            with connection:
                connection.settimeout(SEND_TIMEOUT_S)
                connection.recv(MOST_HEAD)
                connection.sendall(answer)
        except OSError:
            connection.close()

    def _answer(self, head: bytes) -> bytes | None:
        method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
        if method != "GET" or not head.endswith(b"\r\n\r\n"):
            return None
        path = rest.partition(" ")[0].partition("?")[0]
        if path == f"{self._base_url}api":
            return self._response("application/json", json.dumps({"version": self._page.server}))
        page, _, tree = path.partition("/tree/")
        if page == f"{self._base_url}lab" and path != f"{page}/tree/":
            return self._response("text/html; charset=UTF-8", self._page.fill(self._base_url, unquote(tree)))
        return None

    def _response(self, kind: str, text: str) -> bytes:
        body = text.encode()
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": self._page.policy,
            "X-Content-Type-Options": "nosniff",
            "X-JupyterHub-Version": self._page.hub,
            "Cache-Control": "no-store",
            HEADER: "1",
            "Connection": "close",
        }
        lines = ["HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def begin(environ: Mapping[str, str]) -> Early | None:
    """Answer at the server's address if there is a page to show and the port is free."""
    page = KeptPage.read(environ)
    if page is None:
        return None
    try:
        return Early(environ.get("JUPYTERHUB_SERVICE_URL", ""), page)
    except (OSError, ValueError):
        return None  # the server finds out by itself


def hand_over(early: Early, servers: Any, app: Any) -> None:
    """Let Jupyter's server take the port over when it is about to listen.

    `servers`: Tornado's class HTTPServer. `app`: the module jupyter_server.serverapp.
    """
    bind, listen = app.bind_sockets, servers.listen

    def bind_sockets(port: int, *arguments: Any, **options: Any) -> Any:
        return [early.listener.dup()] if port == early.port else bind(port, *arguments, **options)

    def take_over(server: Any, port: int, *arguments: Any, **options: Any) -> None:
        if port != early.port:
            listen(server, port, *arguments, **options)
            return
        app.bind_sockets, servers.listen = bind, listen
        server.add_socket(early.listener)
        for connection, peer in early.take():
            connection.setblocking(False)
            server._handle_connection(connection, peer)  # noqa: SLF001  (Tornado's name)

    app.bind_sockets, servers.listen = bind_sockets, take_over
