"""A site that was installed from the wheel: its units run as systemd would run them, without systemd.

Of a unit's restrictions, those that could keep the portal from working are in force: the account, no new privileges,
the bounding set of capabilities, a /tmp of its own, and /usr, /boot and /etc for reading only.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from demo.processes import KEPT_VARIABLES
from tests.demo_site import INSIDE, DemoSite, free_port

OPT = INSIDE / "opt"
PROGRAM = OPT / "program"
TOML = OPT / "etc" / "portal.toml"
UNITS = ("portal-proxy", "portal-hub", "portal")
INNER = ("proxy_api", "portal", "hub")
UP_S = 90


@dataclass(frozen=True)
class Deployed:
    site: DemoSite
    ports: dict[str, int] = field(
        default_factory=lambda: {name: free_port() for name in ("proxy_api", "portal", "hub")}
    )
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

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

    # --- its units ---

    @contextmanager
    def running(self) -> Iterator[None]:
        try:
            for unit in UNITS:
                self.start(unit)
            yield
        finally:
            for unit in [*self._running]:
                self.stop(unit)

    def start(self, unit: str) -> None:
        log = self.site.folder / "log" / f"{unit}.log"
        with log.open("ab") as output:
            self._running[unit] = subprocess.Popen(
                [Path(__file__).parents[1] / "dev", "exec", *self._argv(unit)],
                env={**os.environ, "DSP_DEMO_DIR": str(self.site.folder)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def stop(self, unit: str, signal: str = "TERM") -> None:
        """End the main process, as systemd does with KillMode=process."""
        self.site.run("kill", f"-{signal}", self.site.run("cat", f"/run/{unit}.pid").strip(), check=False)
        self._running.pop(unit).wait(timeout=40)

    def directives(self, unit: str) -> dict[str, str]:
        text = self.site.run("cat", f"/etc/systemd/system/{unit}.service")
        return dict(re.findall(r"^([A-Z]\w+)=(.*)$", text, re.M))

    def _argv(self, unit: str) -> list[str]:
        says = self.directives(unit)
        capabilities = [f"+{one.removeprefix('CAP_').lower()}" for one in says["CapabilityBoundingSet"].split()]
        identity = ["setpriv", f"--reuid={says['User']}", f"--regid={says['User']}", "--init-groups"]
        identity += ["--inh-caps=-all", f"--bounding-set={','.join(['-all', *capabilities])}"]
        identity += ["--no-new-privs"] if says.get("NoNewPrivileges") == "yes" else []
        node = INSIDE / "src" / ".cache" / "node"
        environ = ["env", "-i", f"PATH={node}:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", says["Environment"]]
        lines = [f"echo $$ >/run/{unit}.pid"]
        lines += [f"mount --bind {one} {one} && mount -o remount,bind,ro {one}" for one in ("/usr", "/boot", "/etc")]
        lines += ["mount -t tmpfs -o mode=1777 tmp /tmp"] if says["PrivateTmp"] == "yes" else []
        lines += [f"cd {says['WorkingDirectory']}"]
        lines += [f"exec {shlex.join([*identity, *environ, *shlex.split(says['ExecStart'])])}"]
        return ["unshare", "--mount", "sh", "-ec", "\n".join(lines)]

    def _with_index(self, *argv: str, user: str = "root") -> None:
        """Run a program that installs, with this machine's way to its package registries."""
        kept = [f"{name}={value}" for name, value in os.environ.items() if KEPT_VARIABLES.fullmatch(name)]
        self.site.run("env", *kept, *argv, user=user, timeout_s=600)
