"""Whom Slurm's reservations admit and whom they exclude, as slurmctld decides when it places a job.

A job that names no reservation gets no node of any that overlaps with its time, not even one for its own user. A
MAGNETIC reservation attracts the jobs that may use it and fit. (scontrol(1), "reservations"; reservation.c,
`job_test_resv`.)
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import IntEnum

from portal.policy.request import Resources
from portal.policy.view import UserView
from portal.slurm.hostlist import expand
from portal.slurm.nodes import Node, Reservation
from portal.slurm.snapshot import Snapshot


class Open(IntEnum):
    """Whether the node takes the job; MAYBE if that depends on what the portal does not know."""

    NO = 0
    MAYBE = 1
    YES = 2


def refusal(resources: Resources, snapshot: Snapshot, user: UserView) -> str | None:
    """Return why Slurm would refuse the named reservation; None if it would not, or if that is unknown."""
    if resources.reservation is None or snapshot.reservations_as_of is None:
        return None
    named = find(snapshot, resources.reservation)
    if named is None:
        return f"Slurm has no reservation “{resources.reservation}”: leave it out, or ask its creator for the name."
    if lets_in(named, user, resources.account) is False:
        return f"The reservation “{named.name}” is not for you: leave it out, or ask its creator."
    return None


def find(snapshot: Snapshot, name: str) -> Reservation | None:
    return next((reservation for reservation in snapshot.reservations if reservation.name == name), None)


def lets_in(reservation: Reservation, user: UserView, account: str | None) -> bool | None:
    """Whether the user may run jobs there, charged to `account`; None if unknown.

    Users (or groups) and accounts must both match. An account includes its subaccounts, which the portal does not know;
    an exclusion is taken to mean the named account alone.
    """
    people = _fits(reservation.users, {user.username}) and _fits(reservation.groups, user.groups)
    if not people or not reservation.accounts:
        return people
    charged = account or user.default_account
    if charged is None:
        return None
    return _fits(reservation.accounts, {charged}) or (False if _excluded(reservation.accounts) else None)


def _fits(listed: tuple[str, ...], names: Iterable[str]) -> bool:
    if _excluded(listed):
        return not {name.removeprefix("-") for name in listed} & set(names)
    return not listed or bool(set(listed) & set(names))


def _excluded(listed: tuple[str, ...]) -> bool:
    return any(name.startswith("-") for name in listed)


def open_to(snapshot: Snapshot, user: UserView, now: datetime) -> list[Reservation]:
    """Return the reservations that the user may name in a request, current and coming ones, soonest first."""
    mine = [
        reservation
        for reservation in snapshot.reservations
        if not is_over(reservation, now)
        and any(lets_in(reservation, user, account) for account in user.accounts or (user.default_account,))
    ]
    return sorted(mine, key=lambda reservation: (reservation.starts_at or now, reservation.name))


def drawn_into(snapshot: Snapshot, user: UserView, account: str | None, now: datetime) -> list[str]:
    """Return the names of the reservations that attract the user's jobs without being named."""
    magnetic = (
        reservation
        for reservation in snapshot.reservations
        if "MAGNETIC" in reservation.flags and has_begun(reservation, now)
    )
    return [
        reservation.name
        for reservation in magnetic
        if not is_over(reservation, now) and lets_in(reservation, user, account)
    ]


class Reserved:
    """What the reservations leave of the nodes for a job that runs from `now` until its time limit."""

    def __init__(self, snapshot: Snapshot, resources: Resources, now: datetime) -> None:
        self._cpus = {node.name: node.cpus for node in snapshot.nodes}
        self._named = named = find(snapshot, resources.reservation) if resources.reservation else None
        self._only = set(expand(named.nodes)) if named and "FLEX" not in named.flags else set()
        self._kept: dict[str, Open] = {}
        ends = now + timedelta(seconds=resources.walltime_s)
        for reservation in snapshot.reservations:
            if has_begun(reservation, ends) and not is_over(reservation, now):
                verdict = self._verdict(reservation)
                for node in expand(reservation.nodes):
                    self._kept[node] = min(verdict, self._kept.get(node, verdict))

    def _verdict(self, reservation: Reservation) -> Open:
        if self._named is not None and (
            reservation is self._named
            or "MAINT" in self._named.flags
            or ("OVERLAP" in self._named.flags and "MAINT" not in reservation.flags)
        ):
            return Open.YES
        some_cores = reservation.cpus is not None and reservation.cpus < sum(
            self._cpus.get(node, 0) for node in expand(reservation.nodes)
        )
        return Open.MAYBE if some_cores else Open.NO

    def takes(self, node: Node) -> Open:
        """Whether Slurm places the job on this node, if it has room."""
        for_maintenance = self._named is not None and "MAINT" in self._named.flags
        if not (node.works if for_maintenance else node.available) or (self._only and node.name not in self._only):
            return Open.NO
        since_read = Open.NO if node.reserved else Open.YES
        return self._kept.get(node.name, since_read)


def has_begun(reservation: Reservation, now: datetime) -> bool:
    return reservation.starts_at is None or reservation.starts_at <= now


def is_over(reservation: Reservation, now: datetime) -> bool:
    return reservation.ends_at is not None and reservation.ends_at <= now
