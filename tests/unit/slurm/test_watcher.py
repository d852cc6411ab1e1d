from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.errors import SlurmUnavailable
from portal.settings import Slurm
from portal.slurm.budget import SAVED, Budget
from portal.slurm.jobs import Factor, Job, JobState, Place, Priority
from portal.slurm.nodes import License, Node, NodeState, Partition, Reservation
from portal.slurm.snapshot import Association, Reach, Snapshot
from portal.slurm.watcher import Watcher

START = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Cluster:
    """A fake Slurm with scripted answers, or none."""

    def __init__(self) -> None:
        self.silent = False
        self.broken = False
        self.accounts_hang = False
        self.queue = [job(1)]
        self.now = START
        self.flags: frozenset[str] = frozenset()
        self.reserved: list[Reservation] = []
        self.licensed: list[License] = []
        self.licenses_read = 0
        self.budget = Budget(60_000.0, time.monotonic)

    def clock(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def _answer(self) -> None:
        if self.silent:
            raise SlurmUnavailable("Slurm does not answer.")
        if self.broken:
            raise ValueError("a bug")

    async def jobs(self) -> list[Job]:
        self._answer()
        return list(self.queue)

    async def nodes(self) -> list[Node]:
        self._answer()
        return [Node("node001", NodeState.IDLE, flags=self.flags)]

    async def partitions(self) -> list[Partition]:
        self._answer()
        return [Partition("sxm2")]

    async def associations(self) -> list[Association]:
        if self.accounts_hang:
            await asyncio.Event().wait()
        self._answer()
        return [Association("alice", "physics")]

    async def wckeys(self) -> dict[str, tuple[str, ...]] | None:
        return {"alice": ("thesis",)}

    async def licenses(self) -> list[License]:
        self._answer()
        self.licenses_read += 1
        return self.licensed

    async def version(self) -> str:
        self._answer()
        return "22.05.8"

    async def private(self) -> frozenset[str]:
        return frozenset({"jobs"})

    async def reservations(self) -> list[Reservation]:
        self._answer()
        return self.reserved

    async def priorities(self) -> dict[int, Priority]:
        self._answer()
        return {2: Priority(7, {Factor.AGE: 7})}

    async def places(self) -> dict[int, tuple[Place, ...]]:
        self._answer()
        return {1: (Place("node001", (0, 1)),)}


def job(number: int) -> Job:
    return Job(number, f"job {number}", "alice", "", "sxm2", "", JobState.RUNNING)


def settings(**more: Any) -> Slurm:
    """Settings as from portal.toml, but faster than a site may ask for."""
    times = {"jobs_interval_s": 0.02, "nodes_interval_s": 0.02, "partitions_interval_s": 0.02, "min_gap_s": 0.0}
    return Slurm.model_construct(**{**Slurm().model_dump(), **times, **more})


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@asynccontextmanager
async def watching(cluster: Cluster, **more: Any) -> AsyncIterator[Watcher]:
    watcher = Watcher(cluster, cluster.clock, settings(**more))  # type: ignore[arg-type]
    task = asyncio.create_task(watcher.run())
    try:
        yield watcher
        assert not task.done(), "the watcher never ends by itself"
    finally:
        task.cancel()


async def until(watcher: Watcher, condition: Callable[[Snapshot], object]) -> Snapshot:
    async with asyncio.timeout(30):
        async for snapshot in watcher.subscribe():
            if condition(snapshot):
                return snapshot
    raise AssertionError


async def test_snapshot_has_every_part_with_the_time_its_reading_began(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        assert watcher.snapshot.state is Reach.UNKNOWN
        snapshot = await until(watcher, lambda snapshot: snapshot.associations)
        assert (snapshot.state, snapshot.version) == (Reach.UP, "22.05.8")
        assert list(snapshot.jobs) == [1]
        assert [node.name for node in snapshot.nodes] == ["node001"]
        assert [partition.name for partition in snapshot.partitions] == ["sxm2"]
        times = [snapshot.jobs_as_of, snapshot.nodes_as_of, snapshot.partitions_as_of, snapshot.associations_as_of]
        assert all(time is not None and time > START for time in times)
        assert snapshot.since == snapshot.jobs_as_of


async def test_silence_keeps_the_last_snapshot_and_marks_it_down_until_slurm_returns(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        up = await until(watcher, lambda snapshot: snapshot.nodes)
        cluster.silent = True
        down = await until(watcher, lambda snapshot: snapshot.state is Reach.DOWN)
        assert down.message == "Slurm does not answer."
        assert down.jobs.keys() == up.jobs.keys()
        assert down.nodes
        assert down.since is not None
        assert down.jobs_as_of is not None
        assert down.since > down.jobs_as_of
        cluster.silent = False
        again = await until(watcher, lambda snapshot: snapshot.state is Reach.UP)
        assert again.message is None
        assert again.since is not None
        assert again.since > down.since


async def test_first_look_waits_until_the_cluster_is_known_and_not_for_a_slurm_that_is_down(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        assert not watcher.snapshot.knows_the_cluster
        assert (await watcher.first_look()).knows_the_cluster
    cluster.silent = True
    async with watching(cluster) as watcher, asyncio.timeout(5):
        assert (await watcher.first_look()).state is Reach.DOWN


async def test_long_silence_is_one_snapshot_not_one_an_attempt(cluster: Cluster) -> None:
    cluster.silent = True
    async with watching(cluster) as watcher:
        snapshot = await until(watcher, lambda snapshot: snapshot.state is Reach.DOWN)
        attempts = watcher.calls["jobs"]
        async with asyncio.timeout(5):
            while watcher.calls["jobs"] < attempts + 3:
                await asyncio.sleep(0.005)
        assert watcher.snapshot is snapshot
        assert watcher.calls["nodes"] == 0, "what would only wait too is not asked"


async def test_slurm_that_is_back_is_seen_soon_however_long_a_reading_waited_in_vain(cluster: Cluster) -> None:
    loop, attempts = asyncio.get_running_loop(), []

    async def in_vain() -> list[Job]:
        began = loop.time()
        await asyncio.sleep(0.5)
        attempts.append((began, loop.time()))
        raise SlurmUnavailable("Slurm does not answer.")

    cluster.jobs = in_vain  # type: ignore[method-assign]
    async with watching(cluster) as watcher:
        await until(watcher, lambda snapshot: snapshot.state is Reach.DOWN)
        async with asyncio.timeout(30):
            while len(attempts) < 2:
                await asyncio.sleep(0.05)
        (_, ended), (began, _), *_ = attempts
        assert began - ended < 0.5


async def test_bug_in_the_reading_does_not_end_the_watcher(cluster: Cluster) -> None:
    cluster.broken = True
    async with watching(cluster) as watcher:
        snapshot = await until(watcher, lambda snapshot: snapshot.state is Reach.DOWN)
        assert snapshot.message == "The portal could not read Slurm's answer."
        cluster.broken = False
        await until(watcher, lambda snapshot: snapshot.state is Reach.UP)


async def test_accounting_that_hangs_does_not_hold_up_the_queue(cluster: Cluster) -> None:
    cluster.accounts_hang = True
    async with watching(cluster) as watcher:
        await until(watcher, lambda snapshot: snapshot.version)
        cluster.queue = [job(1), job(2)]
        snapshot = await until(watcher, lambda snapshot: 2 in snapshot.jobs)
        assert snapshot.associations_as_of is None


async def test_kick_reads_soon_and_many_kicks_are_one_reading(cluster: Cluster) -> None:
    async with watching(cluster, jobs_interval_s=60, min_gap_s=0.05) as watcher:
        first = await until(watcher, lambda snapshot: snapshot.jobs)
        cluster.queue = [job(2)]
        for _ in range(100):
            watcher.kick()
        snapshot = await until(watcher, lambda snapshot: 2 in snapshot.jobs)
        assert snapshot.jobs_as_of is not None
        assert first.jobs_as_of is not None
        assert snapshot.jobs_as_of > first.jobs_as_of
        assert watcher.calls["jobs"] == 2


async def test_kicks_without_end_read_no_more_often_than_the_gap(cluster: Cluster) -> None:
    async with watching(cluster, jobs_interval_s=60, min_gap_s=0.1) as watcher:
        loop = asyncio.get_running_loop()
        end = loop.time() + 0.35
        while loop.time() < end:
            watcher.kick()
            await asyncio.sleep(0.002)
        assert watcher.calls["jobs"] <= 5


async def test_what_is_on_its_way_is_looked_for_less_often_than_what_has_just_been_done(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.slurm.watcher.FOLLOW_UP_S", 0.2)
    monkeypatch.setattr(cluster, "clock", lambda: datetime.now(UTC))
    async with watching(cluster, jobs_interval_s=60, min_gap_s=0.01) as watcher:
        first = await until(watcher, lambda snapshot: snapshot.jobs)
        watcher.kick_again()
        second = await until(watcher, lambda snapshot: snapshot.jobs_as_of != first.jobs_as_of)
        assert first.jobs_as_of is not None
        assert second.jobs_as_of is not None
        assert second.jobs_as_of - first.jobs_as_of > timedelta(seconds=0.19)


async def test_readers_get_the_current_snapshot_then_newer_ones_and_skip_what_they_missed(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        await until(watcher, lambda snapshot: snapshot.serial >= 3)
        reader = watcher.subscribe()
        first = await anext(reader)
        assert first is watcher.snapshot
        await until(watcher, lambda snapshot: snapshot.serial >= first.serial + 5)
        second = await anext(reader)
        assert second.serial >= first.serial + 5


def test_find_takes_the_newest_of_the_users_own_and_no_refused_allocation() -> None:
    name = "dsp-abcdefghijkl"

    def one(number: int, user: str, state: JobState, nodes: str = "") -> Job:
        return Job(number, name, user, "", "sxm2", "", state, nodes=nodes)

    jobs = [
        one(1, "alice", JobState.FAILED),
        one(2, "alice", JobState.PENDING),
        one(3, "mallory", JobState.RUNNING, "node001"),
        one(4, "alice", JobState.FAILED),
    ]
    snapshot = Snapshot(jobs={job.id: job for job in jobs})
    assert snapshot.find(user="alice", name=name) is jobs[1]
    assert snapshot.find(user="bob", name=name) is None


async def test_reservations_are_read_seldom_and_with_the_nodes_while_there_are_any(cluster: Cluster) -> None:
    async with watching(cluster, partitions_interval_s=60) as watcher:
        await until(watcher, lambda snapshot: watcher.calls["nodes"] >= 5)
        assert watcher.calls["reservations"] == 1
        cluster.reserved = [
            Reservation("school", "ACTIVE", nodes="node[001,007]"),
            Reservation("exam", "INACTIVE", nodes="node001"),
        ]
        cluster.flags = frozenset({"RESERVED"})
        snapshot = await until(watcher, lambda snapshot: snapshot.reservations)
        assert [reservation.name for reservation in snapshot.reservations] == ["school", "exam"], "those to come, too"
        cluster.flags, cluster.reserved = frozenset(), []
        await until(watcher, lambda snapshot: not snapshot.reservations)


async def test_parts_are_read_when_they_are_asked_for_and_places_only_then(cluster: Cluster) -> None:
    async with watching(cluster, nodes_interval_s=60) as watcher:
        await until(watcher, lambda snapshot: snapshot.associations)
        assert (watcher.calls["nodes"], watcher.calls["places"]) == (1, 0)
        watcher.kick("nodes")
        watcher.kick("places")
        snapshot = await until(watcher, lambda snapshot: snapshot.places)
        assert snapshot.places == {1: (Place("node001", (0, 1)),)}
        assert snapshot.private == {"jobs"}
        async with asyncio.timeout(5):
            while watcher.calls["nodes"] < 2:
                await asyncio.sleep(0.005)
        assert watcher.calls["places"] == 1


async def test_licences_are_read_often_only_where_there_are_any(cluster: Cluster) -> None:
    async with watching(cluster, partitions_interval_s=0.01) as watcher:
        await until(watcher, lambda snapshot: snapshot.version and snapshot.wckeys)
        read, partitions = cluster.licenses_read, watcher.calls["partitions"]
        await until(watcher, lambda snapshot: watcher.calls["partitions"] > partitions + 2)
        assert cluster.licenses_read - read <= 2
        cluster.licensed = [License("matlab", 2, 1)]
        snapshot = await until(watcher, lambda snapshot: snapshot.licenses)
        assert snapshot.licenses == (License("matlab", 2, 1),)
        cluster.licensed = [License("matlab", 2, 2)]
        await until(watcher, lambda snapshot: snapshot.licenses == (License("matlab", 2, 2),))


async def test_an_unchanged_queue_stays_the_same_value(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        first = await until(watcher, lambda snapshot: snapshot.jobs)
        later = await until(watcher, lambda snapshot: snapshot.jobs_as_of != first.jobs_as_of)
        assert later.jobs is first.jobs


async def test_all_readings_together_keep_to_the_budget_however_often_they_are_asked_for(cluster: Cluster) -> None:
    cluster.budget = Budget(600.0, time.monotonic)
    async with watching(cluster) as watcher:
        loop = asyncio.get_running_loop()
        end = loop.time() + 1.0
        while loop.time() < end:
            watcher.kick()
            watcher.kick("nodes")
            await asyncio.sleep(0.002)
        assert 8 <= watcher.calls.total() <= SAVED + 10 + 2


async def test_a_kicked_reading_is_followed_by_another_one_soon(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.slurm.watcher.FOLLOW_UP_S", 0.05)
    async with watching(cluster, jobs_interval_s=60) as watcher:
        await until(watcher, lambda snapshot: snapshot.jobs)
        watcher.kick()
        async with asyncio.timeout(5):
            while watcher.calls["jobs"] < 3:
                await asyncio.sleep(0.005)


async def test_nodes_are_read_again_when_what_was_started_has_come_to_its_place(cluster: Cluster) -> None:
    async with watching(cluster, jobs_interval_s=0.05, nodes_interval_s=60) as watcher:
        await until(watcher, lambda snapshot: snapshot.jobs and snapshot.associations)
        watcher.kick()
        await until(watcher, lambda snapshot: watcher.calls["jobs"] > 5)
        assert watcher.calls["nodes"] == 1, "nothing came, nothing went"
        cluster.queue = [*cluster.queue, replace(job(99), nodes="node001")]
        watcher.kick()
        async with asyncio.timeout(5):
            while watcher.calls["nodes"] < 2:
                await asyncio.sleep(0.005)


async def test_nodes_are_read_sooner_after_others_jobs_have_moved_but_not_at_once(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.slurm.watcher.SOONER", 0.5 / 60)
    monkeypatch.setattr(cluster, "clock", lambda: datetime.now(UTC))
    async with watching(cluster, jobs_interval_s=0.05, nodes_interval_s=60) as watcher:
        first = await until(watcher, lambda snapshot: snapshot.nodes_as_of)
        cluster.queue = [*cluster.queue, replace(job(99), nodes="node001")]
        second = await until(watcher, lambda snapshot: snapshot.nodes_as_of != first.nodes_as_of)
        assert first.nodes_as_of is not None
        assert second.nodes_as_of is not None
        assert timedelta(seconds=0.45) < second.nodes_as_of - first.nodes_as_of < timedelta(seconds=30)


async def test_nodes_are_read_again_though_the_queue_showed_what_was_started_before_the_kick(cluster: Cluster) -> None:
    async with watching(cluster, jobs_interval_s=0.05, nodes_interval_s=60) as watcher:
        await until(watcher, lambda snapshot: snapshot.nodes_as_of)
        cluster.queue = [*cluster.queue, replace(job(99), nodes="node001")]
        await until(watcher, lambda snapshot: 99 in snapshot.jobs)
        assert watcher.calls["nodes"] == 1, "nothing was started here"
        watcher.kick()
        async with asyncio.timeout(5):
            while watcher.calls["nodes"] < 2:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize(("ahead", "noticed"), [(timedelta(0), False), (timedelta(hours=1), True)])
async def test_snapshot_says_that_the_clock_was_set(ahead: timedelta, noticed: bool) -> None:
    times = [datetime.now(UTC)]

    def clock() -> datetime:
        return datetime.now(UTC) + ahead * (len(times) > 1)

    watcher = Watcher(Cluster(), clock, Slurm())  # type: ignore[arg-type]  # what is read here
    times.append(clock())
    await watcher.reread("nodes")
    assert watcher.snapshot.clock_set is noticed


async def test_priorities_are_read_once_a_minute_and_only_while_jobs_wait(cluster: Cluster) -> None:
    async with watching(cluster) as watcher:
        await until(watcher, lambda snapshot: snapshot.serial > 20)
        assert watcher.calls["priorities"] == 0
        cluster.queue = [job(1), replace(job(2), state=JobState.PENDING, reason="Priority")]
        read = await until(watcher, lambda snapshot: snapshot.priorities)
        assert read.priorities == {2: Priority(7, {Factor.AGE: 7})}
        await until(watcher, lambda snapshot: snapshot.serial > read.serial + 20)
        assert watcher.calls["priorities"] == 1
