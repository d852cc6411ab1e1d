"""`portal programs`: templates are renewed where they differ, and a folder that cannot be written says so."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import Any

import pytest

from portal.deploy import programs
from portal.errors import ConfigurationError


def read_only(**_: Any) -> Any:
    raise OSError(errno.EROFS, "Read-only file system")


def test_changed_and_missing_templates_are_renewed_and_others_stay(tmp_path: Path) -> None:
    programs.put_templates(tmp_path)
    first, second = sorted(path for path in tmp_path.rglob("*") if path.is_file())[:2]
    content = first.read_bytes()
    first.write_text("old")
    second.unlink()
    (tmp_path / "own.txt").write_text("the site's")
    programs.put_templates(tmp_path)
    assert first.read_bytes() == content
    assert second.is_file()
    assert (tmp_path / "own.txt").read_text() == "the site's"


def test_read_only_folder_is_accepted_only_if_it_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.put_templates(tmp_path)
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", read_only)
    programs.put_templates(tmp_path)
    next(path for path in tmp_path.rglob("*") if path.is_file()).write_text("old")
    with pytest.raises(ConfigurationError, match=r"cannot be written: Read-only file system\."):
        programs.put_templates(tmp_path)
