"""`portal environments` on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from portal.environments.cli import app
from portal.errors import InstallFailed


@pytest.fixture
def portal(tmp_path: Path, python: Path) -> Callable[..., object]:
    """Run `portal environments …` on a site whose environment is installed from `lock`."""

    def run(lock: Path, *arguments: str) -> object:
        config = tmp_path / "portal.toml"
        config.write_text(
            f'environments_python = "{python}"\n'
            f'[environments.base]\ntitle = "Base"\npath = "{tmp_path}/base"\n'
            f'[environments.pytorch]\ntitle = "PyTorch"\nversion = "2.13"\nextends = "base"\n'
            f'path = "{tmp_path}/envs/pytorch"\npackages = "{lock}"\n'
        )
        runner = CliRunner(env={"COLUMNS": "300"})
        return runner.invoke(app, [*arguments, "--config", str(config)])

    return run


def test_install_and_list(portal: Callable[..., object], lock: Callable[[str], Path], tmp_path: Path) -> None:
    before = portal(lock("installed"), "list")
    assert "not installed" in before.output  # type: ignore[attr-defined]
    done = portal(lock("installed"), "install", "pytorch")
    assert done.exit_code == 0, done.output  # type: ignore[attr-defined]
    assert f"Installed pytorch in {tmp_path}/envs/pytorch." in done.output.replace("\n", "")  # type: ignore[attr-defined]
    after = portal(lock("installed"), "list")
    assert "not installed" not in after.output.partition("pytorch")[2]  # type: ignore[attr-defined]


def test_a_failure_names_the_log_and_stays_in_the_list(
    portal: Callable[..., object], lock: Callable[[str], Path]
) -> None:
    failed = portal(lock("refused"), "install", "pytorch")
    assert isinstance(failed.exception, InstallFailed)  # type: ignore[attr-defined]  # `portal` itself prints it
    assert "install.log" in failed.output  # type: ignore[attr-defined]
    listed = portal(lock("refused"), "list")
    assert "could not be reached" in listed.output  # type: ignore[attr-defined]
