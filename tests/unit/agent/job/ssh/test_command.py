"""What sshd starts: in the session's environment, and in its image."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.job.ssh import command

SHELL = {"SHELL": "/bin/bash"}
IMAGE = ["/usr/bin/python3", "-I", "agent.pyz", "enter-image", "--image=a.sif", "--"]


@pytest.mark.parametrize(
    ("asked", "image", "argv"),
    [
        (None, [], ["/bin/bash"]),
        ("ls; id", [], ["/bin/bash", "-c", "ls; id"]),
        (None, IMAGE, [*IMAGE, "/bin/sh", "-c", command.IN_IMAGE]),
        ("ls; id", IMAGE, [*IMAGE, "/bin/sh", "-c", "ls; id"]),
    ],
)
def test_shells_and_commands_enter_the_image(asked: str | None, image: list[str], argv: list[str]) -> None:
    assert command.argv_of(asked, image, SHELL) == argv


@pytest.mark.parametrize("image", [[], IMAGE])
def test_sftp_is_the_nodes_own(image: list[str]) -> None:
    [program] = command.argv_of(command.SFTP, image, SHELL)
    assert program.endswith("sftp-server")


def test_the_sessions_environment_replaces_sshds(agent_file: Path, tmp_path: Path) -> None:
    session = {"PATH": "/session/bin:/usr/bin:/bin", "CUDA_VISIBLE_DEVICES": "2", "HOME": str(tmp_path), **SHELL}
    kept = {"environment": session, "image": [], "folder": str(tmp_path)}
    (tmp_path / command.ENVIRONMENT).write_text(json.dumps(kept))
    done = subprocess.run(
        [sys.executable, "-I", agent_file, "ssh-command", tmp_path],
        env={
            "PATH": "/usr/bin:/bin",
            "SSH_ORIGINAL_COMMAND": "pwd; echo $PATH $CUDA_VISIBLE_DEVICES $SSH_CLIENT $TERM $OF_SSHD",
            "SSH_CLIENT": "client",
            "TERM": "vt100",
            "OF_SSHD": "secret",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [os.path.realpath(tmp_path), "/session/bin:/usr/bin:/bin 2 client vt100"]
