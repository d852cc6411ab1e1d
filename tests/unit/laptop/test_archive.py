"""The laptop's program: one file, the same bytes each time, Python 3.9 and nothing else."""

from __future__ import annotations

import ast
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from portal.laptop.archive import SOURCES, program

URL = "https://portal.example.org"
FILES = sorted(SOURCES.glob("*.py"))


def test_it_is_the_same_each_time_and_runs_by_itself(tmp_path: Path) -> None:
    built = program(URL, "1.2")
    program.cache_clear()
    assert program(URL, "1.2") == built
    assert hashlib.sha256(built.content).hexdigest() == built.sha256
    file = tmp_path / "portal"
    file.write_bytes(built.content)
    file.chmod(0o755)
    for command in ([file], [sys.executable, "-I", "-S", file]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == "1.2\n"


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
def test_it_is_plain_python_3_9(source: Path) -> None:
    tree = ast.parse(source.read_text(), feature_version=(3, 9))
    imported = {
        name.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {
        (node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    assert imported <= sys.stdlib_module_names
