"""The snapshot at scale: taken in cheaply, sent as its differences, the same bytes for every reader."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.cluster.board import Board, state_of
from portal.cluster.stream import KEPT, ClusterStream
from portal.cluster.wire import GZIP_HEAD, Piece
from portal.settings import Cluster as Shown
from portal.slurm import parse_jobs, parse_nodes, parse_places, queries
from portal.slurm.nodes import Node, NodeState
from portal.slurm.snapshot import Reach, Snapshot
from tests.snapshots import Cluster

START = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Reading:
    """Reads a pretended cluster as the watcher does."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._reader = parse_jobs.JobReader()
        self._at = START
        self.snapshot = Snapshot(state=Reach.UP, version="22.05.8")

    def jobs(self) -> Snapshot:
        self._at += timedelta(seconds=3)
        mark = queries.new_mark()
        jobs = {job.id: job for job in self._reader.read(self.cluster.queue(mark), mark)}
        kept = self.snapshot.jobs if jobs == self.snapshot.jobs else jobs
        self.snapshot = replace(self.snapshot, jobs=kept, jobs_as_of=self._at)
        return self.snapshot

    def nodes(self) -> Snapshot:
        nodes = tuple(parse_nodes.nodes(self.cluster.node_lines()))
        self.snapshot = replace(self.snapshot, nodes=nodes, nodes_as_of=self._at)
        return self.snapshot

    def places(self) -> Snapshot:
        self.snapshot = replace(self.snapshot, places=parse_places.places(self.cluster.places()))
        return self.snapshot


class NoHistory:
    async def take(self, snapshot: Snapshot, *, running: int, waiting: int) -> None:
        return None


class NoWatcher:
    def __init__(self) -> None:
        self.kicked: list[str] = []

    def kick(self, part: str) -> None:
        self.kicked.append(part)


def stream() -> ClusterStream:
    return ClusterStream(NoWatcher(), NoHistory(), Shown())  # type: ignore[arg-type]


def told(pieces: Iterable[Piece]) -> list[tuple[str, Any]]:
    frames = b"".join(piece.plain for piece in pieces).decode().strip().split("\n\n")
    return [
        (frame.splitlines()[0].removeprefix("event: "), json.loads(frame.splitlines()[1].removeprefix("data: ")))
        for frame in frames
        if frame
    ]


def rows(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {row["name"]: row for row in snapshot["nodes"]}


def applied(snapshot: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Do what a page does with a difference."""
    assert change["since"] == snapshot["version"]
    kept = {name: row for name, row in rows(snapshot).items() if name not in change["gone"]} | rows(change)
    kinds = snapshot["kinds"][: change["kinds_from"]] + change["kinds"]
    return snapshot | change | {"nodes": list(kept.values()), "kinds": kinds}


def test_every_gpu_is_drawn_as_the_jobs_of_its_node_hold_it() -> None:
    reading = Reading(Cluster(nodes=60, jobs=300))
    board = Board()
    reading.jobs()
    board.update(reading.nodes())
    assert board.wants_places
    board.update(reading.places())
    for node in reading.cluster.nodes:
        assert {job: board.cells[node.name].held_by(job) for job in node.holds} == node.holds
        row = json.loads(board.rows[node.name])
        assert row["gpus"].count(".") == len(node.free)


async def test_unchanged_snapshot_is_nothing_and_a_change_is_its_difference() -> None:
    reading, live = Reading(Cluster(nodes=60, jobs=300)), stream()
    reading.jobs()
    await live.show(reading.nodes())
    version = live.version
    [(kind, whole)] = told(live.since(None)[1])
    assert (kind, len(whole["nodes"])) == ("picture", 60)
    assert whole == json.loads(live.document().text)
    await live.show(reading.jobs())
    await live.show(reading.nodes())
    assert live.since(version) == (version, [])

    reading.cluster.change(0.05)
    await live.show(reading.jobs())
    await live.show(reading.nodes())
    changes = told(live.since(version)[1])
    assert {kind for kind, _ in changes} == {"change"}
    assert 0 < sum(len(change["nodes"]) for _, change in changes) < 40
    page = whole
    for _, change in changes:
        page = applied(page, change)
    now = json.loads(live.document().text)
    assert rows(page) == rows(now)
    assert (page["version"], page["queue"], page["kinds"]) == (now["version"], now["queue"], now["kinds"])


async def test_nodes_that_come_and_go_are_told_with_their_kinds() -> None:
    live = stream()
    old, new = Node("old", NodeState.IDLE, cpus=4), Node("new", NodeState.IDLE, cpus=8)
    await live.show(Snapshot(serial=1, nodes=(old,), nodes_as_of=START))
    [(_, whole)] = told(live.since(None)[1])
    await live.show(Snapshot(serial=2, nodes=(new,), nodes_as_of=START))
    [(_, change)] = told(live.since(whole["version"])[1])
    page = applied(whole, change)
    assert list(rows(page)) == ["new"]
    assert page["kinds"][rows(page)["new"]["kind"]]["cpus"] == 8


async def test_who_was_away_for_too_long_or_comes_from_another_run_gets_the_whole_snapshot() -> None:
    reading, live = Reading(Cluster(nodes=4, jobs=10)), stream()
    await live.show(reading.nodes())
    version = live.version
    for _ in range(KEPT + 1):
        reading.cluster.submit()
        await live.show(reading.jobs())
    for stale in (version, "other-3", f"{version}99999", f"{version[:-1]}²", "", None, "a-b-c", "-"):
        assert [kind for kind, _ in told(live.since(stale)[1])] == ["picture"], stale
    step = f"{live.version.split('-')[0]}-{int(live.version.split('-')[1]) - KEPT}"
    assert [kind for kind, _ in told(live.since(step)[1])] == ["change"] * KEPT


async def test_readers_wake_when_there_is_something_new_and_end_when_it_closes() -> None:
    reading, live = Reading(Cluster(nodes=4, jobs=10)), stream()
    await live.show(reading.nodes())
    waiting = asyncio.create_task(live.newer(live.version, 5))
    await live.show(reading.jobs())
    await waiting
    with pytest.raises(TimeoutError):
        await live.newer(live.version, 0.01)
    waiting = asyncio.create_task(live.newer(live.version, 5))
    await asyncio.sleep(0)
    await live.close()
    await waiting
    assert live.closed


async def test_the_same_compressed_bytes_fit_into_every_readers_stream() -> None:
    pieces = [Piece(f"event: change\ndata: {number}\n\n" * 50) for number in range(5)]
    for first in range(5):
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        assert unpack.decompress(GZIP_HEAD) == b""
        for piece in pieces[first:]:
            assert unpack.decompress(await piece.packed()) == piece.plain, "each arrives whole, at once"


@pytest.mark.parametrize(
    ("state", "flags", "word"),
    [
        (NodeState.IDLE, {"DRAIN"}, "drained"),
        (NodeState.MIXED, {"DRAIN"}, "draining"),
        (NodeState.ALLOCATED, set(), "full"),
        (NodeState.DOWN, {"DRAIN"}, "down"),
        (NodeState.IDLE, {"NOT_RESPONDING"}, "down"),
        (NodeState.IDLE, {"POWERED_DOWN"}, "asleep"),
        (NodeState.IDLE, {"RESERVED"}, "reserved"),
        (NodeState.IDLE, {"MAINTENANCE"}, "maintenance"),
        (NodeState.MIXED, {"PLANNED"}, "mixed"),
    ],
)
def test_a_nodes_state_is_one_word(state: NodeState, flags: set[str], word: str) -> None:
    assert state_of(Node("n", state, flags=frozenset(flags))) == word
