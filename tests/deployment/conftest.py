"""One site of the wheel's for all tests here."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.demo_site import CLONE
from tests.deployment.deployed import Deployed
from tests.deployment.deployed import deployed as deployment


@pytest.fixture(scope="module")
def names() -> Iterator[None]:
    """Every name below localhost leads to this machine, as the site's DNS would have it."""
    ask = socket.getaddrinfo

    def answer(host: Any, *more: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        return ask("127.0.0.1" if name.endswith(".localhost") else host, *more, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", answer)
        yield


@pytest.fixture(scope="session")
def wheel() -> Path:
    subprocess.run([CLONE / "dev", "wheel"], check=True, capture_output=True, timeout=600)
    (made,) = (CLONE / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="session")
def deployed(wheel: Path) -> Iterator[Deployed]:
    with deployment(wheel) as deployed:
        yield deployed
