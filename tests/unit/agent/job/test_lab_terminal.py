"""JupyterLab's terminals find the session's programs, as its kernels do."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from agent.job import lab

BASHRC = Path(__file__).parents[4] / "agent" / "lab" / lab.BASHRC


def shell_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str) -> list[str] | None:
    """Return what a terminal starts, None for Jupyter's own choice, where the account's shell is `shell`."""
    monkeypatch.setenv("SHELL", shell)
    for variable in ("PYTHONPATH", "JUPYTER_PATH"):
        monkeypatch.setenv(variable, "")
    monkeypatch.setattr("sys.path", [])
    archive = tmp_path / "agent.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(BASHRC, f"lab/{lab.BASHRC}")
    lab.bring(tmp_path, str(archive))
    config = tmp_path / "jupyter_server_config.json"
    if not config.exists():
        return None
    command: list[str] = json.loads(config.read_text())["ServerApp"]["terminado_settings"]["shell_command"]
    return command


def python_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: dict[str, str]) -> str:
    """Return the path of `python` in a terminal, in a home with the files `own`."""
    command = shell_command(tmp_path, monkeypatch, "/bin/bash")
    assert command is not None
    for folder in ("session", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "python").write_text("#!/bin/sh\n")
        (tmp_path / folder / "python").chmod(0o755)
    for name, text in own.items():
        (tmp_path / name).write_text(text)
    environment = {"HOME": str(tmp_path), "PATH": f"{tmp_path}/session:/usr/bin:/bin"}
    done = subprocess.run(
        [*command, "-ic", "command -v python"], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return Path(done.stdout.strip()).parent.name


@pytest.mark.parametrize("name", [None, ".bash_profile", ".bash_login", ".profile", ".bashrc"])
def test_python_is_the_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    own = {} if name is None else {name: "PATH=$PATH:$HOME/mine\n"}
    assert python_in_a_terminal(tmp_path, monkeypatch, own) == "session"


@pytest.mark.parametrize("name", [".bash_profile", ".bash_login", ".profile", ".bashrc"])
def test_python_that_the_users_own_files_choose_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert python_in_a_terminal(tmp_path, monkeypatch, {name: "PATH=$HOME/mine:$PATH\n"}) == "mine"


def test_another_shell_than_bash_starts_as_jupyter_starts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shell_command(tmp_path, monkeypatch, "/bin/zsh") is None
