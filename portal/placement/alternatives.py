"""Finds requests similar to one that would wait, but that would start now, from the snapshot alone.

Each is what the same user may request, and what Slurm accepts as far as the portal knows Slurm's rules. Like `starts`,
they are conservative: where it is unknown whether one would start, it is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any

from portal.errors import FieldProblem
from portal.placement.reserved import refusal
from portal.placement.starts import starts
from portal.policy import formatting
from portal.policy.parts import ASKED_AS, most_parts
from portal.policy.request import ResourceRequest, Resources
from portal.policy.resolve import consider
from portal.policy.view import ClusterView, UserView
from portal.settings import Policy
from portal.slurm.nodes import Partition
from portal.slurm.snapshot import Snapshot

MOST = 3
#: Each try looks at every node.
MOST_TRIES = 40
#: Time limits to offer, longest first.
TIMES_S = tuple(int(hours * 3600) for hours in (48, 24, 12, 8, 6, 4, 3, 2, 1, 0.5))

Change = dict[str, Any]
Startable = Callable[[Change], Resources | None]


@dataclass(frozen=True, slots=True)
class Alternative:
    """What the alternative request would get, and how that differs from the original."""

    resources: Resources
    text: str


def alternatives(
    ask: ResourceRequest,
    asked: Resources,
    *,
    complete: Callable[[ResourceRequest], ResourceRequest],
    user: UserView,
    cluster: ClusterView,
    policy: Policy,
    snapshot: Snapshot,
    now: datetime,
) -> list[Alternative]:
    """Return up to three requests that would start now; `asked` is what policy made of `ask`.

    `complete` fills in what the app wants.

    One of each kind: less time, fewer GPUs, another type of GPU, another partition. Only if none of these starts, two
    changes at once.
    """
    tries = 0

    def startable(change: Change) -> Resources | None:
        nonlocal tries
        tries += 1
        if tries > MOST_TRIES:
            return None
        resources, problems = consider(complete(ask.model_copy(update=change)), user, cluster, policy)
        if resources is None or problems or not _accepted(resources, user, snapshot):
            return None
        return resources if starts(resources, snapshot, user, now)[0] == "now" else None

    kinds = _Kinds(ask, asked, cluster)
    single = (kinds.times(), kinds.counts(), kinds.parts(), kinds.types(), *([place] for place in kinds.places()))
    double = (
        (place | count for place, count in product(kinds.places(), kinds.counts())),
        (count | time for time, count in product(kinds.times(), kinds.counts())),
    )
    choices = _first_of_each(single, startable) or _first_of_each(double, startable)
    return [Alternative(resources, _difference(asked, resources)) for resources in choices[:MOST]]


def _first_of_each(kinds: Iterable[Iterable[Change]], startable: Startable) -> list[Resources]:
    firsts = (next(filter(None, map(startable, changes)), None) for changes in kinds)
    return [first for first in firsts if first is not None]


class _Kinds:
    """What could be changed in a request, the smallest change first."""

    def __init__(self, ask: ResourceRequest, asked: Resources, cluster: ClusterView) -> None:
        self._ask = ask
        self._asked = asked
        self._cluster = cluster

    def times(self) -> Iterator[Change]:
        return ({"walltime_s": time_s} for time_s in TIMES_S if time_s < self._asked.walltime_s)

    def counts(self) -> Iterator[Change]:
        """Fewer GPUs; the cores and memory of a request that names them stay. Never none."""
        partition = self._cluster.partitions.get(self._asked.partition)
        most = max((pool.most_on_a_node for pool in partition.gpus), default=0) if partition else 0
        return ({"gpus": count} for count in range(min(self._asked.gpus - 1, most), 0, -1))

    def parts(self) -> Iterator[Change]:
        """Half of one GPU instead of a whole one, where GPUs are shared; with its share of the rest."""
        partition = self._cluster.partitions.get(self._asked.partition)
        if self._asked.gpus != 1 or self._asked.nodes != 1 or self._asked.exclusive or partition is None:
            return iter(())
        most = ((name, most_parts(gres, self._asked.gpu_type, [partition])) for gres, name in ASKED_AS.items())
        whole: Change = dict.fromkeys(("gpus", "cpus", "memory_mib"))
        return (whole | {name: count // 2} for name, count in most if count >= 2)

    def types(self) -> Iterator[Change]:
        partition = self._cluster.partitions.get(self._asked.partition)
        if partition is None or self._asked.gpu_type is None:
            return iter(())
        return ({"gpu_type": pool.type} for pool in partition.gpus if pool.type not in ("", self._asked.gpu_type))

    def places(self) -> list[Change]:
        """Other partitions, for as much of the time as they allow. A reservation and a QOS belong to the asked one."""
        if self._ask.reservation is not None:
            return []
        return [
            self._place(partition.name, partition.max_walltime_s)
            for partition in self._cluster.partitions.values()
            if partition.name != self._asked.partition
        ]

    def _place(self, name: str, max_walltime_s: int | None) -> Change:
        kinds = {pool.type for pool in self._cluster.partitions[name].gpus}
        change: Change = {"partition": name}
        if self._ask.gpu_type is not None and self._ask.gpu_type not in kinds:
            change["gpu_type"] = None
        if max_walltime_s is not None and self._asked.walltime_s > max_walltime_s:
            change["walltime_s"] = max_walltime_s
        return change


def _accepted(resources: Resources, user: UserView, snapshot: Snapshot) -> bool:
    """Whether Slurm takes the request, by the rules of its partition that policy does not check."""
    partition = next((partition for partition in snapshot.partitions if partition.name == resources.partition), None)
    if partition is None or refusal(resources, snapshot, user) is not None:
        return False
    if partition.max_nodes is not None and resources.nodes > partition.max_nodes:
        return False
    if partition.allow_accounts is not None and resources.account not in partition.allow_accounts:
        return False
    return resources.account not in partition.deny_accounts and _charged(resources, user, partition, snapshot)


def _charged(resources: Resources, user: UserView, partition: Partition, snapshot: Snapshot) -> bool:
    """Whether an association and the partition admit the request's account and QOS."""
    mine = [
        association
        for association in snapshot.associations
        if association.user == user.username and association.account == resources.account
    ]
    if mine and not any(association.partition in ("", partition.name) for association in mine):
        return False
    if partition.allow_qos is None and not partition.deny_qos:
        return True
    qos = (
        {resources.qos}
        if resources.qos
        else {association.default_qos for association in mine if association.default_qos}
    )
    allowed = partition.allow_qos is None or (bool(qos) and qos <= partition.allow_qos)
    return allowed and not qos & partition.deny_qos


def _difference(asked: Resources, got: Resources) -> str:
    """`4 h instead of 8 h`, `1 × V100 instead of 2`, `debug, for 30 min`."""
    parts = []
    if got.partition != asked.partition:
        parts.append(got.partition)
    if got.gpus != asked.gpus or got.part != asked.part or (got.gpu_type != asked.gpu_type and got.gpus):
        same = got.gpu_type == asked.gpu_type and got.part == asked.part
        instead = f" instead of {asked.gpus}" if same and got.partition == asked.partition else ""
        parts.append(formatting.gpus(got.gpus, got.gpu_type, got.part) + instead)
    if got.walltime_s != asked.walltime_s:
        instead = f" instead of {formatting.duration(asked.walltime_s)}" if not parts else ""
        parts.append(formatting.duration(got.walltime_s) + instead)
    return ", ".join(parts)


def is_about_resources(problems: list[FieldProblem]) -> bool:
    """Whether all problems are such that other resources may solve them."""
    return all(problem.field.startswith("resources.") for problem in problems)
