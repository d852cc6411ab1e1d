"""What jobs share a GPU by, as Slurm calls it (gres.conf(5))."""

from __future__ import annotations

from typing import Final, Literal

SharedGres = Literal["shard", "mps"]
SHARED_GRES: Final[tuple[SharedGres, ...]] = ("shard", "mps")
