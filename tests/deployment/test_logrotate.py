"""The rotation of the door's log, by logrotate itself."""

from __future__ import annotations

import os
from pathlib import Path

from portal.deploy.patterns import fill
from tests.deployment.programs import run


def test_doors_log_is_rotated_and_stays_closed_to_others(tmp_path: Path) -> None:
    log, state = tmp_path / "portal-door.log", tmp_path / "state"
    text = fill("logrotate", {"door_log": str(log)}).replace("root root", f"{os.getuid()} {os.getgid()}")
    rules = tmp_path / "portal"
    rules.write_text(text)
    rules.chmod(0o644)
    log.write_text("one act\n")
    log.chmod(0o600)
    tmp_path.chmod(0o700)
    assert "error" not in run("logrotate", "--debug", "--state", state, rules).lower()
    assert log.read_text() == "one act\n", "Debugging changes nothing."
    run("logrotate", "--force", "--state", state, rules)
    assert log.with_name("portal-door.log.1").read_text() == "one act\n"
    assert (log.read_text(), log.stat().st_mode & 0o777) == ("", 0o600)
