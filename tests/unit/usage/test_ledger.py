"""The ledger: what sacct and the queue report becomes hours once, however often it is reported."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from portal.slurm.job_runs import GpuTypes, of_accounting, of_queue
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import GpuCount, GpuParts, Node, NodeState
from portal.usage import ledger, reader, view
from tests.unit.http.rows import session_row
from tests.unit.usage.conftest import START, START_S, Harness, line

HOUR = timedelta(hours=1)
SESSION = "abcdefghijkm"


def figures(harness: Harness, part: object) -> tuple[object, ...]:
    row = view.figures(part, None)  # type: ignore[arg-type]
    return row["jobs"], row["gpu_hours"], row["cpu_hours"], row["gpu_hours_used"], row["gpu_hours_unknown"]


async def settled(harness: Harness) -> None:
    harness.pass_(seconds=ledger.SETTLE_AFTER_S + 1)
    await harness.read()


async def test_requeued_array_and_running_jobs_are_counted_for_what_they_held(harness: Harness) -> None:
    began = START - 6 * HOUR
    harness.slurm.output = (
        line("7", began, began + HOUR)  # its first life, until its node failed
        + line("7.batch", began, began + HOUR, cpu="00:30:00")
        + line("7", began + 2 * HOUR, began + 3 * HOUR, eligible=(began + HOUR).isoformat()[:19])
        + line("9", began, began + HOUR, tres="cpu=1,node=1")  # a task of an array
        + line("10", began, began + HOUR, tres="cpu=1,node=1")  # another one
        + line("11", began, began, tres="")  # cancelled before it got anything
        + line("12", START - HOUR, None, tres="cpu=8,gres/gpu:v100=4,gres/gpu=4")  # running
    )
    for _ in range(2):
        await harness.read()
        (part,) = (await harness.rows()).values()
        assert figures(harness, part) == (5, 8.0, 26.0, 0.0, 8.0)
        assert part.waits.counts.keys() == {0, *(key for key in part.waits.counts if key > 60)}
        assert 3500 < (part.waits.quantile(1) or 0) < 3700, "the second life waited an hour"
    assert {key: part.sums.gpu_s for key, part in (await harness.rows("gpu_type")).items()} == {
        "": 14_400,
        "v100": 14_400,
    }
    harness.pass_(hours=1)
    (part,) = (await harness.rows()).values()
    assert part.sums.gpu_s == 12 * 3600, "a job that runs is counted until now"


async def test_what_is_settled_is_counted_once_by_two_portals_and_after_a_crash(harness: Harness) -> None:
    harness.slurm.output = "".join(line(str(number), START - 2 * HOUR, START - HOUR) for number in range(1, 31))
    other = harness.another_reader()
    await asyncio.gather(harness.reader.read(), other.read())
    for _ in range(3):
        await asyncio.gather(harness.reader.read(), other.read())
        harness.pass_(minutes=20)
    (part,) = (await harness.rows()).values()
    assert (part.sums.jobs, part.sums.gpu_s, sum(part.waits.counts.values())) == (30, 30 * 2 * 3600, 30)


async def test_a_settlement_that_is_cut_off_leaves_no_trace(harness: Harness) -> None:
    harness.slurm.output = line("1", START - 2 * HOUR, START - HOUR)
    await harness.read()
    harness.slurm.output = line("2", START - 2 * HOUR, START - timedelta(minutes=1))
    await harness.read()
    harness.pass_(hours=1)

    async def cut_off() -> None:
        async with harness.work() as db:
            await ledger.settle(db, now_s=int(harness.now.timestamp()))
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError):
        await cut_off()
    assert (await harness.report()).total.sums.jobs == 2
    await harness.read()
    assert (await harness.report()).total.sums.jobs == 2


async def test_a_session_is_measured_by_its_agent_and_a_batch_job_where_slurm_gathers_it(harness: Harness) -> None:
    row = session_row(SESSION, owner="alice", at=START, job_id=5, started_at=START)
    async with harness.work() as db:
        db.add(row)
    await harness.sample(SESSION, 30, gpu=10.0, cpu=200.0)
    began = START
    harness.slurm.output = (
        line("5", began, harness.now)
        + line("6", began, harness.now, cpu="00:10:00")
        + line("6.batch", began, harness.now, usage="cpu=00:01,gres/gpuutil=80", cpu="00:10:00")
        + line("8", began, harness.now)
    )
    await harness.read()
    for _ in range(2):
        sums = (await harness.report()).total.sums
        assert (sums.gpu_s, sums.gpu_known_s, sums.gpu_used_s) == (3 * 3600, 2 * 3600, 360 + 2880)
        assert (sums.cpu_known_s, sums.cpu_used_s) == (2 * 8 * 1800, 2 * 1800 + 600)
        await settled(harness)
    (worst, held), *_ = (await harness.report(user="alice")).found.wasteful
    assert (worst.session_id, held.gpu_known_s - held.gpu_used_s) == (SESSION, 3240)


async def test_a_cpu_time_of_slurm_is_better_than_samples(harness: Harness) -> None:
    harness.slurm.output = line("6", START - HOUR, START, cpu="04:00:00") + line("6.batch", START - HOUR, START)
    await harness.read()
    sums = (await harness.report()).total.sums
    assert (sums.cpu_known_s, sums.cpu_used_s) == (8 * 3600, 4 * 3600)


async def test_by_group_who_is_in_two_counts_in_both_and_who_is_in_none_is_not_lost(harness: Harness) -> None:
    began = START - HOUR
    harness.slurm.output = (
        line("1", began, START) + line("2", began, START, user="bob") + line("3", began, START, user="x")
    )
    await harness.read()
    rows = await harness.rows("group")
    assert {key: part.sums.jobs for key, part in rows.items()} == {"physics": 1, "gpu users": 1, "": 2}
    assert (await harness.report("group")).total.sums.jobs == 3
    assert (await harness.rows("user", user="bob")).keys() == {"bob"}


async def test_months_and_empty_ranges(harness: Harness) -> None:
    began = datetime(2026, 10, 31, 22, tzinfo=START.tzinfo)
    harness.slurm.output = line("1", began, began + 4 * HOUR)
    await harness.read()
    months = await harness.rows("month")
    assert {key: part.sums.gpu_s // 3600 for key, part in months.items()} == {"2026-10": 4, "2026-11": 4}
    long = (await harness.report("month", days=400)).rows
    assert {key: part.sums.gpu_s // 3600 for key, part in long.items()} == {"2026-10": 4, "2026-11": 4}
    nothing = await harness.report(days=1)
    assert (nothing.rows, nothing.total.sums.jobs, nothing.total.waits.quantile(0.5)) == ({}, 0, None)


async def test_while_slurmdbd_is_away_what_is_known_stays_and_its_late_news_are_read(harness: Harness) -> None:
    harness.slurm.output = line("1", START - HOUR, None)
    await harness.read()
    harness.slurm.silent = True
    harness.pass_(minutes=10)
    down = harness.now
    for _ in range(3):
        await harness.read()
        harness.pass_(hours=2)
    report = await harness.report()
    source = view.source(report.found.source)
    assert (source.kind, source.failing_since) == ("accounting", down)
    assert report.total.sums.gpu_s == 2 * 3600, "counted to when it was last seen"
    harness.slurm.silent = False
    for _ in range(2):
        await harness.read()
        assert datetime.fromisoformat(harness.slurm.asked[-1][0]) <= down.replace(tzinfo=None) - HOUR
        harness.pass_(minutes=5)
    # slurmctld tells slurmdbd only now that the job ended in between.
    harness.slurm.output = line("1", START - HOUR, down + HOUR)
    await harness.read()
    await settled(harness)
    report = await harness.report()
    assert view.source(report.found.source).failing_since is None
    assert report.total.sums.gpu_s == 2 * int((down + 2 * HOUR - START).total_seconds())


async def test_the_first_reading_goes_back_in_windows_and_a_window_that_fails_is_halved(harness: Harness) -> None:
    harness.reader.settings = harness.settings.model_copy(update={"first_days": 200})
    await harness.reader.read()
    harness.slurm.silent = True
    await harness.reader.read()
    harness.slurm.silent = False
    await harness.read()
    windows = [(datetime.fromisoformat(since), datetime.fromisoformat(until)) for since, until in harness.slurm.asked]
    assert windows[0][0] == START.replace(tzinfo=None) - timedelta(days=200)
    assert windows[-1][1] == START.replace(tzinfo=None)
    assert windows[2][1] - windows[1][1] < timedelta(0), "half as long after the failure"
    assert len(windows) < 15


async def test_accounting_is_asked_in_its_turn_and_only_while_it_may_have_news(harness: Harness) -> None:
    harness.queue()
    results = [harness.reader.has_news()]
    for _ in range(2):  # what is new to the queue reaches slurmdbd a moment later
        await harness.reader.read()
        results.append(harness.reader.has_news())
    harness.queue()
    results.append(harness.reader.has_news())
    for _ in range(2):
        await harness.reader.read()
        results.append(harness.reader.has_news())
    harness.pass_(seconds=reader.AT_LEAST_EVERY_S)
    results.append(harness.reader.has_news())
    assert results == [True, True, False, True, True, False, True]
    harness.slurm.silent = True
    await harness.reader.read()
    assert harness.reader.has_news(), "while slurmdbd is away it is asked on and on"
    assert len(harness.slurm.asked) == 5


async def test_without_accounting_the_queue_is_the_source_and_it_says_so(harness: Harness) -> None:
    harness.slurm.kept = False

    def job(number: int, state: JobState, **more: object) -> Job:
        values: dict[str, object] = {
            "name": "x", "user": "alice", "account": "", "partition": "sxm2", "qos": "", "nodes": "node001",
            "cpus": 4, "gpus": 1, "gpu_type": "v100", "started_at": START, "eligible_at": START - timedelta(seconds=30),
        }  # fmt: skip
        return Job(id=number, state=state, **(values | more))  # type: ignore[arg-type]

    harness.queue(job(1, JobState.RUNNING), job(2, JobState.RUNNING), job(3, JobState.PENDING, nodes=""))
    await harness.read()
    harness.pass_(hours=1)
    harness.queue(job(1, JobState.COMPLETED, ends_at=START + HOUR / 2))  # and the portal did not see how 2 ended
    await harness.read()
    for _ in range(2):
        report = await harness.report("gpu_type")
        assert view.source(report.found.source).kind == "queue"
        assert (report.total.sums.jobs, report.total.sums.gpu_s) == (2, 1800)
        assert report.total.waits.quantile(0.5) == 30
        await settled(harness)


def test_a_type_that_accounting_does_not_say_is_the_nodes_and_odd_lines_are_left_out() -> None:
    nodes = (
        Node("node001", NodeState.IDLE, gpus=(GpuCount("v100", 4, 0),)),
        Node("mixed", NodeState.IDLE, gpus=(GpuCount("a100", 2, 0), GpuCount("v100", 2, 0))),
    )
    output = (
        line("1", START, None)
        + line("2", START, None, nodes="mixed")
        + line("3", START, None, tres="cpu=1")
        + "sacct: error\n"
        + line("x", START, None)
    )
    assert [(use.job_id, use.gpu_type, use.gpus) for use in of_accounting(output, GpuTypes(nodes))] == [
        (1, "v100", 2),
        (2, "", 2),
        (3, "", 0),
    ]
    assert int(of_accounting(output, GpuTypes(nodes))[0].started_at.timestamp()) == START_S


def test_a_part_of_a_gpu_adds_no_gpu_hours_whoever_counts() -> None:
    nodes = (Node("node001", NodeState.IDLE, gpus=(GpuCount("v100", 4, 1, parts=(GpuParts("shard", 2),)),)),)
    (accounted,) = of_accounting(line("1", START, None, tres="cpu=4,gres/shard=1"), GpuTypes(nodes))
    job = Job(1, "half", "alice", "physics", "sxm2", "", JobState.RUNNING, nodes="node001", cpus=4, shards=1)
    (queued,) = of_queue([replace(job, started_at=accounted.started_at)])
    for use in (accounted, queued):
        assert (use.gpus, use.gpu_type, use.cpus) == (0, "", 4)
