"""The audit log: whole lines, or no act; no value can hide what was asked."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from door.audit import MAX_LINE, AuditLog, line_of, shown
from door.refused import Refused


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "door.log"


def test_line_says_when_who_and_what(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_UID", "52905")
    AuditLog(str(log)).write("look user=alice begins", sync=True)
    (line,) = log.read_text().splitlines()
    assert line.endswith(f" pid={os.getpid()} by_uid=52905 look user=alice begins")
    assert log.stat().st_mode & 0o777 == 0o600


def test_line_that_is_cut_short_is_a_refusal_and_the_next_one_begins_anew(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = AuditLog(str(log))
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda fd, line: write(fd, line[:5]))
        with pytest.raises(Refused, match="no space left for a whole line") as caught:
            audit.write("one")
    assert caught.value.code == "configuration"
    audit.write("two")
    assert [line[-3:] for line in log.read_text().splitlines()][1:] == ["two"]


@pytest.mark.parametrize("kind", ["folder", "fifo", "link", "/dev/full"])
def test_what_is_no_plain_file_is_no_log(log: Path, kind: str) -> None:
    if kind == "folder":
        log.mkdir()
    elif kind == "fifo":
        os.mkfifo(log)
    elif kind == "link":
        log.symlink_to(log.parent / "elsewhere")
    with pytest.raises(Refused, match="cannot be written"):
        AuditLog("/dev/full" if kind == "/dev/full" else str(log)).write("x")


@given(st.text() | st.lists(st.text(max_size=50)) | st.integers())
def test_value_is_short_printable_and_on_one_line(value: object) -> None:
    text = shown(value)
    assert len(text) < 1_500
    assert text.isascii()
    assert text.isprintable()


def test_long_value_shows_both_ends_its_length_and_its_digest() -> None:
    path = "/home/alice/" + "../alice/" * 100 + ".ssh/id_rsa"
    text = shown(path)
    assert text.startswith('"/home/alice/')
    assert '.ssh/id_rsa"' in text
    assert text.endswith(f"(bytes={len(path)},sha256={hashlib.sha256(path.encode()).hexdigest()})")


def test_every_field_is_told_but_secrets_and_scripts() -> None:
    script = "#!/bin/bash\nexport TOKEN=hush\n"
    line = line_of(
        "job_submit",
        {
            "user": "alice",
            "script": script,
            "env": {"DSP_SECRET": "hush"},
            "glob": "*",
            "files": ["a b", "c"],
            "qos": None,
        },
    )
    digest = hashlib.sha256(script.encode()).hexdigest()
    assert line == (
        f'job_submit user=alice script=(bytes={len(script)},sha256={digest}) env=DSP_SECRET glob="*" files=["a b","c"]'
    )


def test_line_beyond_all_bounds_is_refused(log: Path) -> None:
    with pytest.raises(Refused):
        AuditLog(str(log)).write("x" * MAX_LINE)
    assert log.read_text() == ""
