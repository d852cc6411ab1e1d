"""Behaves as code-server does at its edges: on a Unix socket, without a prefix, `/healthz`, and a websocket.

Needs tornado.
"""

from __future__ import annotations

import argparse
import asyncio

import tornado.httpserver
import tornado.netutil
import tornado.web
import tornado.websocket


class Page(tornado.web.RequestHandler):
    def get(self, path: str) -> None:
        self.write({"path": path})


class Socket(tornado.websocket.WebSocketHandler):
    def on_message(self, message: str | bytes) -> None:
        self.write_message(message)


async def serve(path: str) -> None:
    routes = tornado.web.Application([("/stable/socket", Socket), ("/(.*)", Page)])
    tornado.httpserver.HTTPServer(routes).add_socket(tornado.netutil.bind_unix_socket(path))
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--socket")
    asyncio.run(serve(parser.parse_known_args()[0].socket))
