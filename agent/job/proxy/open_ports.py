"""Opens a port of the session to its owner and guests: `proxy-port/8501/` below the session's address.

The program behind it sees paths without this prefix. Below `proxy-port/absolute/8501/` it sees them whole, for programs
that can be told their address. `own_ports.py` makes sure that it is a program of this session.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Callable

from . import pages
from .app_side import AppSide
from .forward import Rules, Visitor
from .messages import Exchange, Request
from .passage import Passage

if TYPE_CHECKING:
    from agent import wire
    from agent.job.own_ports import OwnPorts

PATH = "proxy-port/"
ADDRESS = re.compile(r"((?:absolute/)?([1-9][0-9]{0,4}))(/?)")
LAST_PORT = 65535
PORTS_KEPT = 32
RETRY_S = 2
#: Logins of JupyterHub, Jupyter and this proxy: no program behind a port gets them.
LOGIN_COOKIES = ("__Host-", "__Secure-", "_xsrf", "jupyterhub", "jupyter-", "portal-", "username-")


class OpenPorts:
    def __init__(self, orders: wire.OpenPorts, own: OwnPorts) -> None:
        self._owner = orders["owner"]
        self._own = own
        self._threads = ThreadPoolExecutor(4, "ports")
        self._passages: OrderedDict[str, Passage] = OrderedDict()
        self._rules = Rules(
            base_url=str(orders["base_url"]) + PATH,
            public_url=str(orders["public_url"]),
            portal_url=str(orders["portal_url"]),
            strip_prefix=True,
            headers={},
            cookies=("*",),
            user_header="",
            user_cookie="",
            own_host=orders["own_host"] is True,
            cookies_kept_back=LOGIN_COOKIES,
        )

    def owns(self, request: Request) -> bool:
        return request.path.startswith(self._rules.base_url)

    async def answer(self, request: Request, visitor: Visitor, browser: Exchange, used: Callable[[], None]) -> bool:
        """Answer a request of a user who has logged in; return whether another may follow on the connection."""
        way = self._way(request, visitor)
        if isinstance(way, Passage):
            used()
            return await way.pass_on(request, visitor, browser, used)
        browser.wire.write(way)
        await browser.wire.flush()
        return False

    def _way(self, request: Request, visitor: Visitor) -> Passage | bytes:
        """Return the way to the port, or the answer to send instead."""
        base = self._rules.base_url
        address = ADDRESS.match(request.path, len(base))
        may = visitor.is_guest or visitor.name == self._owner
        if not may or address is None or int(address[2]) > LAST_PORT:
            return self._page(404, "There is nothing at this address", "Open a port from the session's menu.")
        port, end = int(address[2]), address.end()
        if not address[3]:
            if end < len(request.path):
                return self._page(404, "There is nothing at this address", "Open a port from the session's menu.")
            return pages.redirect(f"{request.path}/{request.target[end:]}")
        if not self._rules.same_origin(request):
            return self._page(403, "Request refused", "Another site's page may not use this session.")
        if port < self._own.FIRST_PORT:
            text = f"Ports below {self._own.FIRST_PORT} belong to the system. Start your program on a higher one."
            return self._page(403, f"Port {port} cannot be opened", text)
        if self._own.is_internal(port):
            text = "Jupyter, one of its kernels or the session itself uses it. Start your program on another port."
            return self._page(403, f"Port {port} cannot be opened", text)
        return self._passage(port, address[1])

    def _passage(self, port: int, name: str) -> Passage:
        passage = self._passages.get(name)
        if passage is None:
            rules = self._rules._replace(
                base_url=f"{self._rules.base_url}{name}/", strip_prefix=not name.startswith("absolute")
            )
            apps = AppSide(lambda timeout_s: self._own.connect(port, timeout_s), self._threads)
            passage = self._passages[name] = Passage(rules, apps, lambda error: self._silent(port, error))
            while len(self._passages) > PORTS_KEPT:
                self._passages.popitem(last=False)
        return passage

    def _silent(self, port: int, error: Exception) -> bytes:
        if isinstance(error, ConnectionRefusedError):
            text = "This page tries again until a program of this session listens there."
            return self._page(503, f"Nothing listens on {port} yet", text, retry_s=RETRY_S)
        if isinstance(error, PermissionError):
            text = "A program outside this session uses it on this node. Start yours on another port."
            return self._page(403, f"Port {port} cannot be opened", text)
        text = "Its program may be busy, or may have ended."
        return self._page(502, f"Port {port} does not answer", text)

    def _page(self, status: int, title: str, text: str, *, retry_s: int = 0) -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url, retry_s=retry_s)
