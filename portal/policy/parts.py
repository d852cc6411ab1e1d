"""Parts of a GPU: shards, and percent of one by MPS. A job gets those of one GPU only, on each node (gres.conf(5))."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from portal.plurals import plural
from portal.policy.view import PartitionView
from portal.shared_gres import SharedGres

WHOLE_AND_PARTS = "This asks for whole GPUs and for a part of one: leave one of them out."
TWO_KINDS = "This asks for shards and for a share by MPS: leave one of them out."
#: The fields that ask for them.
ASKED_AS: Final[dict[SharedGres, str]] = {"shard": "shards", "mps": "mps_percent"}
PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class GpuPart:
    gres: SharedGres
    count: int

    @classmethod
    def of(cls, shards: int | None, mps_percent: int | None) -> GpuPart | None:
        return cls("shard", shards) if shards else cls("mps", mps_percent) if mps_percent else None

    @property
    def text(self) -> str:
        """`1 shard`, `50 %`."""
        return plural(self.count, "shard") if self.gres == "shard" else f"{self.count} %"


def part_refusal(part: GpuPart, gpu_type: str | None, partitions: Sequence[PartitionView]) -> str | None:
    """Return why no GPU has so much to share."""
    most = most_parts(part.gres, gpu_type, partitions)
    where = " and ".join(f"“{partition.name}”" for partition in partitions)
    if not most:
        kind = f"{gpu_type} GPU" if gpu_type else "GPU"
        by = "shards" if part.gres == "shard" else "MPS"
        return f"No {kind} of {where} can be shared by {by}: ask for a whole one."
    if part.count <= most:
        return None
    if part.gres == "shard":
        return f"A GPU of {where} has {plural(most, 'shard')}, and this asks for {part.count}. Ask for {most} or fewer."
    return f"Slurm counts a GPU of {where} as mps:{most}, and this asks for {part.count}. Ask for {most} or less."


def most_parts(gres: SharedGres, gpu_type: str | None, partitions: Iterable[PartitionView]) -> int:
    return max(
        (
            pool.parts(gres)
            for partition in partitions
            for pool in partition.gpus
            if gpu_type is None or pool.type == gpu_type
        ),
        default=0,
    )
