"""Where a job of the terminal writes, as each series of Slurm says it."""

from __future__ import annotations

from typing import Any

import pytest

from portal.slurm.batch import BatchSlurm


class Said:
    def __init__(self, *fields: str) -> None:
        self._fields = fields

    async def ask(self, argv: list[str]) -> str:
        mark = argv[-1].split("=")[1].split(",")[0].partition(":")[2]
        return "".join(field + mark for field in self._fields) + "\n"


@pytest.mark.parametrize(
    ("stdout", "stderr", "read"),
    [
        ("/home/alice/slurm-7.out", "/home/alice/slurm-7.err", ("/home/alice/slurm-7.out", "/home/alice/slurm-7.err")),
        ("slurm-%j.out", "(null)", ("/home/alice/slurm-%j.out", "/home/alice/slurm-%j.out")),  # 25.11
        ("out/%x.txt", "/tmp/e", ("/home/alice/out/%x.txt", "/tmp/e")),
    ],
)
async def test_files_are_whole_paths_and_errors_go_where_the_output_goes(
    stdout: str, stderr: str, read: tuple[str, str]
) -> None:
    commands: Any = Said(stdout, stderr, "/home/alice", "(null)")
    outputs = await BatchSlurm(commands, deadline_s=10).outputs(7)
    assert outputs == (*read, "/home/alice", "")
