"""Asks the door about files in a temporary home, as the account that runs the tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.config import CONFIG
from door.refused import Refused
from tests.unit.door.asking import entry

Do = Callable[..., dict[str, Any]]


def doer(home: Path) -> Do:
    def do(verb: str, **fields: Any) -> dict[str, Any]:
        lasts = {} if "life_s" in fields else {"deadline_s": 10}
        request = {"verb": verb, "user": "alice"} | lasts | fields
        _, checked, act = parse(json.dumps(request).encode())
        assert act is not None
        answer = act(checked, entry(home, os.getuid()), CONFIG)
        return answer or {}

    return do


def refused(do: Do, verb: str, **fields: Any) -> str:
    with pytest.raises(Refused) as caught:
        do(verb, **fields)
    return str(caught.value.answer["error"]["code"])


def somebody_elses_link(link: Path, target: Path) -> None:
    """Make a link of another user; the tests must run as root for it."""
    link.symlink_to(target)
    if os.getuid():
        pytest.skip("only root can make another user's link")
    os.lchown(link, 31_002, 31_002)
