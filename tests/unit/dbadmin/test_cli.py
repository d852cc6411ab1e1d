"""`portal db` on an unsuitable database: the message says what is wrong and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from portal.cli import app
from portal.errors import ConfigurationError


@pytest.mark.parametrize("command", [["backup", "new"], ["upgrade"], ["downgrade", "0009"]])
def test_database_that_does_not_answer_is_told_in_words(command: list[str], tmp_path: Path) -> None:
    toml = tmp_path / "portal.toml"
    toml.write_text(
        f'data_dir = "{tmp_path}"\n[server]\nport = 9\n[hub]\nport = 9\n'
        '[database]\nurl = "postgresql+psycopg://portal@127.0.0.1:9/portal"\n'
    )
    where = [str(tmp_path / name) if name == "new" else name for name in command]
    done = CliRunner().invoke(app, ["db", *where, "--config", str(toml)])
    assert isinstance(done.exception, ConfigurationError)
    assert "127.0.0.1" in done.exception.message
    assert "database.url" in done.exception.hint
