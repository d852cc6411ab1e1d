"""systemd, booted inside a demo site as the first process of its own namespaces (boot.sh), and the units it runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import httpx2

from tests.demo_site import CLONE, INSIDE, DemoSite

UNITS = ("portal-proxy", "portal-hub", "portal")
BOOT = INSIDE / "src/tests/deployment/boot.sh"
UP_S = 120


@dataclass(frozen=True)
class Machine:
    """systemd on a demo site, and what it runs."""

    site: DemoSite
    layer: str = ""
    """A folder, as the site sees it, that is mounted over the machine's root."""

    @contextmanager
    def booted(self) -> Iterator[None]:
        """Boot systemd in the site, and end it."""
        with (self.site.folder / "log" / "systemd.log").open("ab") as log:
            outer = subprocess.Popen(
                [CLONE / "dev", "exec", "sh", str(BOOT), "boot", self.layer],
                env={**os.environ, "DSP_DEMO_DIR": str(self.site.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            self.site.wait_for(self._is_up, "systemd to have booted", UP_S, every_s=0.5)
            yield
        finally:
            self.site.run("kill", "-KILL", *self._first(), check=False)
            outer.wait(timeout=30)
            self.site.run("sh", str(BOOT), "clear")

    def systemctl(self, *arguments: str, check: bool = True) -> str:
        return self.beside_systemd("systemctl", "--no-pager", *arguments, check=check)

    def beside_systemd(self, *argv: str, check: bool = True, timeout_s: float = 120) -> str:
        """Run a program where the units run."""
        (first,) = self._first()
        enter = ("nsenter", "--target", first, "--mount", "--pid", "--uts", "--ipc", "--root", "--wdns=/")
        return self.site.run(*enter, *argv, check=check, timeout_s=timeout_s)

    def show(self, unit: str, *properties: str) -> dict[str, str]:
        """Return these properties of a unit."""
        answer = self.systemctl("show", f"--property={','.join(properties)}", f"{unit}.service")
        return dict(line.split("=", 1) for line in answer.splitlines())

    def kill(self, unit: str) -> None:
        """End a unit's main process with SIGKILL, and wait until systemd has started it again."""
        before = self.show(unit, "MainPID")["MainPID"]
        self.systemctl("kill", "--signal=KILL", "--kill-who=main", unit)

        def again() -> bool:
            now = self.show(unit, "MainPID", "ActiveState")
            return now["ActiveState"] == "active" and now["MainPID"] not in ("0", before)

        self.site.wait_for(again, f"systemd to start {unit} again", UP_S, every_s=0.5)

    def answers(self) -> None:
        """Wait until Hub and portal answer through the proxy."""
        try:
            for path in ("/services/portal/healthz", "/hub/api/"):
                self.site.wait_for(partial(answers, f"{self.site.url}{path}"), f"{path} to answer", UP_S)
        except AssertionError as late:
            text = self.beside_systemd("journalctl", "--no-pager", "--lines=60", *(f"--unit={unit}" for unit in UNITS))
            raise AssertionError(f"{late} The units said:\n{text}") from late

    def _first(self) -> list[str]:
        outer = self.site.run("cat", str(INSIDE / "run/systemd.pid")).strip()
        return self.site.run("cat", f"/proc/{outer}/task/{outer}/children").split()

    def _is_up(self) -> bool:
        try:
            return self.systemctl("is-system-running", check=False).strip() in ("running", "degraded")
        except (AssertionError, ValueError):
            return False


def answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=5).status_code == 200
    except httpx2.TransportError:
        return False
