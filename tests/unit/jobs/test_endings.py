"""How a job ended: text and figures agree."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from portal.jobs import rows
from tests.unit.jobs.rows import row

ENDED = {"started_at": datetime(2026, 11, 3, 12, tzinfo=UTC), "ended_at": datetime(2026, 11, 3, 13, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        (1, "It ran out of memory: it used all of its 300 MB."),
        (2, "It ran out of memory: it used all of its 300 MB on a node."),
    ],
)
def test_sample_before_the_last_growth_does_not_contradict_that_memory_ran_out(nodes: int, text: str) -> None:
    killed = row(
        7,
        state="OUT_OF_MEMORY",
        nodes=nodes,
        memory_mib=300 * nodes,
        used_memory_mib=3,
        used_cpu_s=1.0,
        held_cpu_s=2.0,
        **ENDED,
    )
    shown = rows.render(killed)
    assert shown.end
    assert shown.end.text == text
    assert shown.usage
    assert shown.usage.memory_mib is None
    assert shown.efficiency
    assert (shown.efficiency.memory_percent, shown.efficiency.cpu_percent) == (None, 50.0)


@pytest.mark.parametrize(
    ("state", "text"),
    [("FAILED", "1 of its 1 task failed."), ("CANCELLED", "1 of its 1 task was cancelled.")],
)
def test_array_of_one_task_is_one(state: str, text: str) -> None:
    counts = {"array_total": 1, "array_failed": 1, "array_cancelled": 1, "array_done": 1}
    shown = rows.render(row(7, state=state, **counts, **ENDED))
    assert shown.end
    assert shown.end.text == text
