"""The limits that hold for one user: the site's own, or the most generous of the user's groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from portal.settings import GroupLimit, Policy


@dataclass(frozen=True, slots=True)
class Limits:
    max_gpus: int
    max_sessions: int
    max_walltime_s: int
    partitions: frozenset[str] | None


def limits_for(groups: Iterable[str], policy: Policy) -> Limits:
    """Return the limits of a member of `groups`; a group's limit replaces the site's, the highest holds."""
    mine = [limit for limit in policy.limits if limit.group in set(groups)]
    return Limits(
        max_gpus=_most(mine, "max_gpus", policy.max_gpus),
        max_sessions=_most(mine, "max_sessions", policy.max_sessions),
        max_walltime_s=_most(mine, "max_walltime_s", policy.max_walltime_s),
        partitions=_partitions(mine),
    )


def _most(limits: list[GroupLimit], field: str, otherwise: int) -> int:
    values = [value for limit in limits if (value := getattr(limit, field)) is not None]
    return max(values, default=otherwise)


def _partitions(limits: list[GroupLimit]) -> frozenset[str] | None:
    if not limits or any(limit.partitions is None for limit in limits):
        return None
    return frozenset(name for limit in limits for name in limit.partitions or ())
