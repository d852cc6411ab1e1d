"""Behaves as NVIDIA DIGITS 6.1.1 does at its edges, and does nothing between them.

Listens on 0.0.0.0 whatever it is told; lives under DIGITS_URL_PREFIX; believes the cookie `username` and sets it for
`/` at its login; speaks Engine.IO 3 at PREFIX/socket.io/, polling first and then a websocket; does not start without
Caffe. Needs tornado.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import time
from typing import Any

import tornado.web
import tornado.websocket

PREFIX = os.environ.get("DIGITS_URL_PREFIX", "")
UPDATE = '42/jobs,["job update",{"update":"progress","percentage":40}]'


HOME = """<!doctype html>
<html><head><meta charset="utf-8"><title>DIGITS</title><link rel="stylesheet" href="{prefix}/static/style.css"></head>
<body><nav>DIGITS <span id="user">{user}</span></nav><ul id="polling"></ul><ul id="websocket"></ul>
<script src="{prefix}/static/live.js"></script></body></html>
"""
# What socket.io's client does: open by polling, ask for what has come, then upgrade to a websocket.
LIVE = """
const at = `${location.pathname.replace(/[^/]*$/, "")}socket.io/?EIO=3`;
const show = (list, packet) => document.getElementById(list).append(Object.assign(document.createElement("li"), {
  textContent: packet.slice(packet.indexOf("["))}));
(async () => {
  const opened = await (await fetch(`${at}&transport=polling`)).text();
  const { sid } = JSON.parse(opened.slice(opened.indexOf("{"), opened.indexOf("}") + 1));
  show("polling", await (await fetch(`${at}&transport=polling&sid=${sid}`)).text());
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}${at}&transport=websocket&sid=${sid}`);
  socket.onopen = () => socket.send("2probe");
  socket.onmessage = ({ data }) => (data === "3probe" ? socket.send("5") : show("websocket", data));
})();
"""


class Home(tornado.web.RequestHandler):
    """The page with live charts, with its own scripts and styles under the prefix."""

    def get(self) -> None:
        username = self.get_cookie("username")
        if not username:
            self.redirect(f"{PREFIX}/login?next={self.request.path}")
            return
        self.set_cookie("session", "flash")
        self.write(HOME.format(prefix=PREFIX, user=username))


class Static(tornado.web.RequestHandler):
    def get(self, name: str) -> None:
        self.set_header("Content-Type", "text/css" if name.endswith(".css") else "text/javascript")
        self.write("#user { font-weight: 600 }" if name.endswith(".css") else LIVE)


class Page(tornado.web.RequestHandler):
    def get(self, path: str) -> None:
        username = self.get_argument("username", None) or self.get_cookie("username")
        if not username:
            self.redirect(f"{PREFIX}/login?next={self.request.path}")
            return
        self.set_cookie("session", "flash")
        self.write(
            {
                "username": username,
                "path": path,
                "jobs_dir": os.environ["DIGITS_JOBS_DIR"],
                "gpus": os.environ.get("CUDA_VISIBLE_DEVICES", ""),
                "cookies": sorted(self.request.cookies),
                "headers": sorted(self.request.headers),
            }
        )


class Login(tornado.web.RequestHandler):
    def get(self) -> None:
        self.write("Who are you?")

    def post(self) -> None:
        self.set_cookie("username", self.get_argument("username"), path="/")
        self.redirect(f"{self.request.protocol}://{self.request.host}{PREFIX}/")


class Polling(tornado.web.RequestHandler):
    async def get(self) -> None:
        if self.get_argument("sid", None) is None:
            opened = json.dumps({"sid": "s1", "upgrades": ["websocket"], "pingInterval": 25000, "pingTimeout": 60000})
            self.finish(_payload(f"0{opened}", "40"))
            return
        await asyncio.sleep(1)  # a long poll, until there is something to say
        self.finish(_payload(UPDATE))

    async def post(self) -> None:
        self.finish("ok")


class Socket(tornado.websocket.WebSocketHandler):
    def on_message(self, message: str | bytes) -> None:
        if message == "2probe":
            self.write_message("3probe")
        elif message == "5":
            self.write_message(UPDATE)
        elif message == "2":
            self.write_message("3")


def _payload(*packets: str) -> str:
    return "".join(f"{len(packet)}:{packet}" for packet in packets)


def _by_transport(request: Any) -> Any:
    return Socket if request.headers.get("Upgrade", "").lower() == "websocket" else Polling


class Routes(tornado.web.Application):
    def find_handler(self, request: Any, **options: Any) -> Any:
        if request.path == f"{PREFIX}/socket.io/":
            return self.get_handler_delegate(request, _by_transport(request))
        return super().find_handler(request, **options)


async def serve(port: int) -> None:
    routes = [
        (f"{PREFIX}/login", Login),
        (f"{PREFIX}/", Home),
        (f"{PREFIX}/static/(.*)", Static),
        (f"{PREFIX}/(.*)", Page),
    ]
    Routes(routes).listen(port, "0.0.0.0")  # noqa: S104 - as the real one
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-p", "--port", type=int, default=5000)
    port = parser.parse_args().port
    if shutil.which("caffe") is None:
        print("A valid Caffe installation was not found on your system.")
        print("Use the envvar CAFFE_ROOT to indicate a valid installation.")
        raise ValueError("Pycaffe not found in PYTHONPATH")
    os.makedirs(os.environ["DIGITS_JOBS_DIR"], exist_ok=True)
    while os.path.exists(os.path.join(os.environ["DIGITS_JOBS_DIR"], "slow")):
        print("Loading jobs from disk", flush=True)
        time.sleep(0.2)
    with open(os.environ["DIGITS_LOGFILE_FILENAME"], "a"):
        pass
    print("  ___ ___ ___ ___ _____ ___", flush=True)
    asyncio.run(serve(port))


if __name__ == "__main__":
    sys.exit(main())
