"""The session's routes, all behind Jupyter's login: what the portal's pages can do for it, in JupyterLab.

GET    portal/session/events        follow the session (server-sent events, `session.py`)
GET    portal/session/time-limit    how much time could be added, with why not
PUT    portal/session/time-limit    {"walltime_s"}: more time, or less
GET    portal/session/usage         what it used over its life
POST   portal/session/snooze        put off the end of an idle session
DELETE portal/session               stop it
DELETE portal/session/messages/N    mark an administrator's message as read
GET    portal/session/documents     what the last session had open, for this one to open again
PUT    portal/session/documents     {"paths"}: what this one has open

The portal's answers have its status and body; 503 if it does not answer.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from jupyter_server.base.handlers import APIHandler
from tornado import web
from tornado.iostream import StreamClosedError

from .documents import Documents, is_list
from .portal import PortalUnavailable
from .session import Session

MOST_BODY = 1 << 10


class Events(APIHandler):
    _track_activity = False  # an open page is not work

    @web.authenticated
    async def get(self) -> None:
        session: Session = self.settings["portal_session"]
        self._page: asyncio.Queue[str | None] = asyncio.Queue()
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Accel-Buffering", "no")
        frames = session.frames(self._page)
        try:
            async for frame in frames:
                self.write(frame)
                await self.flush()
        except StreamClosedError:
            pass
        finally:
            await frames.aclose()

    def on_connection_close(self) -> None:
        if hasattr(self, "_page"):
            self._page.put_nowait(None)


class Calls(APIHandler):
    """Passes one request on to the portal, with the session's token."""

    def initialize(self, path: str) -> None:
        self._path = path

    @web.authenticated
    async def pass_on(self, number: str = "") -> None:
        session: Session = self.settings["portal_session"]
        body = self.request.body if self.request.method == "PUT" else None
        if body is not None and len(body) > MOST_BODY:
            raise web.HTTPError(413, "This request is too large.")
        path = self._path.format(session=session.portal.session, number=number)
        try:
            answer = await session.portal.call(self.request.method or "GET", path, body)
        except PortalUnavailable:
            self.set_status(503)
            self.finish(json.dumps({"error": {"message": "The portal does not answer. Try again soon."}}))
            return
        self.set_status(answer.code)
        self.finish(answer.body)


class TimeLimit(Calls):
    get = put = Calls.pass_on


class Use(Calls):
    get = Calls.pass_on


class Snooze(Calls):
    post = Calls.pass_on


class Deletion(Calls):
    delete = Calls.pass_on


class OpenDocuments(APIHandler):
    @web.authenticated
    async def get(self) -> None:
        documents: Documents = self.settings["portal_documents"]
        self.finish(json.dumps({"paths": await documents.earlier()}))

    @web.authenticated
    async def put(self) -> None:
        documents: Documents = self.settings["portal_documents"]
        body: Any = self.get_json_body()
        paths: Any = body.get("paths") if isinstance(body, dict) else None
        if not is_list(paths):
            raise web.HTTPError(400, "These are not paths.")
        try:
            documents.keep(paths)
        except OSError as error:  # a full home must not disturb the work
            self.log.debug("Open documents are not remembered: %s", error)
        self.set_status(204)
        self.finish()


def routes(base_url: str) -> list[tuple[str, Any, dict[str, str]]]:
    ours = f"{base_url}portal/session"
    return [
        (rf"{ours}/events", Events, {}),
        (rf"{ours}/time-limit", TimeLimit, {"path": "/sessions/{session}/time-limit"}),
        (rf"{ours}/usage", Use, {"path": "/sessions/{session}/usage"}),
        (rf"{ours}/snooze", Snooze, {"path": "/sessions/{session}/snooze"}),
        (rf"{ours}/documents", OpenDocuments, {}),
        (rf"{ours}", Deletion, {"path": "/sessions/{session}"}),
        (rf"{ours}/messages/([0-9]{{1,15}})", Deletion, {"path": "/messages/{number}"}),
    ]
