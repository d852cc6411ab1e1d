"""The Jupyter server of a session, where it cannot be started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from spawner.agent.enter import CANNOT_ENTER

CLONE = Path(__file__).parents[3]


def test_environment_without_jupyterhub_is_told_in_one_sentence() -> None:
    without_packages = [sys.executable, "-S", "-m", "spawner.agent", "serve-jupyter"]
    done = subprocess.run(without_packages, cwd=CLONE, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == CANNOT_ENTER
    assert done.stderr.startswith("This environment holds no JupyterHub, so it cannot serve Jupyter.")
    assert len(done.stderr.splitlines()) == 1
