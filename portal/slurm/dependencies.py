"""Slurm, for routes that use it."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.slurm.client import SlurmClient
from portal.slurm.watcher import Watcher

Slurm = Annotated[SlurmClient, provided(SlurmClient)]
SlurmWatcher = Annotated[Watcher, provided(Watcher)]
