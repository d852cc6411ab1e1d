"""A session deletes old logs of earlier ones, and nothing else."""

from __future__ import annotations

import os
import time
from pathlib import Path

from agent.job import old_logs

DAY_S = 86_400


def test_only_old_logs_of_other_sessions_go(tmp_path: Path) -> None:
    ages = {"abcdefghijk1.log": 31, "abcdefghijk2.log": 29, "abcdefghijk3.log": 40, "notes.log": 90, "keep.txt": 90}
    for name, days in ages.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, times=(time.time() - days * DAY_S,) * 2)
    (tmp_path / "abcdefghijk4.log").symlink_to(tmp_path / "keep.txt")
    own = str(tmp_path / "abcdefghijk3.log")
    assert old_logs.remove(own, 0) == 0
    assert old_logs.remove(own, 30) == 1
    assert {path.name for path in tmp_path.iterdir()} == {*ages, "abcdefghijk4.log"} - {"abcdefghijk1.log"}
    assert old_logs.remove(str(tmp_path / "away" / "abcdefghijk3.log"), 30) == 0
