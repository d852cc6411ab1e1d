"""Redirects requests to the right host, where Hub and sessions have hosts of their own.

The proxy sends here what matches none of its routes: an IP address typed by hand, an old bookmark, the address of an
ended session. Browsers are redirected; nothing of the portal is served under a user's host.

Some apps ask for files at the root of their host, whatever prefix they are told: DIGITS for `/files/…`, TensorBoard for
`/font-roboto/…`. A request from a session's page, as its Referer says, is led back into that session.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.settings import Settings

#: The address of a session or its app, or of a port of it, at the start of a path.
_SESSION = re.compile(r"/user/[^/]+/[^/]+(?:/proxy-port/(?:absolute/)?[0-9]+)?(?=/)")


class HostRedirects:
    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._prefix = settings.server.prefix
        self._entry = f"{settings.server.public_url}{self._prefix}/"
        self._hub = settings.hub.public_url
        self._below_the_hub = f".{urlsplit(self._hub).hostname}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_ours(scope):
            await self._app(scope, receive, send)
        else:
            await self._lead_on(scope)(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        host = Headers(scope=scope).get("host", "").partition(":")[0].lower()
        inside = scope["path"] == self._prefix or scope["path"].startswith(f"{self._prefix}/")
        return inside and not host.endswith(self._below_the_hub)

    def _lead_on(self, scope: Scope) -> Response:
        path = scope["path"]
        if (inside := self._inside_its_session(scope)) is not None:
            headers = {"Cache-Control": "no-store", "Vary": "Referer"}
            return RedirectResponse(inside, status_code=307, headers=headers)
        if not _is_a_visit(scope):
            # 424 is the Hub's own status for a stopped server, which JupyterLab knows.
            return _error(424 if path.startswith("/user/") else 404)
        if not path.startswith(("/hub/", "/user/")):
            return RedirectResponse(self._entry, status_code=302)
        query = scope["query_string"].decode("latin-1")
        inside = path if path.startswith("/hub/") else f"/hub{path}"
        target = f"{self._hub}{quote(inside, safe='/:@~!$&()*+,;=')}"
        return RedirectResponse(f"{target}?{query}" if query else target, status_code=302)

    def _inside_its_session(self, scope: Scope) -> str | None:
        """Return the path below the session whose page asks, on the same host; None if no page of a session does."""
        headers, path = Headers(scope=scope), scope["path"]
        host, referer = headers.get("host", ""), urlsplit(headers.get("referer", ""))
        session = _SESSION.match(referer.path)
        of_a_user = host.partition(":")[0].lower().endswith(self._below_the_hub)
        if not of_a_user or session is None or referer.netloc != host or scope["method"] not in ("GET", "HEAD"):
            return None
        if path == "/" or path.startswith(("/user/", "/hub/", f"{self._prefix}/")):
            return None
        query = scope["query_string"].decode("latin-1")
        inside = session[0] + quote(path, safe="/:@~!$&()*+,;=")
        return f"{inside}?{query}" if query else inside


def _is_a_visit(scope: Scope) -> bool:
    """Return whether a person opens the address; scripts of a page and programs get a plain refusal."""
    headers = Headers(scope=scope)
    if scope["method"] not in ("GET", "HEAD"):
        return False
    mode = headers.get("sec-fetch-mode")
    return mode == "navigate" if mode else "application/json" not in headers.get("accept", "")


def _error(status: int) -> Response:
    message = "Nothing is running at this address." if status == 424 else "There is nothing at this address."
    return Response(json.dumps({"message": message}), status_code=status, media_type="application/json")
