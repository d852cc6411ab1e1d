"""A person who submits batch jobs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.demo_site import DemoSite
from tests.person import Person


@pytest.fixture
def alice(site: DemoSite, person: Callable[[str], Person]) -> Person:
    site.wait_for(lambda: person("alice").api("GET", "/site").json()["slurm"]["state"] == "up", "Slurm to be seen")
    return person("alice")
