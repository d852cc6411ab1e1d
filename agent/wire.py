"""What the portal tells the agent to start; the portal imports it as `portal/sessions/agent_wire.py`, a link to it.

Types only: `job/launch.py` checks the values. The agent's own messages are in `portal/sessions/schemas.py`.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Option(TypedDict):
    """An option of the app, with its value. `folder`: a path, of a folder or a file; `create`: make the folder."""

    name: str
    value: str
    folder: bool
    create: bool


class Link(TypedDict):
    """A link in the home."""

    name: str
    target: str


class Image(TypedDict):
    """An environment that is an image, whose kernels Jupyter offers; `words` are the options of `enter-image`."""

    name: str
    title: str
    words: list[str]


class Bar(TypedDict):
    """The session's line: where it reads what the portal reports; `in_pages`: whether the app's pages get it."""

    session: str
    owner: str
    api: str
    pages: str
    end_key: str
    in_pages: bool


class Proxy(TypedDict):
    """How the proxy in front of the app speaks with browser, Hub and app."""

    base_url: str
    public_url: str
    portal_url: str
    own_host: bool
    listen: Literal["private", "socket", "port"]
    strip_prefix: bool
    headers: dict[str, str]
    cookies: list[str]
    user_header: str
    user_cookie: str
    hub: dict[str, str]
    api_token: str
    bar: NotRequired[Bar]


class Ssh(TypedDict):
    """SSH into the session, for its owner alone. `words` enter the environment; with `image`, anew for each command."""

    owner: str
    words: list[str]
    env: dict[str, str]
    image: bool


class OpenPorts(TypedDict):
    """How the session's owner, and nobody else, opens ports of its processes."""

    owner: str
    base_url: str
    public_url: str
    portal_url: str
    own_host: bool


class Guests(TypedDict):
    """Guests of the session, whom its owner has opened an app or a port to; the portal knows them."""

    base_url: str
    public_url: str
    portal_url: str


class AppLaunch(TypedDict):
    """The part that depends on the app: Jupyter checks logins itself, any other app has `proxy`."""

    command: list[str]
    env: dict[str, str]
    ready_path: str
    options: NotRequired[list[Option]]
    proxy: NotRequired[Proxy]
    image: NotRequired[Image]
    ssh: NotRequired[Ssh]
    open_ports: NotRequired[OpenPorts]
    guests: NotRequired[Guests]


class Launch(AppLaunch):
    """One app to start. Placeholders in braces in `command` and `env` are filled in on the node."""

    ip: str
    ports: list[int]
    links: list[Link]
    copies: list[dict[str, str]]
    report_interval_s: float
    start_timeout_s: float
    warn_before_s: list[int]
    log_days: int
    ends_at: str | None
