"""The bundle installs portal, proxy and base environment on a machine without any network."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.demo_site import CLONE
from tests.el9.head import commands

PAGE = CLONE / "docs/how-to/install.md"
#: `portal init` needs a site; this is what its portal.toml says of the base environment.
TOML = """\
data_dir = "/opt/data"
environments_python = "/usr/bin/python3.11"
[environments.base]
title = "Python 3"
path = "/opt/environments/base"
packages = "session.txt"
"""


@pytest.fixture(scope="module")
def bundle() -> Path:
    subprocess.run([CLONE / "dev", "bundle"], check=True, capture_output=True, timeout=900)
    (made,) = (CLONE / "dist").glob("*-offline.tar")
    return made


def test_commands_of_the_page_install_everything_without_a_network(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / bundle.name).symlink_to(bundle)
    (tmp_path / "portal.toml").write_text(TOML)
    lines = [line.removeprefix("sudo -u portal ") for line in commands(PAGE, ("Without internet",))]
    script = [
        "set -e; mount -t tmpfs bundle /opt; mkdir -p /opt/portal/proxy /opt/data",
        *lines,
        "/opt/portal/bin/portal version",
        "/opt/environments/base/bin/jupyterhub-singleuser --version",
        f"{CLONE}/.cache/node/node /opt/portal/proxy/node_modules/.bin/configurable-http-proxy --version",
        "/opt/portal/bin/pip check; ip -o link | wc -l",
    ]
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PORTAL_CONFIG": str(tmp_path / "portal.toml"), "HOME": "/opt"}
    done = subprocess.run(
        ["unshare", "--net", "--mount", "sh"],
        input="\n".join(script),
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    version, hub, proxy, whole, links = done.stdout.splitlines()[-5:]
    assert version == bundle.name.removeprefix("data-scientist-portal-").removesuffix("-offline.tar")
    assert hub.startswith("6.")
    assert proxy.startswith("5.")
    assert whole == "No broken requirements found."
    assert links == "1", "loopback alone"
