"""Decides what a session gets: fills in what is left out, refuses what is not allowed, and says why.

The web form, the API, the Hub's form and the Hub's REST call all use it. Cores, memory and GPUs are per node, like
Slurm's --cpus-per-task, --mem and --gres.
"""

from __future__ import annotations

from portal.errors import FieldProblem, PolicyRefused
from portal.policy import formatting
from portal.policy.closures import runs_into
from portal.policy.demand import Demand, excess
from portal.policy.gpu_types import allowed_pools, gpu_type_refusal, memory_refusal, with_memory
from portal.policy.limits import Limits, limits_for
from portal.policy.parts import ASKED_AS, PERCENT, TWO_KINDS, WHOLE_AND_PARTS, most_parts, part_refusal
from portal.policy.request import ResourceRequest, Resources
from portal.policy.site_options import (
    constraint_refusal,
    licenses_refusal,
    matching,
    wckey_refusal,
)
from portal.policy.view import ClusterView, PartitionView, UserView
from portal.settings import Policy


class _Problems:
    def __init__(self) -> None:
        self.found: list[FieldProblem] = []

    def add(self, field: str, message: str) -> None:
        """Record a field's problem. The first one stays, since it is the one to fix first."""
        name = f"resources.{field}"
        if all(problem.field != name for problem in self.found):
            self.found.append(FieldProblem(name, message))


def granted(resources: Resources | None, problems: list[FieldProblem]) -> Resources:
    """Return what the session gets, or raise PolicyRefused with a sentence for each invalid field."""
    if problems or resources is None:
        raise PolicyRefused(" ".join(problem.message for problem in problems), fields=problems)
    return resources


def consider(
    ask: ResourceRequest, user: UserView, cluster: ClusterView, policy: Policy
) -> tuple[Resources | None, list[FieldProblem]]:
    """Return the completed resources and every problem with them; no resources without a partition."""
    problems = _Problems()
    limits = limits_for(user, policy)
    partition = _partition(ask, user, limits, cluster, policy, problems)
    if partition is None:
        return None, problems.found
    exclusive = bool(ask.exclusive) or partition.whole_nodes
    gpus = _gpus(ask, exclusive, partition, policy, problems)
    gpu_type = _gpu_type(ask, gpus, partition, limits, problems)
    cpus, memory_mib = _share(ask, gpus, gpu_type, exclusive, partition, policy)
    resources = Resources(
        partition=partition.name,
        account=_account(ask, user, partition, problems),
        qos=ask.qos,
        reservation=ask.reservation,
        nodes=ask.nodes or 1,
        gpus=gpus,
        gpu_type=gpu_type,
        cpus=ask.cpus or cpus,
        memory_mib=ask.memory_mib or memory_mib,
        walltime_s=ask.walltime_s or _default_walltime(partition, limits, policy),
        shards=ask.shards or 0,
        mps_percent=ask.mps_percent or 0,
        constraint=ask.constraint,
        licenses=ask.licenses,
        wckey=ask.wckey,
        exclusive=exclusive,
    )
    _fits_node(resources, partition, policy, problems)
    _fits_site(resources, user, cluster, partition, problems)
    _fits_limits(resources, user, limits, problems)
    _fits_time(resources, partition, problems)
    return resources, problems.found


def _gpus(ask: ResourceRequest, exclusive: bool, partition: PartitionView, policy: Policy, problems: _Problems) -> int:
    """Return the whole GPUs per node. Whoever gets a whole node gets all its GPUs, so that limits count them."""
    if (part := ask.part) is not None:
        if ask.gpus:
            problems.add(ASKED_AS[part.gres], WHOLE_AND_PARTS)
        if ask.shards and ask.mps_percent:
            problems.add("mps_percent", TWO_KINDS)
        if exclusive:
            problems.add(ASKED_AS[part.gres], "A whole node comes with whole GPUs: leave out the part of one.")
        return 0
    if not exclusive:
        return ask.gpus if ask.gpus is not None else min(policy.default_gpus, partition.node_gpus)
    counts = {kind.gpus for kind in matching(ask.constraint, [partition])} or {partition.node_gpus}
    if ask.gpus is not None and ask.gpus not in counts:
        choice = " or ".join(map(str, sorted(counts)))
        problems.add(
            "gpus", f"A whole node of “{partition.name}” has all its GPUs: ask for {choice}, or leave the number out."
        )
    return max(counts) if ask.gpus is None else ask.gpus


