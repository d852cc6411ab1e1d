"""Rows to look at."""

from __future__ import annotations

from datetime import datetime

from portal.sessions.models import SessionRecord


def session_row(session_id: str, *, owner: str, at: datetime, **changes: object) -> SessionRecord:
    values: dict[str, object] = {
        "id": session_id,
        "owner": owner,
        "name": "A session",
        "server_name": f"s-{session_id[:4]}",
        "app": "jupyterlab",
        "environment": "base",
        "origin": "api",
        "state": "submitted",
        "partition": "sxm2",
        "nodes": 1,
        "gpus": 1,
        "shards": 0,
        "mps_percent": 0,
        "exclusive": False,
        "cpus": 8,
        "memory_mib": 49_152,
        "walltime_s": 3600,
        "created_at": at,
        "secret_hash": "",
        "extended_s": 0,
        "extended_times": 0,
        "revision": 0,
    }
    return SessionRecord(**(values | changes))
