"""What the dry run says of the start: no time of another zone, and no promise that Slurm does not make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.jobs.service import start_in_words
from portal.slurm.batch import DryRun

NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wait_s", "nodes", "text"),
    [
        (None, None, "Slurm would accept it."),
        (-5, "node003", "It would start now on node003."),
        (9, None, "It would start now."),
        (15, None, "Slurm expects it to start within 1 min, or sooner if running jobs end early."),
        (900, "node003", "Slurm expects it to start within 15 min on node003, or sooner if running jobs end early."),
    ],
)
def test_start_is_said_without_a_time_zone(wait_s: int | None, nodes: str | None, text: str) -> None:
    starts_at = None if wait_s is None else NOW + timedelta(seconds=wait_s)
    assert start_in_words(DryRun(starts_at, nodes, None, ""), NOW) == text
