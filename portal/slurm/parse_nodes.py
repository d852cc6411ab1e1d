"""Parses nodes, partitions, configuration and accounts from scontrol and sacctmgr."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from portal.garbage import HeapFreezer
from portal.shared_gres import SHARED_GRES, SharedGres
from portal.slurm import parse, queries
from portal.slurm.nodes import (
    GpuCount,
    GpuParts,
    License,
    Node,
    NodeState,
    Partition,
    Reservation,
)
from portal.slurm.snapshot import Association, EnforcedLimit

_STATES = {state.value: state for state in NodeState}
#: Marks that some versions append to a state (sinfo(1), "NODE STATE CODES").
_MARKS = {"*": "NOT_RESPONDING", "~": "POWERED_DOWN", "#": "POWERING_UP", "!": "POWER_DOWN", "%": "POWERING_DOWN"} | {
    "$": "MAINTENANCE",
    "@": "REBOOT_ISSUED",
    "^": "REBOOT_REQUESTED",
    "-": "PLANNED",
}
#: What scontrol appends to a reason.
_WHO_AND_WHEN = re.compile(r"\s*\[([^\s@\[\]]+)@([0-9T:-]+)\]")


class NodeReader:
    """Parses the nodes, reading by reading. An unchanged node keeps its value."""

    def __init__(self) -> None:
        self._last: dict[str, Node] = {}
        self._settled = HeapFreezer()

    def begin(self) -> NodeReading:
        return NodeReading(self, self._last)

    def keep(self, nodes: dict[str, Node]) -> None:
        self._last = nodes
        self._settled.settle(len(nodes))


class NodeReading:
    """One reading of `queries.nodes`, taken piece by piece."""

    def __init__(self, reader: NodeReader, last: dict[str, Node]) -> None:
        self._reader = reader
        self._last = last
        self._records = parse.Records("NodeName")
        self._nodes: dict[str, Node] = {}

    def take(self, piece: str) -> None:
        self._add(self._records.take(piece))

    def end(self) -> list[Node]:
        """Return the nodes, after the last piece; if two have the same name, the first."""
        self._add(self._records.end())
        self._reader.keep(self._nodes)
        nodes: dict[str, Node] = {}
        for node in self._nodes.values():
            nodes.setdefault(node.name, node)
        return list(nodes.values())

    def _add(self, records: list[str]) -> None:
        for record in records:
            known = self._last.pop(record, None)
            self._nodes[record] = known or _node(parse.fields(record))


def nodes(output: str) -> list[Node]:
    """Parse a complete output of `queries.nodes`."""
    reading = NodeReader().begin()
    reading.take(output)
    return reading.end()


def _node(fields: dict[str, str]) -> Node:
    state, flags = node_state(fields["State"])
    total = parse.gpu_counts(fields.get("Gres", ""))
    used = parse.gpu_counts(fields.get("GresUsed", ""))
    held = parse.gpu_indices(fields.get("GresUsed", ""))
    parts = [_Parts(gres, fields, total) for gres in SHARED_GRES]
    active = parse.names(fields.get("ActiveFeatures", ""))
    try:
        load = float(fields.get("CPULoad", ""))
    except ValueError:
        load = None
    who_and_when = _WHO_AND_WHEN.search(fields.get("Reason", ""))
    return Node(
        name=fields["NodeName"],
        state=state,
        flags=flags,
        reason=_WHO_AND_WHEN.sub("", parse.text(fields.get("Reason", "").strip())),
        partitions=parse.names(fields.get("Partitions", "")),
        address=parse.text(fields.get("NodeAddr", "")),
        cpus=parse.number(fields.get("CPUEfctv", "")) or parse.number(fields.get("CPUTot", "")) or 0,
        cpus_allocated=parse.number(fields.get("CPUAlloc", "")) or 0,
        memory_mib=parse.number(fields.get("RealMemory", "")) or 0,
        memory_allocated_mib=parse.number(fields.get("AllocMem", "")) or 0,
        gpus=tuple(
            _gpu_count(kind, count, used.get(kind, 0), held.get(kind, ()), [each.of(kind, count) for each in parts])
            for kind, count in sorted(total.items())
        ),
        features=active,
        other_features=tuple(name for name in parse.names(fields.get("AvailableFeatures", "")) if name not in active),
        load=load,
        version=parse.text(fields.get("Version", "")),
        memory_free_mib=parse.number(fields.get("FreeMem", "")),
        gpus_drained=sum(parse.gpu_counts(fields.get("GresDrain", "")).values()),
        slurmd_since=parse.when(fields.get("SlurmdStartTime", "")),
        boot_at=parse.when(fields.get("BootTime", "")),
        busy_at=parse.when(fields.get("LastBusyTime", "")),
        reason_by=who_and_when[1] if who_and_when else "",
        reason_at=parse.when(who_and_when[2]) if who_and_when else None,
    )


def _gpu_count(kind: str, total: int, used: int, held: tuple[int, ...], parts: list[GpuParts]) -> GpuCount:
    """Count a GPU that jobs share by shards or MPS as allocated: Slurm does not allocate it to a job as a whole."""
    shared = sorted({index for each in parts for index in each.shared if index not in held})
    return GpuCount(
        kind,
        total,
        min(total, used + len(shared)),
        tuple(sorted({*held, *shared})),
        tuple(shared),
        tuple(each for each in parts if each.per_gpu),
    )


class _Parts:
    """A node's shards, or its share by MPS: how many its GPUs have, and how many of those are used, by GPU type."""

    def __init__(self, gres: SharedGres, fields: dict[str, str], gpus: dict[str, int]) -> None:
        only = next(iter(gpus)) if len(gpus) == 1 else None

        def by_gpu(counts: dict[str, int]) -> dict[str, int]:
            return {kind if kind in gpus or only is None else only: count for kind, count in counts.items()}

        used = fields.get("GresUsed", "")
        self._gres = gres
        self._total = by_gpu(parse.gres_counts(fields.get("Gres", ""), gres))
        self._used = by_gpu(parse.parts_used(used, gres))
        self._shared = parse.shared_gpus(used, gres, gpus)
        # Slurm 22.05 prints which GPUs are shared, but a wrong number of parts. Accounting's is right, of all types.
        self._tracked = parse.number(parse.tres(fields.get("AllocTRES", "")).get(f"gres/{gres}", ""))

    def of(self, kind: str, gpus: int) -> GpuParts:
        shared = self._shared.get(kind, ())
        used: int | None = self._used.get(kind)
        if used is None:
            used = (self._tracked if len(self._total) == 1 else None) if shared else 0
        return GpuParts(self._gres, self._total.get(kind, 0) // max(1, gpus), used, shared)


def node_state(value: str) -> tuple[NodeState, frozenset[str]]:
    """Split `MIXED+PLANNED` or `IDLE*+DRAIN` into the base state and its flags."""
    base, *flags = value.split("+")
    flags += [_MARKS[mark] for mark in re.findall(r"[*~#!%$@^-]", value)]
    return _STATES.get(re.sub(r"[^A-Z]", "", base), NodeState.UNKNOWN), frozenset(
        re.sub(r"[^A-Z_]", "", flag) for flag in flags
    )


def partitions(output: str) -> list[Partition]:
    """Parse `queries.partitions`."""
    return [_partition(fields) for fields in parse.one_liners(output, "PartitionName")]


def _partition(fields: dict[str, str]) -> Partition:
    def allowed(key: str) -> frozenset[str] | None:
        value = fields.get(key, "ALL")
        return None if value == "ALL" else frozenset(parse.names(value))

    def size(key: str) -> int | None:
        return parse.number(fields.get(key, ""))

    return Partition(
        name=fields["PartitionName"],
        default=fields.get("Default") == "YES",
        state=fields["State"],
        max_walltime_s=parse.duration_s(fields.get("MaxTime", "")),
        default_walltime_s=parse.duration_s(fields.get("DefaultTime", "")),
        nodes=parse.text(fields.get("Nodes", "")),
        node_total=size("TotalNodes") or 0,
        max_nodes=size("MaxNodes"),
        allow_accounts=allowed("AllowAccounts"),
        deny_accounts=frozenset(parse.names(fields.get("DenyAccounts", ""))),
        allow_groups=allowed("AllowGroups"),
        allow_qos=allowed("AllowQos"),
        deny_qos=frozenset(parse.names(fields.get("DenyQos", ""))),
        priority_tier=size("PriorityTier") or 1,
        qos=parse.text(fields.get("QoS", "")),
        max_memory_per_node_mib=size("MaxMemPerNode"),
        max_cpus_per_node=size("MaxCPUsPerNode"),
        hidden=fields.get("Hidden") == "YES",
        oversubscribe=fields.get("OverSubscribe", "NO"),
        exclusive_user=fields.get("ExclusiveUser") == "YES",
    )


_LICENSE = re.compile(r"^LicenseName=(\S+)\s+Total=(\d+) Used=(\d+) Free=\d+(?: Reserved=(\d+))?", re.M)


def licenses(output: str) -> list[License]:
    """Parse `queries.licenses`. Without any, scontrol prints a sentence."""
    return [
        License(name, int(total), int(used), int(reserved or 0))
        for name, total, used, reserved in _LICENSE.findall(output)
    ]


def wckeys(output: str) -> dict[str, tuple[str, ...]]:
    """Parse `queries.wckeys`: the WCKeys of each user. The empty one, which everybody has, is left out."""
    keys: dict[str, list[str]] = {}
    for line in output.splitlines():
        user, _, key = line.partition("|")
        if user and key and not key.startswith("*"):
            keys.setdefault(user, []).append(key)
    return {user: tuple(names) for user, names in keys.items()}


def reservations(output: str) -> list[Reservation]:
    """Parse `queries.reservations`. With no reservations, scontrol prints a sentence."""
    return [
        Reservation(
            name=fields["ReservationName"],
            state=fields.get("State", ""),
            starts_at=parse.when(fields.get("StartTime", "")),
            ends_at=parse.when(fields.get("EndTime", "")),
            nodes=parse.text(fields.get("Nodes", "")),
            node_count=parse.number(fields.get("NodeCnt", "")) or 0,
            cpus=parse.number(parse.tres(fields.get("TRES", "")).get("cpu", "")),
            users=parse.names(fields.get("Users", "")),
            groups=parse.names(fields.get("Groups", "")),
            accounts=parse.names(fields.get("Accounts", "")),
            flags=parse.names(fields.get("Flags", "")),
            partition=parse.text(fields.get("PartitionName", "")),
        )
        for fields in parse.one_liners(output, "ReservationName")
    ]


def config(output: str) -> dict[str, str]:
    """Parse `queries.config`: the controller's settings by name."""
    return {match[1]: match[2].strip() for match in re.finditer(r"^([A-Za-z_]+)\s+= (.*)$", output, re.M)}


def association_limits(output: str) -> list[EnforcedLimit]:
    """Parse `queries.association_limits`; leaves out associations without limits."""
    results = []
    for line in output.splitlines():
        account, user, partition, *values = line.split("|")
        if limits := _set(queries.ASSOCIATION_LIMITS, values):
            limit = EnforcedLimit("account", account, "", partition, limits)
            results.append(replace(limit, kind="user", name=user, account=account) if user else limit)
    return results


def qos_limits(output: str) -> list[EnforcedLimit]:
    """Parse `queries.qos_limits`; leaves out QOS without limits."""
    results = []
    for line in output.splitlines():
        name, *values = line.split("|")
        if limits := _set(queries.QOS_LIMITS, values):
            results.append(EnforcedLimit("qos", name, "", "", limits))
    return results


def _set(names: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    return {name: value for name, value in zip(names, values, strict=False) if value}


def associations(output: str) -> list[Association]:
    """Parse `queries.associations`."""
    associations = []
    for line in output.splitlines():
        fields = line.split("|")
        if len(fields) != 6 or not fields[0] or not fields[2]:
            continue
        user, default, account, partition, qos, default_qos = fields
        associations.append(
            Association(
                user=user,
                account=account,
                partition=partition,
                qos=parse.names(qos),
                default_qos=default_qos,
                is_default=account == default,
            )
        )
    return associations
