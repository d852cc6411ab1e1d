"""Other Pythons that this machine may have, for tests of code that runs on the system's Python elsewhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def python(version: str) -> str | None:
    """Return a Python of this version that runs: a version manager's shim may be empty."""
    found = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")]
    for name in map(str, filter(None, found)):
        if subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode == 0:
            return name
    return None
