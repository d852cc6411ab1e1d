"""The nodes as the Cluster page draws them: one small row each, and the changes from snapshot to snapshot.

A row does not name the owners of jobs: jobs on a node are letters. So one text serves every reader; their own jobs, and
what they may see of others, are sent separately.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from string import ascii_letters

from portal.cluster.cells import NOBODY, SHARED, Cells, lay, with_nobodys
from portal.cluster.gpu_holders import GpuHolders
from portal.cluster.live_schemas import NodeWord
from portal.slices import at_once
from portal.slurm.jobs import Place
from portal.slurm.nodes import Node, NodeState
from portal.slurm.snapshot import Snapshot

#: Maximum characters of a node's reason in its row; the node's details have the full text.
REASON_CHARS = 120
FREE, UNKNOWN, IN_PARTS = ".", "?", "%"
_ASLEEP = {"POWERED_DOWN", "POWERING_DOWN", "POWERING_UP", "POWER_DOWN"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What nodes of the same kind have in common."""

    partitions: tuple[str, ...]
    features: tuple[str, ...]
    cpus: int
    memory_mib: int
    gpus: tuple[tuple[str, int], ...]

    def as_json(self) -> dict[str, object]:
        return {
            "partitions": self.partitions,
            "features": self.features,
            "cpus": self.cpus,
            "memory_mib": self.memory_mib,
            "gpus": [{"type": kind, "count": count} for kind, count in self.gpus],
        }


@dataclass(frozen=True, slots=True)
class Change:
    """The difference from the previous board."""

    rows: tuple[str, ...]
    """New or changed rows, as JSON."""
    gone: tuple[str, ...]
    kinds_from: int
    """Kinds from this index on are new."""


