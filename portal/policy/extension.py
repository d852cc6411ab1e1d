"""Whether an existing session may have more time: its owner's limits, the partition, planned maintenance, and, if its
owner asks, what the site lets users do themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from portal.policy import formatting
from portal.policy.demand import pools_refuse
from portal.policy.limits import limits_for
from portal.policy.request import Resources
from portal.policy.view import ClusterView, UserView
from portal.settings import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSoFar:
    """What the owner has added to the session so far, and how many jobs of others wait for what it has."""

    seconds: int
    times: int
    waiting: int


def why_not_by_oneself(more_s: int, so_far: ExtendedSoFar, owner: UserView, policy: Policy) -> str | None:
    """Return why the owner may not add `more_s` without an administrator; None if they may."""
    rule = policy.extension
    if rule.most_s == 0:
        return "Users cannot extend their sessions here; ask the administrators."
    if rule.groups and not owner.groups & set(rule.groups):
        return f"Only members of {', '.join(rule.groups)} may extend their sessions; ask the administrators."
    if so_far.times >= rule.times:
        return f"You have extended it {_times(so_far.times)} already, which is the most."
    if so_far.seconds + more_s > rule.most_s:
        left_s = max(rule.most_s - so_far.seconds, 0)
        left = f"{formatting.duration(left_s)} of that is left" if left_s >= 60 else "nothing of that is left"
        return f"You may add {formatting.duration(rule.most_s)} to one session in total; {left}."
    if so_far.waiting and not rule.while_others_wait:
        jobs = formatting.plural(so_far.waiting, "job")
        return f"{jobs} of other users {'waits' if so_far.waiting == 1 else 'wait'} for what this session has."
    return None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def why_not_longer(
    held: Resources, walltime_s: int, left_s: int, owner: UserView, cluster: ClusterView, policy: Policy
) -> str | None:
    """Return why the session may not have `walltime_s` in total, with `left_s` of it left; None if it may.

    `held` is what the session has now; its time already counts among the owner's GPU-hours.
    """
    limits = limits_for(owner, policy)
    partition = cluster.partitions.get(held.partition)
    if walltime_s > limits.max_walltime_s:
        return f"A session of {owner.username} may last {formatting.duration(limits.max_walltime_s)} at most."
    if partition is not None and partition.max_walltime_s is not None and walltime_s > partition.max_walltime_s:
        return f"The partition “{partition.name}” allows {formatting.duration(partition.max_walltime_s)} at most."
    if partition is not None and partition.closes_in_s is not None and left_s > partition.closes_in_s:
        return f"It would run into maintenance: {partition.closes_why}"
    more = held.gpus_counted * (walltime_s - held.walltime_s) / 3600
    if more > 0 and limits.max_gpu_hours is not None and owner.gpu_hours + more > limits.max_gpu_hours:
        return (
            f"{owner.username} may use {formatting.plural(limits.max_gpu_hours, 'GPU-hour')} per month;"
            f" {owner.gpu_hours:.1f} are used or promised, and this would add {more:.1f} more."
        )
    return pools_refuse(more, owner) if more > 0 else None
