"""The limits that apply to one user.

Each field comes from the first of three layers that sets it: the user's own limits; the most generous of the user's
groups, each as set by administrators or else by `portal.toml`; the site's defaults. What a group's members may hold
together is not a layer: the pools of all the user's groups apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from portal.policy.view import LimitRule, UserView
from portal.settings import Policy

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    max_gpus: int
    max_sessions: int
    max_walltime_s: int
    max_job_walltime_s: int | None
    """Of batch jobs; None: what the partition allows."""
    partitions: frozenset[str] | None
    max_gpu_hours: int | None = None
    """Per month; None: no limit."""
    gpu_types: frozenset[str] | None = None


def limits_for(user: UserView, policy: Policy) -> Limits:
    """Return the limits of `user`; `user.rules` holds the user's own rules and those of their groups."""
    own = [rule for rule in user.rules if rule.kind == "user"]
    groups = of_groups(user, policy)
    walltime_s = _most(_given(own, "max_walltime_s") or _given(groups, "max_walltime_s"))
    return Limits(
        max_gpus=_first(_given(own, "max_gpus"), _given(groups, "max_gpus"), policy.max_gpus),
        max_sessions=_first(_given(own, "max_sessions"), _given(groups, "max_sessions"), policy.max_sessions),
        max_walltime_s=policy.max_walltime_s if walltime_s is None else walltime_s,
        max_job_walltime_s=policy.max_job_walltime_s if walltime_s is None else walltime_s,
        max_gpu_hours=_most(_given(own, "max_gpu_hours") or _given(groups, "max_gpu_hours")),
        partitions=_choice(own, groups, "partitions"),
        gpu_types=_choice(own, groups, "gpu_types"),
    )


def of_groups(user: UserView, policy: Policy) -> list[LimitRule]:
    """Return one rule for each group of the user that has any; administrators' values override those of
    `portal.toml`.
    """
    rules = {rule.name.casefold(): rule for rule in user.rules if rule.kind == "group"}
    merged = []
    for limit in policy.limits:
        if limit.group not in user.groups:
            continue
        over = rules.pop(limit.group.casefold(), LimitRule("group", limit.group))
        configured = frozenset(limit.partitions) if limit.partitions is not None else None
        merged.append(
            LimitRule(
                "group",
                limit.group,
                max_gpus=_or(over.max_gpus, limit.max_gpus),
                max_sessions=_or(over.max_sessions, limit.max_sessions),
                max_walltime_s=_or(over.max_walltime_s, limit.max_walltime_s),
                max_gpu_hours=over.max_gpu_hours,
                partitions=_or(over.partitions, configured),
                gpu_types=over.gpu_types,
                group_max_gpus=_or(over.group_max_gpus, limit.group_max_gpus),
                group_max_gpu_hours=_or(over.group_max_gpu_hours, limit.group_max_gpu_hours),
            )
        )
    return [*merged, *rules.values()]


def _or(value: T | None, otherwise: T | None) -> T | None:
    return otherwise if value is None else value


def _given(rules: Iterable[LimitRule], field: str) -> list[int]:
    return [value for rule in rules if (value := getattr(rule, field)) is not None]


def _first(own: Sequence[int], groups: Sequence[int], otherwise: int) -> int:
    return max(own or groups, default=otherwise)


def _most(values: Sequence[int]) -> int | None:
    return max(values, default=None)


def _choice(own: Sequence[LimitRule], groups: Sequence[LimitRule], field: str) -> frozenset[str] | None:
    """Return the allowed names of `field`; a group without a limit allows its members everything."""
    for rule in own:
        names: frozenset[str] | None = getattr(rule, field)
        if names is not None:
            return names
    choices = [getattr(rule, field) for rule in groups]
    if not choices or any(names is None for names in choices):
        return None
    return frozenset().union(*choices)
