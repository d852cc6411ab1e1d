"""This extension's routes below the session's own, all behind Jupyter's login.

GET    portal/tensorboards        list the running ones
POST   portal/tensorboards        {"folder"}: the TensorBoard of a folder, started if needed
DELETE portal/tensorboards/ID     end it
*      portal/tensorboard/ID/…    the TensorBoard itself
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from tornado import web
from tornado.httpclient import HTTPError

from .folders import look, resolve
from .relay import relay
from .tensorboards import Board, CannotOpen, TensorBoards, last_words

MOST_PATH = 4096


class Boards(APIHandler):
    @web.authenticated
    async def get(self) -> None:
        boards: TensorBoards = self.settings["portal_tensorboards"]
        self.finish(json.dumps({"items": [_out(board) for board in boards.running()]}))

    @web.authenticated
    async def post(self) -> None:
        """Answer with the board, or with the state of a folder that has nothing to show (yet); 503 if it fails."""
        boards: TensorBoards = self.settings["portal_tensorboards"]
        folder = (self.get_json_body() or {}).get("folder")
        if not isinstance(folder, str) or not 0 <= len(folder) <= MOST_PATH or "\0" in folder:
            raise web.HTTPError(400, "Give a folder.")
        path = resolve(folder, boards.root)
        result = await asyncio.get_running_loop().run_in_executor(None, look, path)
        if result.state != "ready":
            self.finish(json.dumps({"state": result.state, "message": result.message, "folder": path}))
            return
        try:
            board = await boards.open(path)
        except CannotOpen as error:
            self.set_status(503)
            self.finish(json.dumps({"state": "failed", "message": str(error), "folder": path}))
            return
        self.finish(json.dumps(_out(board)))


class OneBoard(APIHandler):
    @web.authenticated
    async def delete(self, name: str) -> None:
        await self.settings["portal_tensorboards"].close(name)
        self.set_status(204)
        self.finish()


class Relay(JupyterHandler):
    """Relays whatever TensorBoard's pages request. It has no websockets; a request for one gets a plain answer."""

    def set_default_headers(self) -> None:
        """Allow only the Lab to show it in a frame; the Hub's own header forbids frames altogether."""
        super().set_default_headers()
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")

    def check_xsrf_cookie(self) -> None:
        """TensorBoard's pages do not know Jupyter's token; the browser's headers say where a request comes from."""
        origin = self.request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != self.request.host:
            raise web.HTTPError(403, "Only TensorBoard's own pages may use it.")

    @web.authenticated
    async def _pass_on(self, name: str, rest: str) -> None:
        board: Board | None = self.settings["portal_tensorboards"].get(name)
        if board is None:
            raise web.HTTPError(404, "This TensorBoard was shut down. Open its folder again.")
        if not board.alive:
            raise web.HTTPError(502, f"This TensorBoard has ended: {last_words(board)}")
        if not rest:
            self.redirect(f"{board.prefix}/")
            return
        try:
            await relay(self.request, board.socket, self)
        except (OSError, HTTPError) as error:
            raise web.HTTPError(502, f"TensorBoard does not answer: {error}") from error
        if not self._finished:
            self.finish()

    get = head = post = _pass_on


def routes(base_url: str) -> list[tuple[str, Any]]:
    ours = f"{base_url}portal"
    return [
        (rf"{ours}/tensorboards", Boards),
        (rf"{ours}/tensorboards/([0-9a-f]{{12}})", OneBoard),
        (rf"{ours}/tensorboard/([0-9a-f]{{12}})(/.*)?", Relay),
    ]


def _out(board: Board) -> dict[str, str]:
    return {"id": board.id, "folder": board.folder, "url": f"{board.prefix}/", "state": "ready"}
