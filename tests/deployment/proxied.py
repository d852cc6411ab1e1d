"""The real proxy, run as its unit runs it, between a web server and whatever a test puts behind it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2

from portal.deploy import services
from portal.settings import SECRET_NAMES, Settings
from tests.demo_site import CLONE

NODE = CLONE / ".cache/node/node"
PROGRAM = CLONE / "demo/proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"


def secrets(folder: Path) -> Path:
    """Make every secret of a site in a new folder."""
    made = folder / "secrets"
    made.mkdir()
    for number, name in enumerate(SECRET_NAMES):
        (made / name).write_text(f"{number:064x}")
        (made / name).chmod(0o600)
    return made


class Routes:
    def __init__(self, settings: Settings) -> None:
        self._url = f"{settings.hub.proxy_api_url}/api/routes"
        self._headers = {"Authorization": f"token {settings.secrets.proxy_token}"}

    def add(self, route: str, port: int) -> None:
        target = {"target": f"http://127.0.0.1:{port}"}
        httpx2.post(f"{self._url}{route}", json=target, headers=self._headers).raise_for_status()

    def all(self) -> set[str]:
        return set(httpx2.get(self._url, headers=self._headers).json())


@contextmanager
def proxied(settings: Settings, log: Path) -> Iterator[Routes]:
    argv = [str(NODE), str(PROGRAM), *services.proxy_argv(settings)[1:]]
    with log.open("ab") as out:
        proxy = subprocess.Popen(argv, env=services.proxy_environ(settings, {}), stdout=out, stderr=out)
    routes = Routes(settings)
    try:
        deadline = time.monotonic() + 30
        while not _answers(routes):
            assert time.monotonic() < deadline, f"The proxy does not answer: {log}"
            with suppress(subprocess.TimeoutExpired):
                proxy.wait(timeout=0.1)
                raise AssertionError(log.read_text())
        yield routes
    finally:
        proxy.terminate()
        proxy.wait(timeout=30)


def _answers(routes: Routes) -> bool:
    try:
        routes.all()
    except (httpx2.TransportError, ValueError):
        return False
    return True
