"""The most GPUs that a script may take, and for how long: what limits are checked against (sbatch(1)).

Where sbatch leaves a number to Slurm, the largest that Slurm may choose counts, and `ScriptRequest.note` says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portal.jobs import arrays
from portal.jobs.script.parse import Script
from portal.jobs.script.walltime import read_time
from portal.numbers import whole_number
from portal.plurals import plural
from portal.policy.demand import Demand
from portal.policy.parts import ASKED_AS, GpuPart
from portal.policy.view import PartitionView
from portal.slurm.hostlist import expand

Options = Mapping[str, str]

_NUMBER = re.compile(r"[0-9]{1,9}")
_GRES = re.compile(r"(?:gres[:/])?(gpu|shard|mps)(?:[:/]([A-Za-z][\w.+-]*))?(?:[:=]([0-9]{1,9}))?(?:\([^)]*\))?")
_GPUS = re.compile(r"(?:([A-Za-z][\w.+-]*)[:=])?([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class ScriptRequest:
    """What a script asks for. `gpus`: of one array task; None if it cannot be counted, and `note` says why."""

    gpus: int | None
    types: frozenset[str]
    untyped: bool
    """Whether it asks for GPUs without naming their type."""
    walltime_s: int | None
    tasks: int
    at_once: int | None
    note: str = ""

    @property
    def demand(self) -> Demand:
        """Return it with all tasks of an array; those that cannot run at once count in the hours alone."""
        gpus, tasks = self.gpus or 0, min(self.tasks, self.at_once or self.tasks)
        hours = None if self.walltime_s is None else gpus * self.tasks * self.walltime_s / 3600
        return Demand(gpus=gpus * tasks, gpu_hours=hours, walltime_s=self.walltime_s)


@dataclass
class _Count:
    """The GPUs of one part of a job; `notes` say how they were counted where the script does not tell."""

    gpus: int | None
    types: set[str]
    untyped: bool
    notes: list[str]


def asked(script: Script, partitions: Sequence[PartitionView]) -> ScriptRequest:
    """Return what the script asks for; `partitions` are those that it may run in."""
    counts = [_count(part, partitions) for part in script.parts]
    spec, _, throttle = script.options.get("array", "").partition("%")
    tasks = arrays.count(spec) or 1
    at_once = whole_number(throttle, digits=9) or None
    notes = [note for count in counts for note in count.notes]
    if tasks > 1:
        notes.append(
            f"An array counts all its {plural(tasks, 'task')} at once; --array={spec}%N lets N of them run at once."
            if at_once is None
            else f"Of an array's {plural(tasks, 'task')} {min(tasks, at_once)} count at once."
        )
    gpus = [count.gpus for count in counts]
    return ScriptRequest(
        gpus=None if None in gpus else sum(value or 0 for value in gpus),
        types=frozenset().union(*(count.types for count in counts)),
        untyped=any(count.untyped for count in counts),
        walltime_s=_walltime(script, partitions),
        tasks=tasks,
        at_once=at_once,
        note=" ".join(dict.fromkeys(notes)),
    )


def _walltime(script: Script, partitions: Sequence[PartitionView]) -> int | None:
    """Return the longest time limit of the job's parts, in seconds; None if nothing ends it."""
    times = [_part_walltime(part, partitions) for part in script.parts]
    return None if None in times else max((time for time in times if time is not None), default=None)


def _part_walltime(options: Options, partitions: Sequence[PartitionView]) -> int | None:
    if (time := options.get("time")) is not None:
        return read_time(time) or None
    defaults = [partition.default_walltime_s or partition.max_walltime_s for partition in partitions]
    return None if None in defaults else max((default for default in defaults if default is not None), default=None)


