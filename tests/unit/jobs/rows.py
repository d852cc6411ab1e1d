"""Rows of jobs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from portal.jobs.models import JobRecord


def row(job_id: int, **more: Any) -> JobRecord:
    values: dict[str, Any] = {
        "owner": "alice", "name": "train", "partition": "sxm2", "account": "physics", "qos": "normal",
        "state": "PENDING", "nodes": 1, "node_list": "", "gpus": 0, "cpus": 2,
        "submitted_at": datetime(2026, 11, 3, 12, tzinfo=UTC), "accounted": False, "from_portal": True, "notify": False,
        "array_pending": 0, "array_running": 0, "array_done": 0, "array_failed": 0, "array_cancelled": 0,
    }  # fmt: skip
    return JobRecord(job_id=job_id, **(values | more))
