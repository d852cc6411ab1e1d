"""Starts the Jupyter server of a session, with the environment's own Python, as fast as possible.

It is the complete `jupyterhub-singleuser` (login through the Hub, extensions), without imports that a session's server
never uses but that take three quarters of its start-up time (measured: 2.05 s with them, 0.57 s without the largest):

- jsonschema's optional checks of formats: `rfc3987_syntax` builds a Lark grammar at import (1 s); two more take 0.04 s;
- `jupyterhub.singleuser` pulls in the Hub's database and page handlers, with SQLAlchemy and Alembic (0.3 s);
- `jupyterlab.labapp` runs `node yarn config` at import (0.3 s), for a registry address that only `lab build` needs;
- `aiohttp` reads the system's certificates twice at import (0.06 s); the first https request reads them instead;
- six packages read the entry points of all installed ones (0.04 s each); they share one reading.

If a future version needs one of them, everything is imported as usual.

It also leaves out `aiodns`, which aiohttp would use to resolve the Hub's address: its c-ares caches an answer for as
long as the name server allows (ten minutes in Docker's networks), so a Hub that comes back at another address is not
found. Without it aiohttp uses the system's resolver, which respects the node's nsswitch.conf, and asks it again after
ten seconds.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import ssl
import sys
import time
import types
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Awaitable, Callable, Iterator
from zipfile import BadZipFile

from .early import begin, hand_over
from .enter import NO_JUPYTER
from .lab import bring
from .launch import agent_path

ENTRY_POINTS_KEPT_S = 30.0
FORMAT_CHECKS = ("rfc3987_syntax", "rfc3986_validator", "isoduration")
SETTINGS = [
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
]

LAB_DEFAULTS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}

NO_JUPYTERHUB = (
    "This environment has no JupyterHub, so it cannot serve Jupyter. Administrators: with `extends`, another "
    "environment serves it and offers this one's kernels."
)

# Where the server asks the Hub for its version before it starts: as an extension, and as the older application.
HUB_CHECKS = (
    ("jupyterhub.singleuser.extension", "JupyterHubSingleUser"),
    ("jupyterhub.singleuser.mixins", "SingleUserNotebookAppMixin"),
)

# Names that `jupyterhub.singleuser` imports from Hub-only modules; they only have to exist.
STAND_INS: dict[str, dict[str, Any]] = {
    "sqlalchemy": {"__path__": []},
    "sqlalchemy.exc": {"SQLAlchemyError": type("SQLAlchemyError", (Exception,), {})},
    "jupyterhub.orm": {},
    "jupyterhub.roles": {},
    "jupyterhub.handlers": {"__path__": []},
    "jupyterhub.handlers.pages": {"HealthCheckHandler": type("HealthCheckHandler", (), {})},
    "jupyterhub.metrics": {"prometheus_log_method": lambda handler: None},
}


def serve(arguments: list[str]) -> int:
    """Run the server until it ends; `arguments` are Jupyter's own."""
    sys.path.pop(0)  # the agent's file; the server must import from its environment alone
    early = begin(os.environ)
    read_entry_points_once()
    gc.disable()  # nothing is collectable while modules load
    # None makes an import fail, as documented; the type checker knows modules only.
    sys.modules.setdefault("aiodns", None)  # type: ignore[arg-type]
    try:
        with certificates_later(), without(FORMAT_CHECKS):
            main = import_server()
    except ModuleNotFoundError as missing:
        if missing.name != "jupyterhub":
            raise
        print(NO_JUPYTERHUB, file=sys.stderr, flush=True)
        return NO_JUPYTER
    if early is not None:
        hand_over(early, sys.modules["tornado.httpserver"].HTTPServer, sys.modules["jupyter_server.serverapp"])
    wait_for_the_hub()
    gc.freeze()
    gc.enable()
    _prepare_lab()
    sys.argv = ["jupyterhub-singleuser", *SETTINGS, *arguments]
    return main() or 0


@contextmanager
def without(names: tuple[str, ...]) -> Iterator[None]:
    """Let what is imported in the block find none of these modules; later imports find them."""
    missing = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]  # None, as for aiodns
    try:
        yield
    finally:
        for name in missing:
            sys.modules.pop(name, None)