def _share(
    ask: ResourceRequest, gpus: int, gpu_type: str | None, exclusive: bool, partition: PartitionView, policy: Policy
) -> tuple[int, int]:
    """Return the cores and memory (MiB) per node that go with the GPUs."""
    if exclusive:
        return partition.node_cpus, partition.node_memory_mib
    cpus = gpus * policy.cpus_per_gpu or policy.cpu_only_cpus
    memory_mib = gpus * policy.memory_mib_per_gpu or policy.cpu_only_memory_mib
    if ask.part and (of := most_parts(ask.part.gres, gpu_type, [partition])):
        share = min(ask.part.count / of, 1)
        cpus = max(1, int(policy.cpus_per_gpu * share))
        memory_mib = max(1, int(policy.memory_mib_per_gpu * share))
    return min(cpus, partition.node_cpus), min(memory_mib, partition.node_memory_mib)


def _partition(
    ask: ResourceRequest,
    user: UserView,
    limits: Limits,
    cluster: ClusterView,
    policy: Policy,
    problems: _Problems,
) -> PartitionView | None:
    wanted = ask.partition or _having_memory(ask, user, limits, cluster, policy) or policy.default_partition
    if wanted:
        partition = cluster.partitions.get(wanted)
        if partition is None:
            known = ", ".join(cluster.partitions) or "none"
            problems.add("partition", f"There is no partition “{wanted}”. Choose one of: {known}.")
            return None
    else:
        allowed = [partition for partition in cluster.partitions.values() if refusal(partition, user, limits) is None]
        partition = next((partition for partition in allowed if partition.default), allowed[0] if allowed else None)
        if partition is None:
            problems.add("partition", "No partition accepts your sessions now; ask the administrators.")
            return None
    if (why := refusal(partition, user, limits)) is not None:
        problems.add("partition", why)
    return partition


def _having_memory(
    ask: ResourceRequest, user: UserView, limits: Limits, cluster: ClusterView, policy: Policy
) -> str | None:
    """Return the partition that has GPUs with the requested memory: the default one if it does."""
    if ask.gpu_memory_gb is None:
        return None
    having = [
        partition
        for partition in cluster.partitions.values()
        if refusal(partition, user, limits) is None
        and with_memory(ask.gpu_memory_gb, ask.gpu_type, ask.gpus or 1, allowed_pools(partition, limits))
    ]
    usual = [each for each in having if each.name == policy.default_partition or each.default]
    return next((each.name for each in (*usual, *having)), None)


def refusal(partition: PartitionView, user: UserView, limits: Limits) -> str | None:
    """Return why `user` may not use `partition` now; None if they may."""
    if not partition.available:
        return partition.reason or f"The partition “{partition.name}” takes no jobs now."
    if limits.partitions is not None and partition.name not in limits.partitions:
        return f"You and your groups may not use the partition “{partition.name}”; choose another one."
    if partition.allow_groups is not None and not partition.allow_groups & user.groups:
        return f"The partition “{partition.name}” is for the groups {_listed(partition.allow_groups)}."
    if (
        partition.allow_accounts is not None
        and user.accounts
        and not partition.allow_accounts & frozenset(user.accounts)
    ):
        return f"The partition “{partition.name}” is for the accounts {_listed(partition.allow_accounts)}."
    return None


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _account(ask: ResourceRequest, user: UserView, partition: PartitionView, problems: _Problems) -> str | None:
    if ask.account is not None:
        if user.accounts and ask.account not in user.accounts:
            problems.add("account", f"You are not in the account “{ask.account}”. Yours: {', '.join(user.accounts)}.")
        elif partition.allow_accounts is not None and ask.account not in partition.allow_accounts:
            problems.add("account", f"The partition “{partition.name}” does not accept the account “{ask.account}”.")
        return ask.account
    if partition.allow_accounts is not None and user.default_account not in partition.allow_accounts:
        return next((name for name in user.accounts if name in partition.allow_accounts), user.default_account)
    return user.default_account


def _gpu_type(
    ask: ResourceRequest, gpus: int, partition: PartitionView, limits: Limits, problems: _Problems
) -> str | None:
    """Return the requested GPU type, the smallest with the requested memory, or the only one there is for the user."""
    if gpus == 0 and not ask.part:
        return None
    types = [pool.type for pool in partition.gpus]
    pools = allowed_pools(partition, limits)
    mine = [pool.type for pool in pools]
    if ask.gpu_memory_gb is not None:
        found = with_memory(ask.gpu_memory_gb, ask.gpu_type, gpus, pools)
        if found is None:
            why = memory_refusal(ask.gpu_memory_gb, ask.gpu_type, gpus, partition, limits)
            problems.add("gpu_memory_gb", why)
        return found
    if ask.gpu_type is not None and ask.gpu_type not in types:
        have = f"It has: {', '.join(types)}." if types else "It has no GPUs."
        problems.add("gpu_type", f"The partition “{partition.name}” has no {ask.gpu_type} GPUs. {have}")
    elif types and (not mine or (ask.gpu_type is not None and ask.gpu_type not in mine)):
        problems.add("gpu_type", gpu_type_refusal({ask.gpu_type} if ask.gpu_type else types, limits))
    if ask.gpu_type is None and mine and (len(types) == 1 or mine != types):
        return mine[0]
    return ask.gpu_type


