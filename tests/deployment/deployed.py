"""A site that was installed from the wheel, its units run by systemd.

systemd is the first process of namespaces inside a demo site (boot.sh): the units that `portal init` wrote, as they
are, with all that they forbid, beside the demo's Slurm and directory.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx2

from demo import people
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from demo.processes import KEPT_VARIABLES
from tests.demo_site import CLONE, INSIDE, DemoSite, demo_site, free_port

OPT = INSIDE / "opt"
PROGRAM = OPT / "program"
TOML = OPT / "etc" / "portal.toml"
UNITS = ("portal-proxy", "portal-hub", "portal")
BOOT = INSIDE / "src/tests/deployment/boot.sh"
UP_S = 120
INSTALL_S = 1800
"""Some 180 packages, from wherever this machine gets them, on a machine that may have other work."""


@dataclass(frozen=True)
class Deployed:
    site: DemoSite
    ports: dict[str, int] = field(
        default_factory=lambda: {name: free_port() for name in ("proxy_api", "portal", "hub")}
    )

    def install(self, wheel: Path) -> None:
        """Put the wheel and what it needs, as locked, into a new virtual environment."""
        uv, locks = INSIDE / "src" / ".cache" / "boot" / "bin" / "uv", INSIDE / "src" / "requirements"
        self._with_index(str(uv), "venv", "--quiet", "--clear", "--python", "/usr/bin/python3", str(PROGRAM))
        into = (str(uv), "pip", "install", "--quiet", "--compile-bytecode", "--python", str(PROGRAM / "bin" / "python"))
        self._with_index(*into, "--no-deps", "--require-hashes", "--requirement", str(locks / "portal.txt"))
        self._with_index(*into, "--no-deps", "--reinstall-package", "data-scientist-portal", str(wheel))

    def portal(self, *arguments: str, user: str = "portal", check: bool = True) -> subprocess.CompletedProcess[str]:
        command = ("env", f"PORTAL_CONFIG={TOML}", str(PROGRAM / "bin" / "portal"), *arguments)
        done = self.site.process(*command, user=user, timeout_s=300)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def install_base(self) -> None:
        """Make the environment that serves Jupyter, once, as an administrator does."""
        if self.site.process("test", "-x", str(OPT / "shared/environments/base/bin/python")).returncode:
            command = (f"PORTAL_CONFIG={TOML}", str(PROGRAM / "bin" / "portal"), "environments", "install", "base")
            self._with_index(*command, user="portal")

    def init(self, *more: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.portal(
            "init",
            *("--url", self.site.url, "--sessions-url", "", "--head", "127.0.0.1", "--shared", str(OPT / "shared")),
            *("--ldap", f"ldaps://localhost:{self.site.ports['ldaps']}", "--ldap-base", people.SUFFIX),
            *("--ldap-ca", str(CA_FILE)),
            *("--ldap-bind-dn", SERVICE_DN, "--ldap-password-file", str(SERVICE_PASSWORD_FILE)),
            *("--user-group", people.LOGIN_GROUP, "--admin-group", people.ADMIN_GROUP),
            *("--unix-group", people.MAIN_GROUP[0], "--slurm-conf", str(INSIDE / "slurm/etc/slurm.conf")),
            *("--etc", str(OPT / "etc"), "--data-dir", str(OPT / "data"), "--proxy", str(OPT / "proxy")),
            *("--door", str(OPT / "libexec/portal-door"), "--door-log", str(OPT / "door.log")),
            *("--proxy-port", self.site.url.rpartition(":")[2], "--proxy-api-port", str(self.ports["proxy_api"])),
            *("--portal-port", str(self.ports["portal"]), "--hub-port", str(self.ports["hub"])),
            *more,
            user="root",
            check=check,
        )

    # --- its units ---

    @contextmanager
    def booted(self) -> Iterator[None]:
        """Boot systemd in the site, start the units, and end both."""
        # Node.js is the clone's here, on a site the system's.
        path = f"[Service]\nEnvironment=PATH={INSIDE}/src/.cache/node:/usr/bin:/bin\n"
        folder = "/etc/systemd/system/portal-proxy.service.d"
        self.site.run("mkdir", "-p", folder)
        self.site.run("tee", f"{folder}/node.conf", stdin=path)
        with (self.site.folder / "log" / "systemd.log").open("ab") as log:
            outer = subprocess.Popen(
                [CLONE / "dev", "exec", "sh", str(BOOT)],
                env={**os.environ, "DSP_DEMO_DIR": str(self.site.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            self.site.wait_for(self._is_up, "systemd to have booted", UP_S, every_s=0.5)
            self.systemctl("start", *UNITS)
            yield
        finally:
            self.site.run("kill", "-KILL", *self._first(), check=False)
            outer.wait(timeout=30)
            self.site.run("sh", str(BOOT), "clear")

    def systemctl(self, *arguments: str, check: bool = True) -> str:
        return self.beside_systemd("systemctl", "--no-pager", *arguments, check=check)

    def beside_systemd(self, *argv: str, check: bool = True) -> str:
        """Run a program where the units run."""
        (first,) = self._first()
        enter = ("nsenter", "--target", first, "--mount", "--pid", "--uts", "--ipc", "--root", "--wdns=/")
        return self.site.run(*enter, *argv, check=check, timeout_s=120)

    def show(self, unit: str, *properties: str) -> dict[str, str]:
        """What systemd says of a unit."""
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

    def _with_index(self, *argv: str, user: str = "root") -> None:
        """Run a program that installs, with this machine's way to its package registries."""
        kept = [f"{name}={value}" for name, value in os.environ.items() if KEPT_VARIABLES.fullmatch(name)]
        self.site.run("env", *kept, *argv, user=user, timeout_s=INSTALL_S)


@contextmanager
def deployed(wheel: Path) -> Iterator[Deployed]:
    """The demo's Slurm and directory, and on them a site of the wheel's, its units running."""
    with demo_site("--without-web", hosts="one") as site:
        deployed = Deployed(site)
        site.run("rm", "-rf", str(OPT / "etc"), str(OPT / "data"))
        site.run("mkdir", "-p", str(OPT))
        deployed.install(INSIDE / "src" / wheel.relative_to(CLONE))
        deployed.init()
        site.run("sh", "-c", "grep -q includedir /etc/sudoers || echo '@includedir /etc/sudoers.d' >>/etc/sudoers")
        deployed.install_base()
        for name in ("alice", "bob"):
            home = str(INSIDE / "home" / name)
            site.run("install", "-d", "-m", "700", "-o", name, "-g", people.MAIN_GROUP[0], home)
        # What `npm ci` would bring from afar is in the checkout already.
        site.run("ln", "-sfn", str(INSIDE / "src/demo/proxy/node_modules"), str(OPT / "proxy/node_modules"))
        with deployed.booted():
            deployed.answers()
            yield deployed


def answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=5).status_code == 200
    except httpx2.TransportError:
        return False
