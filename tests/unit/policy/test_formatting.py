"""Descriptions of resources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from portal.policy import formatting

ROOT = Path(__file__).parents[3]
SIZES = json.loads((ROOT / "frontend/src/lib/sizes.json").read_text())


@pytest.mark.parametrize(("mib", "value"), SIZES.items())
def test_memory_is_said_as_the_web_app_says_it(mib: str, value: str) -> None:
    assert formatting.memory(int(mib)) == value
