"""docker-compose.yml and its settings name the same hosts."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

from portal.deploy import services
from portal.settings import load

CLONE = Path(__file__).parents[3]
ANSWERS = CLONE / "docker" / "portal" / "answers"


def compose(port: str) -> dict[str, dict[str, dict[str, str]]]:
    text = re.sub(r"\$\{PORTAL_PORT:-8000\}", port, (CLONE / "docker-compose.yml").read_text())
    read: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(text)
    return read


@pytest.mark.parametrize("port", ["8000", "9000"])
def test_portal_hub_and_each_user_have_hosts_of_their_own(port: str, tmp_path: Path) -> None:
    toml = tmp_path / "portal.toml"
    toml.write_text('[hub]\npublic_url = ""\n')  # as `portal init` writes it there
    settings = load(toml, compose(port)["x-settings"])  # type: ignore[arg-type]  # a flat part
    assert settings.portal_origin == f"http://localhost:{port}"
    assert settings.hub_origin == f"http://hub.localhost:{port}"
    assert settings.sessions_origin("alice") == f"http://alice.hub.localhost:{port}"
    assert "--host-routing" in services.proxy_argv(settings)


@pytest.fixture
def hosts() -> Iterator[tuple[int, list[str]]]:
    """The port of a server, and what it was called in requests."""
    called: list[str] = []

    class Called(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            called.append(self.headers["Host"])
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return None

    server = HTTPServer(("127.0.0.1", 0), Called)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, called
    server.shutdown()
    server.server_close()


def test_health_check_of_the_hub_goes_by_its_host(hosts: tuple[int, list[str]]) -> None:
    port, called = hosts
    check = compose("9000")["services"]["hub"]["healthcheck"]["test"]  # type: ignore[index]
    asked = check[-1].replace(":8000", f":{port}")
    done = subprocess.run([sys.executable, ANSWERS, asked], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, called) == (0, [f"hub.localhost:{port}"]), done.stderr


def test_image_of_the_wheel_has_all_that_the_wheel_takes() -> None:
    places = re.search(r"^PLACES = (\{.*?^\})", (CLONE / "hatch_build.py").read_text(), re.M | re.S)
    assert places is not None
    needed = {source.partition("/")[0] for source in ast.literal_eval(places[1])}
    dockerfile = (CLONE / "docker" / "Dockerfile").read_text()
    stage = dockerfile.partition("AS wheel")[2].partition("\nFROM ")[0]
    copied = {
        source.partition("/")[0] for line in re.findall(r"^COPY (.*) \S+$", stage, re.M) for source in line.split()
    }
    taken = {
        line[1:].partition("/")[0] for line in (CLONE / ".dockerignore").read_text().splitlines() if line[0] == "!"
    }
    assert needed - copied == set()
    assert needed - taken == set()
