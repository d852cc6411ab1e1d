"""What each GPU of a job did: reported by the job's user, kept for that user's jobs alone, and added up in reports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from portal.errors import Forbidden, Gone, SlurmUnavailable
from portal.gpus.schemas import GpuUse
from portal.sessions.schemas import UsageOut
from portal.slurm.jobs import Job, JobState
from portal.usage import view
from portal.usage.models import UsageGpu, UsageJob
from portal.usage.schemas import Metered
from tests.unit.usage.conftest import START, START_S, Harness, line, session_row


def job(**more: Any) -> Job:
    values: dict[str, Any] = {
        "id": 7, "name": "train", "user": "alice", "account": "physics", "partition": "sxm2", "qos": "",
        "state": JobState.RUNNING, "nodes": "node001", "cpus": 8, "gpus": 2, "started_at": START,
    }  # fmt: skip
    return Job(**values | more)


def metered(*used_s: float, known_s: float = 600, **more: Any) -> Metered:
    gpus = [
        {
            "index": n, "uuid": f"GPU-{n}", "name": "H100", "known_s": known_s, "used_s": used, "peak_percent": 90,
            "memory_mib": 80_000, "memory_peak_mib": 1000 + n, "power_peak_w": 300.0, "energy_j": 36_000,
        }
        for n, used in enumerate(used_s)
    ]  # fmt: skip
    return Metered.model_validate({"job_id": 7, "node": "node001", "gpus": gpus} | more)


async def rows(harness: Harness) -> list[UsageGpu]:
    async with harness.work() as db:
        return list(await db.scalars(select(UsageGpu).order_by(UsageGpu.gpu)))


def test_key_is_of_one_submission_and_owner(harness: Harness) -> None:
    assert harness.gpus.owner("abcdefabcdef.alice", "abcdefabcdef-alice") == "alice"
    for who, key in (("abcdefabcdef.bob", "abcdefabcdef-alice"), ("abcdefabcdef", "abcdefabcdef-"), ("", "")):
        with pytest.raises(Forbidden):
            harness.gpus.owner(who, key)


async def test_figures_of_a_batch_job_replace_what_is_unknown(harness: Harness) -> None:
    harness.queue(job())
    await harness.gpus.meter("alice", metered(100, 50, known_s=300))
    await harness.gpus.meter("alice", metered(300, 150))
    harness.slurm.output = line("7", START, START + timedelta(seconds=600))
    harness.pass_(minutes=10)
    await harness.read()
    sums = (await harness.rows())["alice"].sums
    assert (sums.gpu_s, sums.gpu_known_s, sums.gpu_used_s, sums.energy_j) == (1200, 1200, 450, 72_000)
    harness.pass_(minutes=30)
    await harness.read()  # settled: the same from the days' sums
    assert (await harness.rows())["alice"].sums == sums


async def test_late_older_report_takes_no_peak_and_no_energy_back(harness: Harness) -> None:
    harness.queue(job())
    await harness.gpus.meter("alice", metered(300))
    older = metered(100)
    older.gpus[0].energy_j, older.gpus[0].memory_peak_mib, older.gpus[0].peak_percent = 10, None, 20
    await harness.gpus.meter("alice", older)
    (row,) = await rows(harness)
    assert (row.energy_j, row.memory_peak_mib, row.peak_percent) == (36_000, 1000, 90)


async def test_meter_of_one_user_writes_nothing_of_another(harness: Harness) -> None:
    harness.queue(job(user="bob"))
    with pytest.raises(Gone):
        await harness.gpus.meter("alice", metered(600))
    with pytest.raises(Gone):
        await harness.gpus.meter("bob", metered(600, node="elsewhere"))
    harness.queue()
    with pytest.raises(SlurmUnavailable):
        await harness.gpus.meter("alice", metered(600))
    assert await rows(harness) == []


async def test_more_gpus_than_the_job_has_are_not_kept(harness: Harness) -> None:
    harness.queue(job(gpus=1))
    await harness.gpus.meter("alice", metered(1, 2, 3))
    assert [row.gpu for row in await rows(harness)] == [0]


async def test_run_before_a_requeue_is_another(harness: Harness) -> None:
    harness.queue(job())
    await harness.gpus.meter("alice", metered(300, 300))
    again = START + timedelta(hours=1)
    harness.slurm.output = line("7", START, START + timedelta(seconds=600)) + line("7", again, None)
    harness.now = again + timedelta(minutes=5)
    await harness.read()
    async with harness.work() as db:
        result = await db.execute(select(UsageJob.started_s, UsageJob.gpu_known_s))
        known = {row[0]: row[1] for row in result}
    assert known == {START_S: 1200, START_S + 3600: 0}


async def test_gpus_of_a_session_add_up_over_its_samples(harness: Harness) -> None:
    record = session_row("abcdefghijkm")
    record.owner, record.job_id, record.started_at, record.node = "alice", 7, START, "node001"
    for use, energy_j in ((50.0, 1000), (100.0, 3000)):
        gpus = [
            GpuUse(
                index=n, utilization=use, utilization_peak=use, memory_peak_mib=500, power_w=200.0, energy_j=energy_j
            )
            for n in range(3)  # one more than it has
        ]
        harness.sampler.note(record, UsageOut(at=harness.now, cpu_percent=1, memory_mib=1, gpus=gpus))
        harness.pass_(minutes=1)
        await harness.sampler.write()
    job = await harness.gpus.of_job(7, "alice", START)
    assert [(row.gpu, row.known_s, row.used_s, row.energy_j) for row in job] == [
        (0, 120, 90, 3000),
        (1, 120, 90, 3000),
    ]
    assert await harness.gpus.of_job(7, "bob", START) == []
    _, points = await harness.samples.points(record.id)
    assert [(point.gpu_peak_percent, point.power_w) for point in points] == [(50, 600), (100, 600)]


async def test_counters_of_a_session_are_kept_for_its_chart_and_its_totals(harness: Harness) -> None:
    record = session_row("abcdefghijkm")
    record.owner, record.job_id, record.started_at, record.node = "alice", 7, START, "node001"
    names = ("sm_percent", "bandwidth_percent", "pcie_mib_s", "nvlink_mib_s")
    for figures in ((20.0, 10.0, 100.0, 7.0), (60.0, 30.0, 300.0, 8.0), (None, None, None, None)):
        counters = dict(zip(names, figures, strict=True))
        gpus = [GpuUse.model_validate({"index": index, "utilization": 90, **counters}) for index in (0, 1)]
        harness.sampler.note(record, UsageOut(at=harness.now, cpu_percent=1, memory_mib=1, gpus=gpus))
        harness.pass_(minutes=1)
        await harness.sampler.write()
    _, points = await harness.samples.points(record.id)
    assert [(point.sm_percent, point.bandwidth_percent) for point in points] == [(20, 10), (60, 30), (None, None)]
    assert [(point.pcie_mib_s, point.nvlink_mib_s) for point in points] == [(200, 14), (600, 16), (None, None)]
    gpu, _ = view.gpu_totals(await rows(harness), None).items
    assert (gpu.measured_s, gpu.sm_percent, gpu.sm_peak_percent) == (180, 40, 60)
    assert (gpu.bandwidth_percent, gpu.bandwidth_peak_percent, gpu.problems) == (20, 30, [])
    harness.pass_(days=harness.settings.raw_days + 1)
    await harness.samples.roll_up()
    _, points = await harness.samples.points(record.id)
    assert [(point.sm_percent, point.bandwidth_percent) for point in points] == [(40, 20)]
    assert [(point.pcie_mib_s, point.nvlink_mib_s) for point in points] == [(400, 15)]


async def test_errors_of_a_batch_job_are_kept_told_in_words_and_counted_once(harness: Harness) -> None:
    harness.queue(job())
    gpu = metered(300).model_dump()["gpus"][0]
    troubled = metered(gpus=[gpu | {"xids": [79], "slowed_s": 150, "slowed_by": "heat"}])
    await harness.gpus.meter("alice", troubled)
    await harness.gpus.meter("alice", troubled)
    assert harness.gpus.xids == {("node001", 79): 1}
    (told,) = view.gpu_totals(await rows(harness), None).items
    assert told.problems[0].startswith("GPU 0: Xid 79, the GPU has fallen off the bus.")
    assert told.problems[1].startswith("GPU 0: slowed down by heat 25 % of the time.")
    await harness.gpus.meter("alice", metered(300))  # a meter that lost sight of them
    assert [row.xids for row in await rows(harness)] == ["79"]
    await harness.gpus.meter("alice", metered(gpus=[gpu | {"xids": [79, 13]}]))
    assert harness.gpus.xids == {("node001", 79): 1, ("node001", 13): 1}


async def test_errors_are_told_to_administrators_for_a_day_with_whose_job_it_was(harness: Harness) -> None:
    harness.queue(job(), job(id=8, user="bob"))
    gpu = metered(300).model_dump()["gpus"][0]
    fallen = metered(gpus=[gpu, gpu | {"index": 1, "uuid": "GPU-1", "xids": [79]}])
    await harness.gpus.meter("alice", fallen)
    (text, bad), *others = await harness.gpus.troubles_on("node001")
    assert text == (
        "GPU-1: Xid 79, the GPU has fallen off the bus. The hardware is at fault: drain the node, and test the GPU"
        " before anybody uses it again. Reported by job 7 of alice, Sat 21 Nov 12:00 UTC."
    )
    assert (bad, others) == (True, [])
    assert await harness.gpus.troubles_on("node002") == []
    harness.pass_(minutes=5)
    await harness.gpus.meter("bob", fallen.model_copy(update={"job_id": 8}))
    await harness.gpus.meter("alice", metered(gpus=[gpu | {"slowed_s": 150, "slowed_by": "heat"}]))
    found = {text.partition(":")[0]: (text, bad) for text, bad in await harness.gpus.troubles_on("node001")}
    assert (found["GPU-0"][1], found["GPU-1"][1]) == (False, True)
    assert found["GPU-1"][0].endswith("Reported by job 8 of bob, Sat 21 Nov 12:05 UTC, and 1 other job.")
    assert "Look at the node's cooling." in found["GPU-0"][0]
    harness.pass_(days=1, minutes=1)
    assert await harness.gpus.troubles_on("node001") == []


async def test_rows_of_gpus_go_with_the_figures_of_jobs(harness: Harness) -> None:
    harness.queue(job())
    await harness.gpus.meter("alice", metered(300))
    harness.pass_(days=harness.settings.keep_days - 1)
    await harness.reader.forget(100)
    assert len(await rows(harness)) == 1
    harness.pass_(days=2)
    await harness.reader.forget(100)
    assert await rows(harness) == []
