"""API schemas of one node's health."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from portal.operate.schemas import NodeRow, Wire


class Finding(Wire):
    """Something that an administrator should know about a node."""

    level: Literal["warn", "bad"]
    text: str


class NodeStateOut(Wire):
    """The node's state from `at` until the next record."""

    at: datetime
    state: Literal["up", "draining", "drained", "down", "maintenance", "gone"]
    reason: str
    actor: str | None = Field(description="Who drained or resumed it; null if unknown.")


class NodeHealth(NodeRow):
    """A node with everything about its health; newest history first."""

    findings: list[Finding]
    gpus_found: int | None = Field(description="GPUs that the node found, if fewer than configured.")
    gpus_drained: int
    memory_free_mib: int | None
    slurmd_since: datetime | None = Field(description="When its slurmd last started and registered.")
    boot_at: datetime | None
    busy_at: datetime | None = Field(description="When a job last ran there, according to Slurm.")
    reason_by: str
    reason_at: datetime | None
    version: str
    features: list[str]
    as_of: datetime | None
    history: list[NodeStateOut]