def _count(options: Options, partitions: Sequence[PartitionView]) -> _Count:
    count = _Count(0, set(), False, [])
    on_a_node = max((partition.node_gpus for partition in partitions), default=0)
    nodes = _nodes(options, partitions, count)
    tasks = _tasks(options, nodes)
    counts = [
        _times(nodes, _listed(options, "gres", count)),
        _times(nodes, _listed(options, "gpus-per-node", count)),
        _times(1, _listed(options, "gpus", count)),
        _times(tasks, _listed(options, "gpus-per-task", count)),
        _times(tasks, _listed(options, "tres-per-task", count)),
    ]
    per_socket = _listed(options, "gpus-per-socket", count)
    if per_socket:
        sockets = _whole(options, "sockets-per-node")
        counts.append(_times(nodes, per_socket * sockets if sockets else on_a_node))
    if "ntasks-per-gpu" in options and not any(counts):
        counts.append(None if tasks is None else -(-tasks // (_whole(options, "ntasks-per-gpu") or 1)))
        count.untyped = True
    whole = [partition.name for partition in partitions if partition.whole_nodes]
    if (_whole_nodes(options) or whole) and on_a_node:
        counts.append(_times(nodes, on_a_node))
        count.untyped = True
        taker = "--exclusive takes whole nodes" if _whole_nodes(options) else f"“{whole[0]}” gives jobs whole nodes"
        count.notes.append(f"{taker}: it counts as {plural(on_a_node, 'GPU')} on each.")
    if None in counts:
        count.gpus = None
        count.notes.append("Its GPUs cannot be counted: give --nodes and --gres=gpu:TYPE:NUMBER as plain numbers.")
    else:
        count.gpus = max(count or 0 for count in counts)
    return count


def gpus_on_a_node(options: Options) -> int:
    """Return the whole GPUs per node that `--gres` or `--gpus-per-node` name; 0 if they name none."""
    found = [_GRES.fullmatch(part) for part in options.get("gres", "").split(",")]
    named = _GPUS.fullmatch(options.get("gpus-per-node", ""))
    return int(named[2]) if named else sum(int(match[3] or 1) for match in found if match and match[1] == "gpu")


def parts_of_gpus(options: Options) -> list[tuple[GpuPart, str | None]]:
    """Return the parts of a GPU per node that a part of a job asks for, and the GPU's type."""
    found = [_GRES.fullmatch(part) for part in options.get("gres", "").split(",")]
    counts = [(gres, int(match[3] or 1), match[2]) for match in found if match for gres in ASKED_AS if match[1] == gres]
    return [(GpuPart(gres, count), kind) for gres, count, kind in counts if count]


def _times(number: int | None, gpus: int | None) -> int | None:
    if gpus == 0:
        return 0
    return None if number is None or gpus is None else number * gpus


def _whole_nodes(options: Options) -> bool:
    """Whether Slurm gives the job all GPUs of its nodes; `--exclusive=user` only keeps other users away."""
    return "exclusive" in options and options["exclusive"] not in ("user", "mcs", "topo")


def _nodes(options: Options, partitions: Sequence[PartitionView], count: _Count) -> int | None:
    """Return the most nodes that Slurm may give to the job; None if unknown."""
    listed = len(expand(options["nodelist"])) if "nodelist" in options else 0
    if "nodefile" in options:
        return None
    if "nodes" in options:
        numbers = [int(number) for number in _NUMBER.findall(options["nodes"])]
        plain = re.fullmatch(r"[0-9,:-]+", options["nodes"])
        return max(*numbers, listed, 1) if numbers and plain else None
    if "ntasks" not in options:
        return max(listed, 1)
    tasks, of_node = _whole(options, "ntasks"), _whole(options, "ntasks-per-node")
    if tasks is None:
        return None
    if of_node:
        return max(listed, -(-tasks // of_node))
    most = min(tasks, max((partition.nodes_total for partition in partitions), default=tasks))
    if most > 1 and ("gres" in options or "gpus-per-node" in options):
        count.notes.append(f"Without --nodes its {plural(tasks, 'task')} may get a node each: give --nodes.")
    return max(listed, most, 1)


def _tasks(options: Options, nodes: int | None) -> int | None:
    if "ntasks" in options:
        return _whole(options, "ntasks")
    of_node = _whole(options, "ntasks-per-node") if "ntasks-per-node" in options else 1
    return None if nodes is None or of_node is None else nodes * of_node


def _whole(options: Options, name: str) -> int | None:
    return whole_number(options.get(name, ""), digits=9)


def _listed(options: Options, name: str, count: _Count) -> int | None:
    """Return the GPUs of an option such as `gpu:v100:2,gpu:a100:1`; None if it cannot be counted.

    Shards, or a share by MPS, are of one GPU, which counts whole.
    """
    total = 0
    for part in filter(None, options.get(name, "").split(",")):
        of_gres = name in ("gres", "tres-per-task")
        if of_gres and not re.match(r"(gres[:/])?(gpu|shard|mps)\b", part):
            continue
        match = _GRES.fullmatch(part) if of_gres else _GPUS.fullmatch(part)
        if match is None:
            return None
        kind, number = (match[2], match[3]) if of_gres else (match[1], match[2])
        gpus = 1 if number is None or (of_gres and match[1] != "gpu" and int(number)) else int(number)
        total += gpus
        if gpus and kind:
            count.types.add(kind)
        elif gpus:
            count.untyped = True
    return total
