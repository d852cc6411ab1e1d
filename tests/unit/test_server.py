"""`portal serve` as a service: the log says why it refuses to start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from portal.db import migrate


def test_portal_that_meets_a_newer_database_says_so_and_nothing_else(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'portal.sqlite'}"
    migrate.upgrade(url)
    engine = create_engine(migrate.sync_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    (tmp_path / "portal.toml").write_text(f'data_dir = "{tmp_path}"\nsecrets_dir = "{tmp_path / "secrets"}"\n')
    portal(tmp_path, "init-secrets")
    done = portal(tmp_path, "serve")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines == [
        "The database is at revision 9999, which this version of the portal does not know.",
        "Run the newer version of the portal again, or restore a backup from before the upgrade.",
    ]


@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("postgresql+psycopg://portal@127.0.0.1:1/portal", "Connection refused"),
        ("sqlite+aiosqlite:////proc/none/portal.sqlite", "/proc/none cannot be used"),
    ],
)
def test_portal_that_has_no_database_says_so_and_nothing_else(tmp_path: Path, url: str, value: str) -> None:
    (tmp_path / "portal.toml").write_text(
        f'data_dir = "{tmp_path}"\nsecrets_dir = "{tmp_path / "secrets"}"\n[database]\nurl = "{url}"\n'
    )
    portal(tmp_path, "init-secrets")
    done = portal(tmp_path, "serve")
    assert done.returncode == 1
    message, hint = done.stderr.splitlines()
    assert value in message
    assert "portal" in hint


def portal(site: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from portal.__main__ import main; main()", command],
        env={"PORTAL_CONFIG": str(site / "portal.toml"), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
