"""What a page that was shown before its server was there opens in a frame, once the server is.

GET portal/arrival[/tree/PATH]?page=DIGEST    log in, start the kernel that the page will request, and answer `same` if
                                              the page with this digest is the server's own, else `other`
"""

from __future__ import annotations

from typing import Any

from jupyterlab_server.handlers import LabHandler
from tornado import web

from .early_page import Keep, digest, without_session

POLICY = "default-src 'none'; frame-ancestors 'self'"


class Arrival(LabHandler):
    @web.authenticated
    def get(self, tree: str | None = None) -> None:
        self.xsrf_token  # noqa: B018  (sets the cookie that the page's requests need)
        page = digest(without_session(self.base_url, self.get_page_config()))  # the hooks start the kernel
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.set_header("Content-Security-Policy", POLICY)
        self.finish("same" if page == self.get_query_argument("page", "") else "other")


def show_early(server: Any) -> None:
    """Let the user's next session show this one's page before its server is there."""
    settings = server.web_app.settings
    for lab in server.extension_manager.extension_apps.get("jupyterlab", ()):
        settings["page_config_hook"] = Keep(settings.get("page_config_hook"))
        route = rf"{settings['base_url']}portal/arrival(?P<tree>/tree/.*)?"
        server.web_app.add_handlers(".*$", [(route, Arrival, {"name": lab.name})])
