"""What the page of one job says where something of the job is missing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from portal.jobs.detail import detail
from tests.unit.jobs.rows import row


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"script": "#!/bin/sh\n"}, None),
        (
            {"script": None, "ended_at": None},
            "Slurm shows its script only to its owner: scontrol write batch_script 7 -",
        ),
        (
            {"script": None, "ended_at": datetime(2026, 11, 3, 13, tzinfo=UTC)},
            "Slurm drops the script of a job that has ended.",
        ),
    ],
)
def test_job_without_a_script_says_why(values: dict[str, Any], said: str | None) -> None:
    missing = detail(row(7, **values), None, None).script_missing
    assert missing is None if said is None else said in str(missing)


def test_what_the_script_asks_for_besides_sizes_is_shown() -> None:
    lines = ["-C [rack1|rack2]", "-L matlab:2", "--wckey=thesis", "--exclusive", "--gres=shard:1"]
    script = "\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in lines), "true", ""])
    job = detail(row(7, script=script), None, None)
    assert (job.constraint, job.licenses, job.wckey) == ("[rack1|rack2]", "matlab:2", "thesis")
    assert (job.shards_per_node, job.exclusive) == (1, True)
    plain = detail(row(7, script="#!/bin/bash\n#SBATCH --exclusive=user\ntrue\n"), None, None)
    assert (plain.constraint, plain.licenses, plain.wckey) == (None, None, None)
    assert (plain.shards_per_node, plain.exclusive) == (0, False), "other users stay away, but it has no whole node"
