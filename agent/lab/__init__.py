"""What the portal adds to the JupyterLab of its sessions: TensorBoard on a folder, in a tab of its own; and websockets
that end with the login that opened them.

A server extension (this package) and a Lab extension beside it (`labextension/`, JavaScript as the browser runs it,
without a build). Both travel in the agent's one file, so that every Jupyter of every environment has them, in the
version of the portal. In the session the package is called `portal_lab`.
"""

from __future__ import annotations

import os
from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add our addresses to a Jupyter server, and see to it that what we start ends with it."""
    from .handlers import routes
    from .logins import Logins
    from .tensorboards import TensorBoards

    boards = TensorBoards(
        root=os.path.expanduser(server.contents_manager.root_dir),
        scratch=os.path.join(server.runtime_dir, "tensorboards"),
        base_url=server.web_app.settings["base_url"],
        log=server.log,
    )
    server.web_app.settings["portal_tensorboards"] = boards
    server.web_app.add_handlers(".*$", routes(boards.base_url))

    if hasattr(server.identity_provider, "hub_auth"):
        server.io_loop.add_callback(Logins(server.identity_provider, server.log).watch)
