"""What a session or batch job would hold, and why its user's limits do not allow it, in one sentence for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from portal.policy import formatting
from portal.policy.limits import Limits
from portal.policy.view import Pool, UserView


@dataclass(frozen=True, slots=True)
class Demand:
    """`gpus` at once; GPU-hours until the time limit. None: without a time limit."""

    gpus: int
    gpu_hours: float | None
    walltime_s: int | None


def excess(demand: Demand, user: UserView, limits: Limits, max_walltime_s: int | None) -> Iterator[tuple[str, str]]:
    """Yield what exceeds the limits: the field of a request, and a sentence. At most one for each field.

    `max_walltime_s`: which of the limits on time applies, that of sessions or that of jobs.
    """
    why = (
        _gpus(demand, user, limits) or _gpu_hours(demand, user, limits) or _pools(demand, user) if demand.gpus else None
    )
    if why:
        yield "gpus", why
    if max_walltime_s is not None and (demand.walltime_s is None or demand.walltime_s > max_walltime_s):
        more = "Ask for less time." if demand.walltime_s is not None else "This has no time limit: set one."
        yield "walltime_s", f"Your time limit may be {formatting.duration(max_walltime_s)} at most. {more}"


def _gpus(demand: Demand, user: UserView, limits: Limits) -> str | None:
    held = user.gpus_in_use
    if held + demand.gpus <= limits.max_gpus:
        return None
    left = max(limits.max_gpus - held, 0)
    end = "end a session or job" if held else ""
    instead = " or ".join(part for part in (f"ask for {left} or fewer" if left else "", end) if part)
    return (
        f"You may use {formatting.plural(limits.max_gpus, 'GPU')} at once; {held} {'is' if held == 1 else 'are'} in use"
        f" or queued, and this asks for {demand.gpus}. {instead.capitalize() or 'Ask for none'}."
    )


def _gpu_hours(demand: Demand, user: UserView, limits: Limits) -> str | None:
    if limits.max_gpu_hours is None:
        return None
    most = f"You may use {formatting.plural(limits.max_gpu_hours, 'GPU-hour')} per month"
    if demand.gpu_hours is None:
        return f"{most}, and this has no time limit: set one."
    if user.gpu_hours + demand.gpu_hours <= limits.max_gpu_hours:
        return None
    return (
        f"{most}; {user.gpu_hours_used:.1f} are used, {user.gpu_hours_promised:.1f} promised to what runs or is queued,"
        f" and this could use {demand.gpu_hours:.1f}. Ask for less time or fewer GPUs, or end a session or job."
    )


def _pools(demand: Demand, user: UserView) -> str | None:
    """Return why the limits that a group's members share do not allow it."""
    for pool in user.pools:
        if (why := _pooled_gpus(demand, pool) or _pooled_gpu_hours(demand.gpu_hours, pool)) is not None:
            return why
    return None


def _pooled_gpus(demand: Demand, pool: Pool) -> str | None:
    if pool.max_gpus is None or pool.gpus + demand.gpus <= pool.max_gpus:
        return None
    left = max(pool.max_gpus - pool.gpus, 0)
    return (
        f"All members of the group “{pool.group}” together may use {formatting.plural(pool.max_gpus, 'GPU')} at once;"
        f" {pool.gpus} {'is' if pool.gpus == 1 else 'are'} in use or queued, and this asks for {demand.gpus}."
        f" {f'Ask for {left} or fewer, or wait' if left else 'Wait'} until other members' sessions or jobs end."
    )


def _pooled_gpu_hours(gpu_hours: float | None, pool: Pool) -> str | None:
    if pool.max_gpu_hours is None:
        return None
    most = (
        f"All members of the group “{pool.group}” together may use {formatting.plural(pool.max_gpu_hours, 'GPU-hour')}"
        " per month"
    )
    if gpu_hours is None:
        return f"{most}, and this has no time limit: set one."
    if pool.gpu_hours + gpu_hours <= pool.max_gpu_hours:
        return None
    return (
        f"{most}; {pool.gpu_hours_used:.1f} are used, {pool.gpu_hours_promised:.1f} promised to what runs or is queued,"
        f" and this could use {gpu_hours:.1f}. Ask for less time or fewer GPUs."
    )


def pools_refuse(gpu_hours: float, user: UserView) -> str | None:
    """Return why the pools of the user's groups do not allow this many more GPU-hours; None if they do."""
    return next((why for pool in user.pools if (why := _pooled_gpu_hours(gpu_hours, pool)) is not None), None)
