"""Whom the door acts for, its configuration."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from door.account import account
from door.config import CONFIG, load_config
from door.refused import Refused
from tests.unit.door.asking import entry


def test_unknown_accounts_are_refused() -> None:
    with pytest.raises(Refused) as caught:
        account("no.such.user", CONFIG)
    assert caught.value.answer["error"]["code"] == "unknown_user"


@pytest.mark.parametrize("name", ["root", "daemon", "nobody"])
@pytest.mark.parametrize("min_uid", [0, 1000])
def test_system_accounts_are_refused(name: str, min_uid: int) -> None:
    if name == "daemon" and not min_uid:
        pytest.skip("with min_uid 0 the site says that daemon is a person")
    with pytest.raises(Refused) as caught:
        account(name, CONFIG | {"min_uid": min_uid})
    assert caught.value.answer["error"]["code"] == "user_refused"


def test_people_outside_the_allowed_groups_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pwd, "getpwnam", lambda name: entry(tmp_path))
    monkeypatch.setattr(os, "getgrouplist", lambda name, gid: [gid, 4])
    assert account("alice", CONFIG | {"groups": ["nosuch", "adm"]}).pw_name == "alice"
    with pytest.raises(Refused) as caught:
        account("alice", CONFIG | {"groups": ["daemon"]})
    assert caught.value.answer["error"]["code"] == "user_refused"


def test_configuration_that_is_not_roots_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "door.json"
    path.write_text("{}")
    path.chmod(0o666)
    with pytest.raises(Refused, match="must be owned by root"):
        load_config(str(path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what the door believes")
@pytest.mark.parametrize(
    "content", ['{"shell": "/bin/sh"}', '{"session_dir": "/etc"}', '{"session_dir": "a/../b"}', "[]", "x"]
)
def test_configuration_that_makes_no_sense_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "door.json"
    path.write_text(content)
    path.chmod(0o644)
    with pytest.raises(Refused) as caught:
        load_config(str(path))
    assert caught.value.answer["error"]["code"] == "configuration"
