"""One site for all tests here."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.demo_site import CLONE
from tests.el9.head import Head, installed


@pytest.fixture(scope="session")
def head() -> Iterator[Head]:
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    (wheel,) = (CLONE / "dist").glob("*.whl")
    with installed(wheel) as head:
        yield head
