"""One site of the wheel's for all tests here."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo_site import CLONE
from tests.deployment.deployed import Deployed
from tests.deployment.deployed import deployed as deployment


@pytest.fixture(scope="session")
def wheel() -> Path:
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    (made,) = (CLONE / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="session")
def deployed(wheel: Path) -> Iterator[Deployed]:
    with deployment(wheel) as one:
        yield one
