"""Guesses whether a session would start at once, from the snapshot alone, without a call to Slurm.

A guess for the form, not a promise: Slurm's priorities and limits can make it wrong.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from portal.placement.reserved import Open, Reserved, drawn_into, find, has_begun, lets_in, refusal
from portal.placement.room import Rooms
from portal.policy import formatting
from portal.policy.request import Resources
from portal.policy.site_options import counts_of
from portal.policy.view import UserView
from portal.slurm.hostlist import expand
from portal.slurm.snapshot import Reach, Snapshot

Starts = Literal["now", "later", "unknown"]

#: Reasons of pending jobs that would start if there were room; others queue behind them. A job that is held, depends on
#: another or exceeds a limit lets others pass.
IN_LINE = frozenset({"", "Priority", "Resources"})


def starts(resources: Resources, snapshot: Snapshot, user: UserView, now: datetime) -> tuple[Starts, str]:
    starts = _starts(resources, snapshot, user, now)
    if starts[0] != "now" and resources.reservation is None:
        for name in drawn_into(snapshot, user, resources.account, now):
            inside = _starts(resources.model_copy(update={"reservation": name}), snapshot, user, now)
            if inside[0] == "now":
                return inside
    return starts


def _starts(resources: Resources, snapshot: Snapshot, user: UserView, now: datetime) -> tuple[Starts, str]:
    if snapshot.state is not Reach.UP:
        return "unknown", "Slurm is not answering"
    if snapshot.reservations_as_of is None:
        return "unknown", "it is unknown which nodes are reserved"
    if (
        resources.reservation is not None
        and (own_reservation := _of_its_own(resources, snapshot, user, now)) is not None
    ):
        return own_reservation
    reserved = Reserved(snapshot, resources, now)
    nodes = [(node, reserved.takes(node)) for node in snapshot.nodes if resources.partition in node.partitions]
    rooms = Rooms(resources, snapshot, user)
    room = [min(taken, rooms.on(node)) for node, taken in nodes]
    if room.count(Open.YES) < resources.nodes:
        if room.count(Open.YES) + room.count(Open.MAYBE) >= resources.nodes:
            return "unknown", "Slurm decides: nodes with free resources are partly reserved or shared"
        return "later", _waits_for(resources, snapshot, rooms, now)
    if (lacking := _licenses_lacking(resources, snapshot)) is not None:
        return lacking
    if ahead := _ahead(resources.partition, snapshot):
        return "later", f"may wait: {formatting.plural(ahead, 'job')} ahead in the queue"
    return "now", "starts now"


def _ahead(partition: str, snapshot: Snapshot) -> int:
    """Count the pending jobs that Slurm considers first.

    Those of the same partition, and of partitions with a node in common whose tier is not lower (slurm.conf(5),
    "PriorityTier"). New jobs have the lowest priority, as far as the portal knows.
    """
    tiers = {partition.name: partition.priority_tier for partition in snapshot.partitions}
    shared = {name for node in snapshot.nodes if partition in node.partitions for name in node.partitions}
    rivals = {name for name in shared if tiers.get(name, 1) >= tiers.get(partition, 1)} | {partition}
    return sum(
        job.state.waits and job.reason in IN_LINE and not rivals.isdisjoint(job.partitions)
        for job in snapshot.jobs.values()
    )


def _of_its_own(resources: Resources, snapshot: Snapshot, user: UserView, now: datetime) -> tuple[Starts, str] | None:
    """Return the start that the named reservation decides, regardless of room; None if it decides nothing."""
    named = find(snapshot, resources.reservation or "")
    if named is None or refusal(resources, snapshot, user) is not None:
        return "unknown", "Slurm would refuse it"
    if not has_begun(named, now) and "FLEX" not in named.flags and named.starts_at is not None:
        return "later", f"would wait: the reservation “{named.name}” starts in {_until(named.starts_at, now)}"
    if lets_in(named, user, resources.account) is None:
        return (
            "unknown",
            f"Slurm decides: “{named.name}” is for {_these('account', named.accounts)} and its subaccounts",
        )
    return None


def _these(what: str, names: tuple[str, ...]) -> str:
    return f"the {what}{'s' if len(names) > 1 else ''} {', '.join(f'“{name}”' for name in names)}"


def _until(moment: datetime, now: datetime) -> str:
    return formatting.duration(max(60, int((moment - now).total_seconds())) // 60 * 60)


def _licenses_lacking(resources: Resources, snapshot: Snapshot) -> tuple[Starts, str] | None:
    """Return what the licences decide; None if enough are free."""
    counts = counts_of(resources.licenses) if resources.licenses else {}
    if counts is None or (counts and snapshot.version is None):
        return "unknown", "it is unknown which licences are free"
    free = {each.name: each.free for each in snapshot.licenses}
    for name, count in counts.items():
        if free.get(name, 0) < count:
            return "later", f"would wait for {formatting.plural(count, 'free licence')} of {name}"
    return None


def _waits_for(resources: Resources, snapshot: Snapshot, rooms: Rooms, now: datetime) -> str:
    at_first = Reserved(snapshot, resources.model_copy(update={"walltime_s": 0}), now)
    here = [node for node in snapshot.nodes if resources.partition in node.partitions]
    nodes = [node for node in here if at_first.takes(node) is not Open.NO]
    if sum(rooms.on(node) is Open.YES for node in nodes) >= resources.nodes:
        names = {node.name for node in nodes}
        coming = [
            reservation.starts_at
            for reservation in snapshot.reservations
            if reservation.starts_at and names & set(expand(reservation.nodes))
        ]
        begins = min((moment for moment in coming if moment > now), default=now)
        return (
            f"would wait: nodes are reserved in {_until(begins, now)}, before it ends; a shorter session may start now"
        )
    if not nodes and resources.reservation is not None:
        return f"would wait: no node of “{resources.partition}” accepts jobs of “{resources.reservation}” now"
    if not nodes and any(node.available for node in here):
        return f"would wait: the nodes of “{resources.partition}” are reserved now"
    if not nodes:
        return f"would wait: no node of “{resources.partition}” accepts jobs now"
    if resources.constraint is not None:
        fitting = [node for node in nodes if rooms.has_features(node) is not Open.NO]
        if len(fitting) < resources.nodes:
            return "would wait: no node with these features accepts jobs now"
    if resources.exclusive:
        return f"would wait for {formatting.plural(resources.nodes, 'whole free node')}"
    if (part := resources.part) is not None:
        kind = resources.gpu_type.upper() if resources.gpu_type else "GPU"
        left = f"{part.count} % free" if part.gres == "mps" else formatting.plural(part.count, "free shard")
        return f"would wait for {left} of one {kind}"
    free = max((sum(gpu.free for gpu in node.gpus) for node in nodes), default=0)
    if resources.gpus > free:
        kind = resources.gpu_type.upper() if resources.gpu_type else "GPU"
        return f"would wait for {resources.gpus} free {kind}{'s' if resources.gpus > 1 else ''} on one node"
    cores = formatting.plural(resources.cpus, "free core")
    return f"would wait for a node with {cores} and {formatting.memory(resources.memory_mib)} free"
