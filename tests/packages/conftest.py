"""The packages, built once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.demo_site import CLONE

DIST = CLONE / "dist"


@pytest.fixture(scope="session")
def built() -> Path:
    subprocess.run([CLONE / "dev", "package"], check=True, capture_output=True, timeout=1200)
    return DIST


@pytest.fixture(scope="session")
def deb(built: Path) -> Path:
    (made,) = built.glob("data-scientist-portal_*.deb")
    return made


@pytest.fixture(scope="session")
def rpm(built: Path) -> Path:
    (made,) = built.glob("data-scientist-portal-*.rpm")
    return made
