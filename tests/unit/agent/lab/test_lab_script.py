"""Runs the tests of the Lab extension's JavaScript, which are written in JavaScript beside this file."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path


def test_the_labs_script_says_what_it_should() -> None:
    node = shutil.which("node")
    assert node, "node is needed; ./dev install brings it"
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run([node, "--test", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_labs_scripts_travel_as_less_than_40_kb() -> None:
    """As JupyterLab's server compresses them (`agent/lab/compressed.py`), all together."""
    files = [path.read_bytes() for path in (Path(__file__).parents[4] / "agent/lab/labextension/static").iterdir()]
    assert len(files) > 10
    assert sum(len(gzip.compress(file, 5)) for file in files) <= 40 << 10
