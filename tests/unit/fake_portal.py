"""A portal that gives scripted answers about one job, for its HTTP clients."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

END = {"code": "finished", "text": "It finished.", "advice": None}
JOB = {"id": "7", "name": "train", "state": "PENDING", "end": None}
STREAM = (
    "retry: 2000\n\n: ping\n\nid: 4\nevent: piece\n"
    'data: {"text": "one ", "skipped": 0, "next_offset": 4}\n\nevent: piece\n'
    'data: {"text": "two", "skipped": 9, "next_offset": 16}\n\nevent: end\ndata: {}\n\n'
)


class FakePortal(ThreadingHTTPServer):
    """Gives scripted answers, and records the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, Any]] = []
        self.keys: list[str | None] = []
        self.answers: dict[str, tuple[int, str]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def says(self, path: str, answer: object, status: int = 200) -> None:
        self.answers[path] = (status, answer if isinstance(answer, str) else json.dumps(answer))


class Handler(BaseHTTPRequestHandler):
    server: FakePortal

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        path = self.path.removeprefix("/services/portal/api")
        assert self.headers["Authorization"] == "token hush"
        self.server.asked.append((path, json.loads(self.rfile.read(length) or "null")))
        self.server.keys.append(self.headers["Idempotency-Key"])
        status, body = self.server.answers[path.partition("?")[0]]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body.encode())

    do_POST = do_PATCH = do_GET  # noqa: N815  (http.server's names)


@contextmanager
def fake_portal() -> Iterator[FakePortal]:
    """Serve one that knows job 7, with its output and its end."""
    server = FakePortal()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    server.says("/jobs", JOB, 202)
    server.says("/jobs/7", JOB | {"end": END})
    server.says("/jobs/7/output/follow", STREAM)
    server.says("/jobs/compose", {"script": "#!/bin/bash\ncomposed\n"})
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
