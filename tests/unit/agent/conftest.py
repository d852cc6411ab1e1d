"""A pretended portal, as an HTTP server on loopback, and a pretended app; the agent is the real one, as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import pytest

from agent.build import build

T = TypeVar("T")

PATIENCE_S = 15.0

# Serves HTTP 200 on argv's address; the app most tests start.
APP = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
    def log_message(self, *a): pass
http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
"""


def until(look: Callable[[], T], what: str) -> T:
    """Wait for `look` to return something true."""
    deadline = time.monotonic() + PATIENCE_S
    while not (result := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_S} s in vain for {what}")
        threading.Event().wait(0.01)
    return result


@dataclass
class FakePortal:
    """Answers as told in `answers`, by path; remembers every request."""

    url: str = ""
    launch: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)

    def answer(self, what: str) -> tuple[int, Any]:
        """The scripted answers in turn, the last one for ever; without a script, success."""
        script = self.answers.get(what)
        if script:
            return script.pop(0) if len(script) > 1 else script[0]
        return {"hello": (200, {"launch": self.launch}), "report": (200, {"stop": False})}.get(what, (204, None))

    def bodies(self, what: str) -> list[dict[str, Any]]:
        return [body for path, body, _ in list(self.requests) if path == what]

    def wait_for(self, what: str, number: int = 1) -> dict[str, Any]:
        until(lambda: len(self.bodies(what)) >= number, f"{number} × {what}")
        return self.bodies(what)[number - 1]


@pytest.fixture
def portal() -> Iterator[FakePortal]:
    fake = FakePortal()
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            what = self.path.rpartition("/")[2]
            if what == "orders":
                closing.wait(5)
            status, answer = fake.answer(what)
            fake.requests.append((what, body, self.headers.get("Authorization", "")))
            payload = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}/services/portal"
    yield fake
    closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass
class Agent:
    process: subprocess.Popen[bytes]
    log: Path
    home: Path

    def wait(self) -> int:
        return self.process.wait(PATIENCE_S)

    def text(self) -> str:
        return self.log.read_text(errors="replace")


@pytest.fixture(scope="session")
def agent_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("agent") / "agent.pyz")


@pytest.fixture
def start_agent(portal: FakePortal, agent_file: Path, tmp_path: Path) -> Iterator[Callable[..., Agent]]:
    """Start the agent with a launch of this command; what it left running at the end of the test is ended."""
    started: list[Agent] = []

    def start(*command: str, environ: dict[str, str] | None = None, **launch: Any) -> Agent:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        portal.launch = {
            "command": list(command) or [sys.executable, "-c", APP, "{ip}", "{port}"],
            "env": {},
            "ip": "127.0.0.1",
            "ports": [20000, 60000],
            "ready_path": "/user/alice/x/api",
            "links": [],
            "report_interval_s": 0.2,
            "start_timeout_s": 10,
            "warn_before_s": [],
            "ends_at": None,
        } | launch
        log = tmp_path / "log"
        with log.open("wb") as sink:
            process = subprocess.Popen(
                [sys.executable, "-I", str(agent_file)],
                env={
                    "DSP_PORTAL": portal.url,
                    "DSP_SESSION": "abc123abc123",
                    "DSP_SECRET": "s3cret",
                    "HOME": str(home),
                    "SLURM_JOB_ID": "77",
                    "SLURMD_NODENAME": "node001",
                    "CUDA_VISIBLE_DEVICES": "0,1",
                    "PATH": os.environ["PATH"],
                }
                | (environ or {}),
                stdout=sink,
                stderr=sink,
            )
        agent = Agent(process, log, home)
        started.append(agent)
        return agent

    yield start
    for agent in started:
        if agent.process.poll() is None:
            agent.process.send_signal(signal.SIGTERM)
            try:
                agent.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                agent.process.kill()
                agent.process.wait()
