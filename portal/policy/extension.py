"""Whether an existing session may have more time: its owner's limits, the partition, planned maintenance."""

from __future__ import annotations

from portal.policy import words
from portal.policy.ask import Resources
from portal.policy.limits import limits_for
from portal.policy.view import ClusterView, UserView
from portal.settings import Policy


def why_not_longer(
    held: Resources, walltime_s: int, left_s: int, owner: UserView, cluster: ClusterView, policy: Policy
) -> str | None:
    """Return why the session may not have `walltime_s` in total, of which `left_s` remains; None if it may.

    `held` is what the session has now; its time already counts among the owner's GPU-hours.
    """
    limits = limits_for(owner, policy)
    partition = cluster.partitions.get(held.partition)
    if walltime_s > limits.max_walltime_s:
        return f"A session of {owner.username} may last {words.duration(limits.max_walltime_s)} at most."
    if partition is not None and partition.max_walltime_s is not None and walltime_s > partition.max_walltime_s:
        return f"The partition “{partition.name}” allows {words.duration(partition.max_walltime_s)} at most."
    if partition is not None and partition.closes_in_s is not None and left_s > partition.closes_in_s:
        return f"It would run into maintenance: {partition.closes_why}"
    more = held.gpus * held.nodes * (walltime_s - held.walltime_s) / 3600
    if more > 0 and limits.max_gpu_hours is not None and owner.gpu_hours + more > limits.max_gpu_hours:
        return (
            f"{owner.username} may use {limits.max_gpu_hours} GPU-hours per month;"
            f" {owner.gpu_hours:.1f} are used or promised, and this would add {more:.1f} more."
        )
    return None
