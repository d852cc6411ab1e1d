"""Why a site cannot give what is asked beside sizes: features, licences, WCKeys. In one sentence for sessions
and jobs alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from portal.plurals import plural
from portal.policy.view import ClusterView, NodeKind, PartitionView, UserView

_PLAIN = re.compile(r"[A-Za-z0-9_.-]+(&[A-Za-z0-9_.-]+)*")
_LICENSE = re.compile(r"([A-Za-z0-9_.@-]+)(?::([0-9]{1,9}))?")


def features_of(constraint: str) -> frozenset[str] | None:
    """Return the features that must all be there; None for any other expression, which only Slurm can judge."""
    return frozenset(constraint.split("&")) if _PLAIN.fullmatch(constraint) else None


def counts_of(licenses: str) -> dict[str, int] | None:
    """Return how many are asked for of each licence; None if only Slurm can say."""
    found = [_LICENSE.fullmatch(part) for part in licenses.split(",")]
    return {match[1]: int(match[2] or 1) for match in found if match} if all(found) else None


def matching(constraint: str | None, partitions: Iterable[PartitionView]) -> list[NodeKind]:
    """Return the kinds of nodes that have the features."""
    wanted = features_of(constraint) if constraint else frozenset()
    return [kind for partition in partitions for kind in partition.kinds if wanted is None or wanted <= kind.features]


def constraint_refusal(constraint: str, gpus: int, nodes: int, partitions: Sequence[PartitionView]) -> str | None:
    """Return why no choice of nodes has the features; `gpus`: of each node."""
    wanted = features_of(constraint)
    if wanted is None or not any(partition.kinds for partition in partitions):
        return None
    where = " and ".join(f"“{partition.name}”" for partition in partitions)
    known = sorted({name for partition in partitions for kind in partition.kinds for name in kind.features})
    if unknown := sorted(wanted - set(known)):
        names = ", ".join(f"“{name}”" for name in unknown)
        return f"No node of {where} has the feature {names}. There are: {', '.join(known) or 'none'}."
    fitting = matching(constraint, partitions)
    if not fitting:
        return f"No node of {where} has all of {_listed(wanted)}. Ask for fewer features."
    if gpus > (most := max(kind.gpus for kind in fitting)):
        return f"Nodes of {where} with {_listed(wanted)} have {plural(most, 'GPU')} at most. Ask for fewer."
    there = sum(kind.nodes for kind in fitting if kind.gpus >= gpus)
    if nodes > there:
        have = "has" if there == 1 else "have"
        return f"Only {plural(there, 'node')} of {where} {have} {_listed(wanted)}. Ask for fewer nodes."
    return None


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"“{name}”" for name in sorted(names))


def licenses_refusal(licenses: str, cluster: ClusterView) -> str | None:
    counts = counts_of(licenses)
    if counts is None or cluster.licenses is None:
        return None
    for name, count in counts.items():
        total = cluster.licenses.get(name)
        if total is None:
            known = ", ".join(sorted(cluster.licenses)) or "none"
            return f"Slurm has no licence “{name}” here. There are: {known}."
        if count > total:
            return f"Slurm has {total} of the licence “{name}”, and this asks for {count}. Ask for {total} or fewer."
    return None


def wckey_refusal(wckey: str, user: UserView) -> str | None:
    if user.wckeys is None or wckey in user.wckeys:
        return None
    if not user.wckeys:
        return "You have no WCKey in Slurm: leave it out, or ask the administrators for one."
    return f"“{wckey}” is not one of your WCKeys. Yours: {', '.join(user.wckeys)}."
