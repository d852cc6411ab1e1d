"""The system of docker-compose.yml for tests, with its own project, volumes and port."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.demo_site import CLONE, RESULTS, Account, DemoSite, free_port

UP_S = 3600
DOWN_S = 300
LOG = "compose.log"
IMAGE = "data-scientist-portal/cluster"
MOST_TRIED = 20


@dataclass(frozen=True)
class ComposeSite(DemoSite):
    """Used like a demo site: through its address, and through programs that run inside it."""

    project: str = "portal-compose-test"
    port: int = 8000

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def hub_url(self) -> str:
        return f"http://hub.localhost:{self.port}"

    @cached_property
    def accounts(self) -> dict[str, Account]:
        folder = "/run/secrets/directory"
        compose = [
            self.compose("run", "--rm", "--no-deps", "-T", "init", "cat", f"{folder}/{name}.json")
            for name in ("accounts", "outsiders")
        ]
        return {entry["username"]: Account(**entry) for part in compose for entry in json.loads(part)}

    def compose(self, *arguments: str, timeout_s: float = DOWN_S) -> str:
        done = self._compose(*arguments, timeout_s=timeout_s)
        assert done.returncode == 0, f"{' '.join(arguments)}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def up(self) -> None:
        """Start what is not running, and wait until everything is healthy."""
        self.compose("up", "--detach", "--wait", timeout_s=UP_S)

    def renew(self, *services: str) -> None:
        """Recreate their containers, as a newer image does."""
        self.keep_logs(*services)
        self.compose("up", "--detach", "--wait", "--force-recreate", *services, timeout_s=UP_S)

    def down(self, *services: str) -> None:
        self.keep_logs(*services)
        self.compose("down", *services)

    def address(self, service: str) -> str:
        """Return its container's address in the site's network."""
        return _address(self.compose("ps", "--quiet", service).strip())

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Give another container a free address of the site's network, so that its former owner gets a new one."""
        others: list[str] = []
        network = f"{self.project}_default"
        try:
            while address not in [_address(other) for other in others]:
                assert len(others) < MOST_TRIED, f"The engine does not give {address} to anybody."
                others.append(docker("run", "--detach", "--network", network, IMAGE, "sleep", "infinity").strip())
            yield
        finally:
            docker("rm", "--force", *others)

    def containers(self) -> dict[str, dict[str, Any]]:
        """Return what the engine reports about each service's container."""
        ids = self.compose("ps", "--all", "--quiet").split()
        data = json.loads(docker("inspect", *ids))
        return {value["Config"]["Labels"]["com.docker.compose.service"]: value for value in data}

    def process(
        self, *argv: str, user: str = "portal", stdin: str | None = None, check: bool = False, timeout_s: float = 60
    ) -> subprocess.CompletedProcess[str]:
        """Run a program on the head node."""
        done = self._compose("exec", "-T", "--user", user, "portal", *argv, stdin=stdin, timeout_s=timeout_s)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(argv)} ended with {done.returncode}: {done.stderr or done.stdout}")
        return done

    def keep_logs(self, *services: str) -> None:
        """Append their output (no names: all services) to test-results, because it is deleted with their containers."""
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / LOG).open("a") as kept:
            kept.write(self.compose("logs", "--no-color", "--timestamps", *services))

    def _compose(self, *arguments: str, stdin: str | None = None, timeout_s: float) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["docker", "compose", "--project-name", self.project, *arguments],
            cwd=CLONE,
            env={**os.environ, "PORTAL_PORT": str(self.port)},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


def _address(container: str) -> str:
    return docker("inspect", "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", container).strip()


def docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=60, check=True).stdout


def engine() -> bool:
    """Return whether a Docker engine and compose are available."""
    for question in (("compose", "version"), ("info",)):
        try:
            if subprocess.run(["docker", *question], capture_output=True, timeout=60, check=False).returncode:
                return False
        except FileNotFoundError:
            return False
    return True


@contextmanager
def compose_site() -> Iterator[ComposeSite]:
    """Build the images, start everything on new volumes, and remove containers and volumes at the end."""
    site = ComposeSite(CLONE, port=free_port())
    (RESULTS / LOG).unlink(missing_ok=True)
    site.compose("down", "--volumes", "--remove-orphans")
    try:
        site.compose("build", timeout_s=UP_S)
        site.up()
        yield site
    finally:
        site.keep_logs()
        site.compose("down", "--volumes")