def _default_walltime(partition: PartitionView, limits: Limits, policy: Policy) -> int:
    most = [policy.default_walltime_s, limits.max_walltime_s]
    if partition.max_walltime_s is not None:
        most.append(partition.max_walltime_s)
    return min(most)


def _fits_node(resources: Resources, partition: PartitionView, policy: Policy, problems: _Problems) -> None:
    if resources.nodes > policy.max_nodes:
        problems.add(
            "nodes",
            f"A session may span at most {formatting.plural(policy.max_nodes, 'node')}; for more, submit a batch job.",
        )
    pools = [pool for pool in partition.gpus if resources.gpu_type in (None, pool.type)]
    most_gpus = max((pool.most_on_a_node for pool in pools), default=0)
    of_no_such_type = partition.gpus and not pools  # already reported, and no number would help
    if resources.gpus > most_gpus and not of_no_such_type:
        have = f"at most {most_gpus} on one node" if most_gpus else "none"
        problems.add(
            "gpus",
            f"{formatting.gpus(resources.gpus, resources.gpu_type)} asked for, but the partition"
            f" “{partition.name}” has {have}. Ask for {most_gpus or 'no GPU'}"
            f"{' or fewer' if most_gpus > 1 else ''}.",
        )
    if resources.cpus > partition.node_cpus:
        problems.add(
            "cpus",
            f"{formatting.plural(resources.cpus, 'core')} asked for, but a node of “{partition.name}” has"
            f" {partition.node_cpus}. Ask for fewer.",
        )
    if resources.memory_mib > partition.node_memory_mib:
        problems.add(
            "memory_mib",
            f"{formatting.memory(resources.memory_mib)} asked for, but a node of “{partition.name}” has"
            f" {formatting.memory(partition.node_memory_mib)}. Ask for less.",
        )


def _fits_site(
    resources: Resources, user: UserView, cluster: ClusterView, partition: PartitionView, problems: _Problems
) -> None:
    if (part := resources.part) and (why := part_refusal(part, resources.gpu_type, [partition])):
        problems.add(ASKED_AS[part.gres], why)
    if resources.mps_percent and (of := most_parts("mps", resources.gpu_type, [partition])) not in (0, PERCENT):
        problems.add(
            "mps_percent",
            f"Slurm counts a GPU of “{partition.name}” as mps:{of}, so a session cannot ask for percent of one:"
            " ask for a whole one.",
        )
    if resources.constraint and (
        why := constraint_refusal(resources.constraint, resources.gpus, resources.nodes, [partition])
    ):
        problems.add("constraint", why)
    if resources.licenses and (why := licenses_refusal(resources.licenses, cluster)):
        problems.add("licenses", why)
    if resources.wckey and (why := wckey_refusal(resources.wckey, user)):
        problems.add("wckey", why)


def _fits_limits(resources: Resources, user: UserView, limits: Limits, problems: _Problems) -> None:
    gpus = resources.gpus_counted
    demand = Demand(gpus=gpus, gpu_hours=gpus * resources.walltime_s / 3600, walltime_s=resources.walltime_s)
    for field, message in excess(demand, user, limits, limits.max_walltime_s):
        problems.add(field, message)
    if user.sessions_in_use + 1 > limits.max_sessions:
        problems.found.append(
            FieldProblem(
                "sessions",
                f"You may have {formatting.plural(limits.max_sessions, 'session')} at once; {user.sessions_in_use}"
                f" {'is' if user.sessions_in_use == 1 else 'are'} active."
                " Stop one first.",
            )
        )


def _fits_time(resources: Resources, partition: PartitionView, problems: _Problems) -> None:
    if partition.max_walltime_s is not None and resources.walltime_s > partition.max_walltime_s:
        problems.add(
            "walltime_s",
            f"The partition “{partition.name}” allows {formatting.duration(partition.max_walltime_s)} at most."
            " Ask for less time or choose another partition.",
        )
    elif (why := runs_into(partition, resources.walltime_s)) is not None:
        problems.add("walltime_s", why)
