"""What the portal adds to its sessions' JupyterLab: TensorBoard on a folder in its own tab, the session itself (its
time, use and messages), and websockets that end with the login that opened them.

A server extension (this package) and a Lab extension beside it (`labextension/`, JavaScript as the browser runs it,
without a build). Both travel in the single-file agent, so that every environment's Jupyter has them, in the portal's
version. In the session the package is called `portal_lab`.
"""

from __future__ import annotations

import os
from typing import Any, Callable


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add our parts to a Jupyter server. One that fails is logged and takes no other with it."""
    for add in PARTS:
        _attempt(add, server)


def _attempt(add: Callable[[Any], None], server: Any) -> None:
    try:
        add(server)
    except Exception:  # Jupyter serves without it
        server.log.exception("The portal's extension could not %s.", add.__name__.strip("_").replace("_", " "))


def _end_websockets(server: Any) -> None:
    from .logins import Logins

    if hasattr(server.identity_provider, "hub_auth"):
        logins = Logins(server.identity_provider, server.log)
        server.io_loop.add_callback(logins.watch)
        server.web_app.settings["portal_logins"] = logins


def _keep_logins_apart(server: Any) -> None:
    from .logins_apart import keep_logins_apart

    if hasattr(server.identity_provider, "hub_auth"):
        keep_logins_apart(server.identity_provider.hub_auth)


def _send_at_once(server: Any) -> None:
    from .undelayed import send_at_once

    send_at_once()


def _add_tensorboard(server: Any) -> None:
    from .handlers import routes
    from .tensorboards import TensorBoards

    boards = TensorBoards(
        root=os.path.expanduser(server.contents_manager.root_dir),
        scratch=os.path.join(server.runtime_dir, "tensorboards"),
        base_url=server.web_app.settings["base_url"],
        log=server.log,
    )
    server.web_app.settings["portal_tensorboards"] = boards
    server.web_app.add_handlers(".*$", routes(boards.base_url))


def _add_session(server: Any) -> None:
    from .documents import Documents
    from .portal import Portal
    from .session import Session
    from .session_handlers import routes

    portal = Portal.here(os.environ)
    if portal is not None:
        server.web_app.settings["portal_session"] = Session(
            portal, server.log, root=os.path.expanduser(server.contents_manager.root_dir)
        )
        server.web_app.settings["portal_documents"] = Documents(portal, os.environ)
        server.web_app.add_handlers(".*$", routes(server.web_app.settings["base_url"]))


def _explain_full_disks(server: Any) -> None:
    from .full_disk import explain_full_disks

    explain_full_disks(server.contents_manager)


def _compress(server: Any) -> None:
    from .compressed import compress

    compress(server.web_app)


def _share(server: Any) -> None:
    from .shared import share

    share(server)


def _start_kernels_ahead(server: Any) -> None:
    from .ahead import start_ahead

    start_ahead(server)


def _show_early(server: Any) -> None:
    from .arrival import show_early

    show_early(server)


def _check_schemas_once(server: Any) -> None:
    from .schemas import check_once

    check_once(server)


def skip_build_check(server: Any) -> None:
    """Do not let the page ask whether to rebuild JupyterLab if its user cannot: the answer takes a second."""
    for lab in server.extension_manager.extension_apps.get("jupyterlab", ()):
        if not os.access(lab.app_dir, os.W_OK):
            server.web_app.settings["page_config_data"]["buildCheck"] = False


def _put_off(server: Any) -> None:
    from .later import put_off

    put_off(server)


def _write_busy_kernels(server: Any) -> None:
    from .kernels_busy import write_busy_kernels

    write_busy_kernels(server)


def _add_ssh(server: Any) -> None:
    from .ssh_handlers import routes

    server.web_app.add_handlers(".*$", routes(server.web_app.settings["base_url"]))


def _open_ports(server: Any) -> None:
    from .port_handlers import routes

    server.web_app.add_handlers(".*$", routes(server.web_app.settings["base_url"]))


PARTS = (
    _end_websockets,
    _keep_logins_apart,
    _send_at_once,
    _add_tensorboard,
    _add_session,
    _explain_full_disks,
    _compress,
    _share,
    _start_kernels_ahead,
    _show_early,
    _check_schemas_once,
    skip_build_check,
    _put_off,
    _write_busy_kernels,
    _add_ssh,
    _open_ports,
)
