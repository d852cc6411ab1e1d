"""The proxy in the job: guards an app that has no login, and lets its owner in.

It runs inside the agent, on the one port of the session that the network sees. The app listens where nobody else can
connect. Every request, websockets included, is checked by itself, whatever came before it on its connection, and
long-lived ones are checked again.

server ── admission ── gate ── hub     who the user is, and whether they may enter
  │           └────── guests           colleagues, where the owner has let them in
  ├───── passage ── forward            what the app sees of a request, and the browser of an answer
  ├───── bar ── session ── portal     the session's line in the app's page
  ├───── ssh                          SSH into the session
  ├───── open_ports                   ports of the session; handed_over takes their requests from Jupyter
  ├───── app_side                     the connections to the app
  └───── messages, wire               HTTP/1.1 heads and bodies; one connection
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from .activity import Activity
from .app_side import Connect
from .bar import Bar
from .forward import Rules
from .gate import Gate
from .guests import Guests
from .hub import Hub
from .open_ports import OpenPorts
from .server import WATCH_S, Proxy
from .ssh import Ssh

if TYPE_CHECKING:
    from agent import wire
    from agent.job.ssh_hosting import Hosting


def stand(
    orders: wire.Proxy,
    *,
    listener: socket.socket,
    connect: Connect,
    output: Callable[[], str],
    log: Callable[[str], None],
    ssh: Hosting | None = None,
    ports: OpenPorts | None = None,
    guests: Guests | None = None,
    watch_s: float = WATCH_S,
) -> Proxy:
    """Start the proxy on `listener` with the portal's `orders`; raises KeyError, TypeError if they are malformed."""
    rules = Rules.parse(orders)
    hub = Hub(orders["hub"], str(orders["api_token"]))
    gate = Gate(hub, base_url=rules.base_url, secure=rules.public_url.startswith("https:"), own_host=rules.own_host)
    bar = None
    if (line := orders.get("bar")) is not None:
        bar = Bar(line, base_url=rules.base_url, token=str(orders["api_token"]))
    proxy = Proxy(
        listener=listener,
        gate=gate,
        rules=rules,
        connect=connect,
        output=output,
        log=log,
        bar=bar,
        ssh=Ssh(ssh, base_url=rules.base_url) if ssh else None,
        ports=ports,
        guests=guests,
        watch_s=watch_s,
    )
    proxy.start()
    Activity(hub, lambda: proxy.last_used).start()
    return proxy