@dataclass
class Board:
    """The rows of all nodes, fed with snapshots. Only what has changed is rebuilt."""

    kinds: list[Kind] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    held: GpuHolders = field(default_factory=GpuHolders)
    wants_places: bool = False
    """Whether some job's place is only guessed, while Slurm could tell."""
    _kind_of: dict[Kind, int] = field(default_factory=dict)
    _nodes: tuple[Node, ...] = ()
    _nodes_as_of: datetime | None = None
    _places: Mapping[int, tuple[Place, ...]] = field(default_factory=dict)
    _node_of: dict[str, Node] = field(default_factory=dict)
    _since_nodes: set[str] = field(default_factory=set)
    """Nodes whose jobs have changed since the nodes were last read."""
    _asked: frozenset[int] = frozenset()

    def update(self, snapshot: Snapshot) -> Change:
        """Process a snapshot without interruption."""
        return at_once(self.take(snapshot))

    def take(self, snapshot: Snapshot) -> Generator[None, None, Change]:
        """Process a snapshot; yields wherever other tasks may run."""
        fresh = snapshot.nodes is not self._nodes or snapshot.nodes_as_of != self._nodes_as_of
        kinds_from, changed = len(self.kinds), []
        touched = yield from self.held.take(snapshot.jobs)
        touched |= self._placed_anew(snapshot.places)
        self._places = snapshot.places
        gone = self._take_nodes(snapshot, touched) if fresh else ()
        for node in self._touched(touched, fresh):
            cells = lay(
                node,
                self.held.on.get(node.name, ()),
                before=self.cells.get(node.name, Cells(())),
                places=snapshot.places,
            )
            self.cells[node.name] = with_nobodys(cells, node) if fresh else cells
            row = self._row(node)
            if self.rows.get(node.name) != row:
                self.rows[node.name] = row
                changed.append(row)
            yield
        self._since_nodes = set() if fresh else self._since_nodes | touched
        if fresh:
            self._ask()
        return Change(tuple(changed), gone, kinds_from)

    def _placed_anew(self, places: Mapping[int, tuple[Place, ...]]) -> set[str]:
        """Return the nodes of jobs whose places Slurm reports differently from before."""
        if places is self._places:
            return set()
        news = [spots for job, spots in places.items() if self._places.get(job) != spots]
        return {spot.node for spots in news for spot in spots}

    def _take_nodes(self, snapshot: Snapshot, touched: set[str]) -> tuple[str, ...]:
        """Process the nodes: add the changed ones to `touched`, and return the removed ones."""
        before, self._node_of = self._node_of, {node.name: node for node in snapshot.nodes}
        touched |= self._since_nodes
        touched |= {name for name, node in self._node_of.items() if before.get(name) is not node}
        self._nodes, self._nodes_as_of = snapshot.nodes, snapshot.nodes_as_of
        gone = tuple(name for name in self.rows if name not in self._node_of)
        for name in gone:
            del self.rows[name], self.cells[name]
        return gone

    def _touched(self, names: set[str], fresh: bool) -> list[Node]:
        """Return these nodes, in Slurm's order if some may be new."""
        if fresh:
            return [node for node in self._nodes if node.name in names]
        return [self._node_of[name] for name in names if name in self._node_of]

    @property
    def shown(self) -> tuple[Node, ...]:
        """The nodes as last processed."""
        return self._nodes

    def node(self, name: str) -> Node | None:
        return self._node_of.get(name)

    def as_json(self, head: str) -> str:
        """Return the whole board as JSON; `head` is the text before it, without the closing brace."""
        kinds = json.dumps([kind.as_json() for kind in self.kinds])
        return f'{head},"kinds":{kinds},"nodes":[{",".join(self.rows.values())}]}}'

    def _ask(self) -> None:
        """Ask once for each job whose place does not follow from a fresh reading of its nodes."""
        guessed = frozenset(job for cells in self.cells.values() for job in cells.guessed)
        self.wants_places = bool(guessed - self._asked)
        self._asked = guessed

    def _row(self, node: Node) -> str:
        row = {
            "name": node.name,
            "kind": self.kind_of(node),
            "state": state_of(node),
            "gpus": letters(self.cells[node.name]),
            "cpus": node.cpus_allocated,
            "memory_mib": node.memory_allocated_mib,
            "reason": node.reason[:REASON_CHARS],
        }
        return json.dumps(row, separators=(",", ":"))

    def kind_of(self, node: Node) -> int:
        gpus = tuple((gpu.type, gpu.total) for gpu in node.gpus)
        kind = Kind(node.partitions, node.features, node.cpus, node.memory_mib, gpus)
        number = self._kind_of.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
        return number


def letters(cells: Cells) -> str:
    """Write a node's GPUs as one character each.

    A letter for each of its jobs, `.` free, `%` shared by jobs in parts, `?` used by no known job.
    """
    names = {None: FREE, NOBODY: UNKNOWN, SHARED: IN_PARTS}
    for job in cells.jobs:
        names.setdefault(job, ascii_letters[(len(names) - 3) % len(ascii_letters)])
    return "".join(names[job] for job in cells.jobs)


def state_of(node: Node) -> NodeWord:
    """Return a node's state in one word, for users: in use or not, and if unusable, why."""
    busy = node.state in (NodeState.MIXED, NodeState.ALLOCATED)
    if node.state in (NodeState.DOWN, NodeState.ERROR, NodeState.UNKNOWN, NodeState.FUTURE):
        return "drained" if node.state is NodeState.UNKNOWN and "DRAIN" in node.flags else "down"
    if node.flags & {"NOT_RESPONDING", "FAIL", "FAILING", "INVAL", "INVALID_REG"}:
        return "down"
    if any(flag.startswith("DRAIN") for flag in node.flags):
        return "draining" if busy else "drained"
    if node.flags & {"MAINT", "MAINTENANCE"}:
        return "maintenance"
    if node.flags & {"RESERVED"}:
        return "reserved"
    if node.flags & _ASLEEP:
        return "asleep"
    if node.state is NodeState.ALLOCATED:
        return "full"
    return "mixed" if node.state is NodeState.MIXED else "idle"
