"""Runs the tests of the Lab extension's JavaScript, which are written in JavaScript beside this file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def test_the_labs_script_says_what_it_should() -> None:
    node = shutil.which("node")
    assert node, "node is needed; ./dev install brings it"
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run([node, "--test", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
