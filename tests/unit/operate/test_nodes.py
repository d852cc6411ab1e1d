"""How well nodes are, in sentences; what becomes of them, kept; and which hold so many GPUs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from portal.db.engine import make_engine, unit_of_work
from portal.errors import InvalidRequest
from portal.operate.node_health import findings, gpus_found
from portal.operate.node_history import NodeHistory
from portal.operate.reserving import nodes_with, taken
from portal.slurm import parse_nodes
from portal.slurm.nodes import GpuCount, Node, NodeState, Reservation
from portal.slurm.snapshot import Snapshot
from tests.unit.sessions.conftest import START, Clock

WELL = Node(
    "node001", NodeState.IDLE, cpus=40, memory_mib=384_000, gpus=(GpuCount("v100", 4, 0),), slurmd_since=START, load=3.0
)
HOSTILE = "<img src=x onerror=alert(1)> [evil@host]"


def test_node_that_is_well_has_no_finding() -> None:
    assert findings(WELL) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"flags": frozenset({"NOT_RESPONDING"})}, "Slurm cannot reach its slurmd"),
        ({"slurmd_since": None}, "Its slurmd has not registered"),
        ({"load": 61.0}, "Its load is 61 on 40 cores."),
        ({"memory_free_mib": 900}, "Only 900 MiB of its memory are free."),
        ({"gpus_drained": 2}, "2 of its GPUs take no new jobs."),
        ({"state": NodeState.DOWN, "reason": "Not responding", "reason_by": "slurm", "reason_at": START},
         "Slurm counts it as down since Sat 21 Nov 12:00 UTC, by slurm: Not responding"),
        ({"flags": frozenset({"DRAIN"}), "reason": HOSTILE}, f"It takes no new jobs: {HOSTILE}"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_node_is_said(change: dict[str, object], told: str) -> None:
    assert any(told in finding.text for finding in findings(replace(WELL, **change)))  # type: ignore[arg-type]


def test_gpus_that_a_node_lacks_are_counted_from_slurms_own_reason() -> None:
    line = (
        "NodeName=node001 CPUTot=40 CPULoad=0.1 Gres=gpu:v100:4 State=IDLE+DRAIN+INVALID_REG FreeMem=1000 "
        "BootTime=2026-11-20T10:00:00 SlurmdStartTime=2026-11-21T10:00:00 "
        "Reason=gres/gpu count reported lower than configured (1 < 4) [slurm@2026-11-21T11:00:00]\n"
    )
    (node,) = parse_nodes.nodes(line)
    assert gpus_found(node) == 1
    assert (node.reason_by, node.reason_at) == ("slurm", START - timedelta(hours=1))
    assert node.slurmd_since == START - timedelta(hours=2)
    texts = [finding.text for finding in findings(node)]
    assert "It has 1 GPU, but slurm.conf declares 4; check the driver, then resume it." in texts


@pytest.fixture
async def clock() -> Clock:
    return Clock()


@pytest.fixture
async def begin(database: str, clock: Clock) -> AsyncIterator[Callable[[], NodeHistory]]:
    """Return the history of a portal that has just started."""
    engine = make_engine(database)
    work = unit_of_work(engine)
    yield lambda: NodeHistory(work, None, clock, 30)  # type: ignore[arg-type]  # snapshots are handed in
    await engine.dispose()


@pytest.fixture
async def history(begin: Callable[[], NodeHistory]) -> NodeHistory:
    return begin()


async def told(history: NodeHistory, node: str = "node001") -> list[tuple[str, str]]:
    return [(state.state, state.reason) for state in await history.of(node, 100)]


async def test_history_keeps_what_becomes_of_a_node_not_how_busy_it_is(history: NodeHistory, clock: Clock) -> None:
    drained = replace(WELL, flags=frozenset({"DRAIN"}), reason=HOSTILE)
    for node in (WELL, replace(WELL, state=NodeState.MIXED), drained, drained, replace(drained, reason="Fans"), WELL):
        await history.take(Snapshot(nodes=(node,), nodes_as_of=clock.pass_(20)))
    await history.take(Snapshot(nodes=(), nodes_as_of=clock.pass_(20)))
    assert await told(history) == [("gone", ""), ("up", ""), ("drained", "Fans"), ("drained", HOSTILE), ("up", "")]


async def test_history_names_the_administrator_whom_slurm_does_not_know(
    begin: Callable[[], NodeHistory], history: NodeHistory, clock: Clock
) -> None:
    async def is_now(**change: Any) -> tuple[str, str | None]:
        await history.take(Snapshot(nodes=(replace(WELL, **change),), nodes_as_of=clock.pass_(20)))
        latest = (await history.of("node001", 1))[0]
        return latest.state, latest.actor

    draining = {"state": NodeState.MIXED, "flags": frozenset({"DRAIN"}), "reason": "Fans", "reason_by": "slurm"}
    assert await is_now() == ("up", None)
    history.expect(["node001"], "ada", "Fans")
    assert await is_now(**draining) == ("draining", "ada")
    clock.pass_(3600)
    assert await is_now(**draining | {"state": NodeState.IDLE}) == ("drained", "ada"), "for the same reason"
    history = begin()  # a new portal knows nothing but the table
    assert await is_now(**draining) == ("draining", "ada")
    history.expect(["node001"], "bob")
    assert await is_now() == ("up", "bob")
    assert await is_now(**draining | {"reason": "Disk", "reason_by": "root"}) == ("draining", "root")
    assert await is_now() == ("up", None), "somebody resumed it with scontrol"


async def test_history_goes_on_where_an_earlier_portal_stopped_and_forgets_what_is_old(
    begin: Callable[[], NodeHistory], history: NodeHistory, clock: Clock
) -> None:
    other = replace(WELL, name="node002")
    down = replace(WELL, state=NodeState.DOWN, reason="Not responding")
    await history.take(Snapshot(nodes=(WELL, other), nodes_as_of=clock()))
    await history.take(Snapshot(nodes=(down, other), nodes_as_of=clock.pass_(20)))
    history = begin()  # a new portal knows nothing but the table
    await history.take(Snapshot(nodes=(down, other), nodes_as_of=clock.pass_(20)))
    assert await told(history) == [("down", "Not responding"), ("up", "")]
    clock.pass_(31 * 86_400)
    await history.forget_old()
    assert await told(history) == [("down", "Not responding")], "the newest holds until the next one"
    assert await told(history, "node002") == [("up", "")]


def test_reservation_of_gpus_takes_whole_nodes_the_least_used_first() -> None:
    busy = replace(WELL, name="node002", gpus=(GpuCount("v100", 4, 3),))
    other = replace(WELL, name="node003", gpus=(GpuCount("a100", 8, 0),))
    down = replace(WELL, name="node004", state=NodeState.DOWN)
    nodes = (busy, WELL, other, down)
    assert nodes_with(nodes, 3, "v100") == ("node001",)
    assert nodes_with(nodes, 5, "v100") == ("node001", "node002")
    assert set(nodes_with(nodes, 16, None)) == {"node001", "node002", "node003"}
    with pytest.raises(InvalidRequest, match="There are 8 GPUs of the type “v100” on nodes that are up"):
        nodes_with(nodes, 9, "v100")


def test_nodes_that_are_reserved_then_are_left_out() -> None:
    hour = timedelta(hours=1)
    lecture = Reservation("lecture", starts_at=START + hour, ends_at=START + 2 * hour, nodes="node[001-002]")
    assert taken([lecture], START, minutes=60) == set()
    assert taken([lecture], START, minutes=61) == {"node001", "node002"}
    assert taken([lecture], START + 2 * hour, minutes=60) == set()
    nodes = [replace(WELL, name=f"node00{number}") for number in (1, 2, 3)]
    assert nodes_with(nodes, 1, None, reserved={"node001", "node002"}) == ("node003",)
    with pytest.raises(InvalidRequest, match="4 GPUs on nodes that are up and not reserved then"):
        nodes_with(nodes, 5, None, reserved={"node001", "node002"})
