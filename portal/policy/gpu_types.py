"""Which GPU type a session gets: by name, or by the memory that each of its GPUs needs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from portal.policy.limits import Limits
from portal.policy.view import GpuPool, PartitionView


def allowed_pools(partition: PartitionView, limits: Limits) -> list[GpuPool]:
    return [pool for pool in partition.gpus if limits.gpu_types is None or pool.type in limits.gpu_types]


def gpu_type_refusal(types: Iterable[str], limits: Limits) -> str:
    yours = ", ".join(sorted(limits.gpu_types or ())) or "none"
    return f"You may not use {', '.join(sorted(types))} GPUs. Yours: {yours}."


def with_memory(memory_gb: int, family: str | None, gpus: int, pools: Iterable[GpuPool]) -> str | None:
    """Return the type with the least memory that is enough; None if no node has as many of one.

    `family` is a type or a word of its name: `a100` is `a100_1g.10gb`, too. A MIG instance has its own memory.
    """
    enough = [
        pool
        for pool in pools
        if pool.memory_gb is not None
        and pool.memory_gb >= memory_gb
        and pool.most_on_a_node >= gpus
        and (family is None or family.lower() in (pool.type.lower(), *_words(pool.type)))
    ]
    best = min(enough, key=lambda pool: (pool.memory_gb, -pool.free), default=None)
    return best.type if best else None


def memory_refusal(memory_gb: int, family: str | None, gpus: int, partition: PartitionView, limits: Limits) -> str:
    """Return why `with_memory` found none, with the types that there are."""
    wanted = f"{family.upper()} " if family else ""
    together = f"{gpus} " if gpus > 1 else ""
    known = [
        f"{pool.type} ({pool.memory_gb} GB)" for pool in allowed_pools(partition, limits) if pool.memory_gb is not None
    ]
    have = f"Yours here: {', '.join(known)}." if known else "None of its types tells its memory: name a type instead."
    return f"No node of “{partition.name}” has {together}{wanted}GPUs with {memory_gb} GB or more. {have}"


def _words(gpu_type: str) -> list[str]:
    return re.split(r"[^a-z0-9]+", gpu_type.lower())
