"""What `portal ssh NAME …` hands to ssh: its own options first, then the host, then the command."""

from __future__ import annotations

import pytest

from agent.laptop.connect import _split


@pytest.mark.parametrize(
    ("arguments", "options", "command"),
    [
        ([], [], []),
        (["nvidia-smi", "-L"], [], ["nvidia-smi", "-L"]),
        (["-L", "8888:localhost:8888", "-N"], ["-L", "8888:localhost:8888", "-N"], []),
        (["-tt", "-oCompression=yes", "top"], ["-tt", "-oCompression=yes"], ["top"]),
        (["-v", "--", "-odd", "command"], ["-v"], ["-odd", "command"]),
    ],
)
def test_options_and_command(arguments: list[str], options: list[str], command: list[str]) -> None:
    assert _split(arguments) == (options, command)
