"""Fixtures of the door's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.config import CONFIG
from tests.unit.door.files_asking import Do, doer


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def act(home: Path) -> Do:
    """Ask the door about files in `home`."""
    return doer(home)


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A home and a folder of pretended Slurm commands, each a shell script; returns the door's configuration."""
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "bin").mkdir()

    def make(**scripts: str) -> dict[str, Any]:
        for name, script in scripts.items():
            path = tmp_path / "bin" / name
            seen = tmp_path / name
            record = f'printf "%s\\0" "$@" > {seen}.argv; env -0 > {seen}.env; cat > {seen}.in'
            path.write_text(f"#!/bin/sh\n{record}\n{script}\n")
            path.chmod(0o755)
        return CONFIG | {"bin_dir": str(tmp_path / "bin"), "agent": "/opt/agent.pyz"}

    return make
