"""A site whose software comes from a package: a head node with dpkg, or one in the shape of EL9 with rpm.

The head node's root is an overlay, so its package database is its own. rpm knows nothing of Debian's packages there:
it installs with `--nodeps`.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.demo_site import CLONE, INSIDE, demo_site
from tests.deployment.machine import UNITS
from tests.el9.head import Head

BEFORE = "0.0.9"
WHEELS = "/usr/share/data-scientist-portal/wheels"
OFFLINE = f"env PIP_NO_INDEX=1 PIP_FIND_LINKS={WHEELS}"
DEBIAN_SUDOERS = "root ALL=(ALL:ALL) ALL\n@includedir /etc/sudoers.d\n"
NODE = f"[Service]\nEnvironment=PATH={INSIDE}/src/.cache/node:/usr/bin:/bin\n"


@dataclass(frozen=True)
class Packaged(Head):
    def place(self, package: Path) -> str:
        """Return where the head node sees a package."""
        return str(INSIDE / "src" / package.relative_to(CLONE))

    def configure(self) -> str:
        """What an administrator does after the installation; return what `portal check` says."""
        self.before_the_start()
        self.shell(shlex.join(["portal", "init", *(word for pair in self.answers_of_init().items() for word in pair)]))
        self.shell(f"sudo -u portal {OFFLINE} portal environments install base")
        # Node.js is the clone's here, on a site the system's.
        folder = "/etc/systemd/system/portal-proxy.service.d"
        self.shell(f"mkdir -p {folder}; printf %s {shlex.quote(NODE)} >{folder}/node.conf")
        self.shell(f"systemctl daemon-reload; systemctl enable --now {' '.join(reversed(UNITS))}")
        self.answers()
        return self.shell("sudo -u portal portal check --user alice || true")

    def kept(self) -> str:
        """Return checksums of configuration and secrets."""
        return self.shell("find /etc/portal /usr/libexec/portal-door.json -type f | sort | xargs sha256sum")

    def main_pids(self) -> dict[str, str]:
        return {unit: self.show(unit, "MainPID")["MainPID"] for unit in UNITS}

    def there(self, *paths: str) -> set[str]:
        """Return which of these paths exist."""
        return set(self.shell(f"ls --directory {shlex.join(paths)} 2>/dev/null || true").split())


@contextmanager
def head_node(*, el9: bool) -> Iterator[Packaged]:
    with demo_site("--without-web", hosts="one") as site:
        head = Packaged(site) if el9 else Packaged(site, layer="")
        with head.booted():
            if el9:
                head.shape()
            else:
                head.shell("userdel portal; groupdel portal 2>/dev/null || true")
                head.shell(f"printf %s {shlex.quote(DEBIAN_SUDOERS)} >>/etc/sudoers")
            yield head


def older_deb(package: Path, work: Path) -> Path:
    """Return the same package with an older version number."""
    tree = work / "deb"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(control.read_text().replace("Version: 0.1.0\n", f"Version: {BEFORE}\n"))
    made = package.parent / "older.deb"
    subprocess.run(["dpkg-deb", "-Znone", "--build", tree, made], check=True, capture_output=True)
    return made


def older_rpm(package: Path, work: Path) -> Path:
    tree = work / "tree"
    tree.mkdir()
    subprocess.run(["sh", "-c", 'rpm2cpio "$0" | cpio -idm --quiet', package], check=True, cwd=tree)
    made = package.parent / "older.rpm"
    names = {"_topdir": work / "rpm", "_rpmdir": made.parent, "_rpmfilename": made.name}
    names |= {"portal_version": BEFORE, "portal_tree": tree}
    defines = [word for name, value in names.items() for word in ("--define", f"{name} {value}")]
    spec = CLONE / "packaging/data-scientist-portal.spec"
    subprocess.run(
        ["rpmbuild", "--quiet", "-bb", "--target", "x86_64", *defines, spec], check=True, capture_output=True
    )
    return made
