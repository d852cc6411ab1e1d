"""A demo site of an earlier version, run from a checkout of its own, and its upgrade to this version."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.demo_site import CLONE, INSIDE, UP_TIMEOUT_S, DemoSite, free_port, remove

INSTALLED = CLONE / ".cache" / "upgrade"
KEPT = {".cache", "demo"}  # what the running proxy and the sessions' environments use; no part of a site's installation


@dataclass(frozen=True)
class SiteBefore(DemoSite):
    """Its supervisor stays the earlier version's, as a site's systemd stays the same."""

    checkout: Path = field(kw_only=True)

    @property
    def hub_url(self) -> str:
        """The first versions had one host for everything and do not name the Hub's."""
        return str(self._status.get("hub_url", self.url))

    def portal(self, *arguments: str, user: str = "portal") -> str:
        """Run a `portal` command on the head node."""
        config = f"PORTAL_CONFIG={INSIDE / 'portal' / 'portal.toml'}"
        return self.run("env", config, str(INSIDE / "bin" / "portal"), *arguments, user=user, timeout_s=120)

    def upgrade(self) -> None:
        """Follow "Upgrade" in docs/how-to/administer.md, with copied files in place of an installed wheel."""
        self.portal("db", "backup", str(INSIDE / "portal" / "before-upgrade"))
        replace_code(self.checkout)
        self.portal("programs", user="root")
        for service in ("hub", "portal"):
            self.restart(service)


def replace_code(checkout: Path) -> None:
    """Replace the earlier version's files, Python packages and web app by this version's."""
    for path in checkout.iterdir():
        if path.name in KEPT:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listing, cwd=CLONE, check=True, capture_output=True).stdout.split(b"\0")
    existing = [name for name in files if name and (CLONE / os.fsdecode(name)).exists()]
    names = b"\0".join([*existing, b".venv", b"frontend/dist"])
    pack = ["tar", "--create", "--null", "--files-from=-"]
    with tempfile.TemporaryFile() as listed:  # more than a pipe holds, and tar writes while it reads them
        listed.write(names)
        listed.seek(0)
        with subprocess.Popen(pack, cwd=CLONE, stdin=listed, stdout=subprocess.PIPE) as packed:
            subprocess.run(["tar", "--extract"], cwd=checkout, stdin=packed.stdout, check=True)
    assert packed.returncode == 0


def installed_before() -> Path:
    """Return the checkout of the earlier version that ./dev test upgrade installed."""
    revision = os.environ.get("DSP_UPGRADE_FROM")
    assert revision, "Run ./dev test upgrade: it installs an earlier version and names it in DSP_UPGRADE_FROM."
    return INSTALLED / revision


@contextmanager
def site_before() -> Iterator[SiteBefore]:
    """Start a site of the earlier version from a copy of its checkout; remove both at the end."""
    before = installed_before()
    folder = Path(tempfile.mkdtemp(prefix="portal-demo-"))
    checkout = Path(tempfile.mkdtemp(prefix="portal-before-"))
    site = SiteBefore(folder, hosts="one", checkout=checkout)
    try:
        pack = ["tar", "--create", "--exclude=./frontend/node_modules", "."]
        with subprocess.Popen(pack, cwd=before, stdout=subprocess.PIPE) as packed:
            subprocess.run(["tar", "--extract"], cwd=checkout, stdin=packed.stdout, check=True)
        _demo(site, "run", "--background", "--port", str(free_port()))
        yield site
    finally:
        _demo(site, "stop")
        remove(folder)
        remove(checkout)


def _demo(site: SiteBefore, *arguments: str) -> None:
    done = subprocess.run(
        ["/usr/bin/python3", "-m", "demo", *arguments],
        cwd=site.checkout,
        env={**os.environ, "DSP_DEMO_DIR": str(site.folder)},
        capture_output=True,
        text=True,
        timeout=UP_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{arguments} failed:\n{done.stdout}{done.stderr}"
