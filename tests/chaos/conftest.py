"""A site on its own small file system, so that its disk can be filled, and options for duration and seed."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import preloaded
from tests.demo_site import UP_TIMEOUT_S, DemoSite, free_port, keep_logs, remove

DISK = "1500m"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, default=3.0, help="how long faults are made")
    parser.addoption("--fault", action="append", help="one fault by its name, again and again; all by default")
    parser.addoption("--seed", type=int, default=None, help="of what happens; a random one by default")


@pytest.fixture
def chaos_site(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoSite]:
    libraries = Path(tempfile.mkdtemp(prefix="portal-preloaded-"))  # another pytest would delete this one's folder
    libraries.chmod(0o755)
    preloaded.prepare(libraries)
    monkeypatch.setenv(preloaded.FOLDER, str(libraries))
    folder = Path(tempfile.mkdtemp(prefix="portal-chaos-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "chaos", folder], check=True)
    site = DemoSite(folder)
    try:
        site.dev("run", "--background", "--port", str(free_port()), timeout_s=UP_TIMEOUT_S)
        yield site
        if request.session.testsfailed:
            print(f"\nThe site's logs are in {keep_logs(site)}")
    finally:
        site.dev("stop")
        subprocess.run(["umount", "--lazy", folder], check=True)
        remove(folder)
        remove(libraries)
