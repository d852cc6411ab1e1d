"""The programs of others that a site puts beside the portal: nginx, Caddy, Prometheus, logrotate."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def program(name: str) -> str:
    """Return where a program is; `./dev test deployment` installs Debian's packages of them all."""
    text = shutil.which(name, path=PLACES)
    assert text, f"There is no {name} here; ./dev test deployment installs it."
    return text


def run(name: str, *arguments: str | Path, cwd: Path | None = None) -> str:
    """Run a program and return all it said; fails, with that, unless it ended well."""
    done = subprocess.run(
        [program(name), *map(str, arguments)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{name} ended with {done.returncode}: {done.stdout}"
    return done.stdout