@contextmanager
def certificates_later() -> Iterator[None]:
    """Let aiohttp, imported in the block, read the system's certificates when it first makes an https request."""
    unread: list[ssl.SSLContext] = []

    def postpone(context: ssl.SSLContext) -> None:
        unread.append(context)

    ssl.SSLContext.set_default_verify_paths = postpone  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del ssl.SSLContext.set_default_verify_paths  # the inherited method is back
        _read_when_used(unread)


def _read_when_used(unread: list[ssl.SSLContext]) -> None:
    module: Any = sys.modules.get("aiohttp.connector")
    kept = list(vars(module).values()) if hasattr(module, "TCPConnector") else []
    late = [context for context in unread if context in kept]
    for context in unread:
        if context not in late:
            context.set_default_verify_paths()
    if not late:
        return
    choose = module.TCPConnector._get_ssl_context  # noqa: SLF001  (aiohttp's name)

    def read_and_choose(self: Any, request: Any) -> Any:
        while request.is_ssl() and late:
            late.pop().set_default_verify_paths()
        return choose(self, request)

    module.TCPConnector._get_ssl_context = read_and_choose  # noqa: SLF001  (same)


def read_entry_points_once() -> None:
    """Let the packages that ask for entry points while the server starts share one reading.

    Each would read the metadata of all installed packages, which takes 0.04 s, some of it while the page waits.
    """
    if not hasattr(metadata, "EntryPoints"):
        return  # before Python 3.10
    read, until = metadata.entry_points, time.monotonic() + ENTRY_POINTS_KEPT_S
    everything = lru_cache(maxsize=1)(read)

    def entry_points(**chosen: Any) -> Any:
        return everything().select(**chosen) if time.monotonic() < until else read(**chosen)

    metadata.entry_points = entry_points


def wait_for_the_hub() -> None:
    """Keep a server that starts while the Hub is down waiting: JupyterHub's own ends after 46 seconds.

    The agent ends it if it does not answer within `agent.start_timeout_s`.
    """
    for module, name in HUB_CHECKS:
        server = getattr(sys.modules.get(module), name, None)
        check = getattr(server, "check_hub_version", None)
        if check is not None:
            server.check_hub_version = _patient(check)  # type: ignore[union-attr]


def _patient(check: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    async def patient(server: Any) -> None:
        while True:
            with suppress(SystemExit):  # after five attempts
                return await check(server)

    return patient


def _prepare_lab() -> None:
    """Load our own extension, and keep JupyterLab from asking every user about news and updates.

    Jupyter reads settings from each folder of JUPYTER_CONFIG_PATH; JupyterLab reads defaults for users' settings from
    its `labconfig` (users who want news override them). The session's own folder is removed with the session.
    """
    folder = os.environ.get("JUPYTER_RUNTIME_DIR")
    if folder is None:
        return
    with suppress(OSError):
        os.makedirs(os.path.join(folder, "labconfig"), exist_ok=True)
        with open(os.path.join(folder, "labconfig", "default_setting_overrides.json"), "w") as file:
            json.dump(LAB_DEFAULTS, file)
    with suppress(OSError, BadZipFile):
        bring(Path(folder), agent_path())
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([folder, *([others] if others else [])])


def import_server() -> Any:
    try:
        with_stand_ins = _import_with_stand_ins()
    except Exception:
        for name in [name for name in sys.modules if name.partition(".")[0] == "jupyterhub"]:
            del sys.modules[name]
    else:
        _import_lab()
        return with_stand_ins
    return importlib.import_module("jupyterhub.singleuser").main


def _import_with_stand_ins() -> Any:
    """Import the server with the stand-ins in place; later imports get the real modules."""
    for name, content in STAND_INS.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        sys.modules[name] = module
    try:
        return importlib.import_module("jupyterhub.singleuser").main
    finally:
        for name in STAND_INS:
            sys.modules.pop(name, None)


def _import_lab() -> None:
    """Import JupyterLab's app without its call to Yarn; a later `lab build` calls it again."""
    try:
        commands: Any = importlib.import_module("jupyterlab.commands")
        asks_yarn = commands._yarn_config  # noqa: SLF001  (JupyterLab's name)
    except (ImportError, AttributeError):
        return
    commands._yarn_config = lambda logger: {"yarn config": {}, "npm config": {}}  # noqa: SLF001  (JupyterLab's name)
    try:
        importlib.import_module("jupyterlab.labapp")
    except Exception:
        sys.modules.pop("jupyterlab.labapp", None)  # it is imported again as an extension, which shows its error
    finally:
        commands._yarn_config = asks_yarn  # noqa: SLF001  (JupyterLab's name)
