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
from pathlib import Path

from demo import people
from demo.directory import CA_FILE, SERVICE_DN, SERVICE_PASSWORD_FILE
from demo.processes import KEPT_VARIABLES
from tests.demo_site import CLONE, INSIDE, demo_site, free_port
from tests.deployment.machine import UNITS, Machine

OPT = INSIDE / "opt"
PROGRAM = OPT / "program"
TOML = OPT / "etc" / "portal.toml"
INSTALL_S = 1800
"""Some 180 packages, from wherever this machine gets them, on a machine that may have other work."""


@dataclass(frozen=True)
class Deployed(Machine):
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

    @contextmanager
    def started(self) -> Iterator[None]:
        """Boot systemd, start the units, and end both."""
        # Node.js is the clone's here, on a site the system's.
        path = f"[Service]\nEnvironment=PATH={INSIDE}/src/.cache/node:/usr/bin:/bin\n"
        folder = "/etc/systemd/system/portal-proxy.service.d"
        self.site.run("mkdir", "-p", folder)
        self.site.run("tee", f"{folder}/node.conf", stdin=path)
        with self.booted():
            self.systemctl("start", *UNITS)
            self.answers()
            yield

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
        with deployed.started():
            yield deployed
