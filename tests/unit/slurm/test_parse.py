"""Slurm's notations, and names made to break the parser."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.slurm import parse, parse_jobs, parse_nodes, parse_places, queries
from portal.slurm.jobs import JobState
from portal.slurm.nodes import GpuParts, License, Node, NodeState
from tests.snapshots import Cluster


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30:00", 1800),
        ("8:00:00", 28_800),
        ("2-00:00:00", 172_800),
        ("0:00", 0),
        ("UNLIMITED", None),
        ("NOT_SET", None),
        ("Partition_Limit", None),
        ("", None),
    ],
)
def test_durations(value: str, seconds: int | None) -> None:
    assert parse.duration_s(value) == seconds


@pytest.mark.parametrize(
    ("value", "mib"),
    [("4000M", 4000), ("62.50G", 64_000), ("1T", 1 << 20), ("418928K", 409), ("48000", 48_000), ("0", 0), ("?", None)],
)
def test_memory(value: str, mib: int | None) -> None:
    assert parse.memory_mib(value) == mib


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        ("gpu:v100:4", {"v100": 4}),
        ("gpu:4(S:0-1)", {"": 4}),
        ("gpu:v100:2(IDX:0,3),gpu:a100:1(IDX:2)", {"v100": 2, "a100": 1}),
        ("gres:gpu:v100:2", {"v100": 2}),
        ("gres/gpu:v100:2", {"v100": 2}),
        ("gres/gpu:2", {"": 2}),
        ("cpu=4,gres/gpu=2,gres/gpu:v100=2", {"": 2, "v100": 2}),
        ("gpu:3090:2", {"3090": 2}),
        ("shard:v100:40,gpumem=3", {}),
        ("(null)", {}),
        ("N/A", {}),
    ],
)
def test_gpu_counts(value: str, counts: dict[str, int]) -> None:
    assert parse.gpu_counts(value) == counts


@pytest.mark.parametrize(
    ("used", "allocated", "indices"),
    [
        ("gpu:v100:0(IDX:N/A),shard:v100:0(0/8,0/8,0/8,0/8)", 0, ()),
        ("gpu:v100:0(IDX:N/A),shard:v100:3(0/8,3/8,0/8,0/8)", 1, (1,)),
        ("gpu:v100:1(IDX:0),shard:v100:9(0/8,8/8,1/8,0/8)", 3, (0, 1, 2)),
        ("gpu:v100:0(IDX:N/A),mps:v100:50(0/100,0/100,50/100,0/100)", 1, (2,)),
        ("gpu:v100:1(IDX:1),shard:v100:1(IDX:0)", 2, (0, 1)),  # 22.05, of one job with 3 shards and one with a GPU
        ("gpu:v100:0(IDX:N/A),shard:v100:2(IDX:0,3)", 2, (0, 3)),
        ("gpu:v100:0(IDX:N/A),shard:v100:0(IDX:N/A)", 0, ()),
        ("gpu:v100:0(IDX:N/A),shard:3", 1, (0,)),
        ("gpu:v100:4(IDX:0-3),shard:v100:0", 4, (0, 1, 2, 3)),
    ],
)
def test_gpus_that_jobs_share_are_not_free(used: str, allocated: int, indices: tuple[int, ...]) -> None:
    line = f"NodeName=n1 Gres=gpu:v100:4,shard:v100:32 GresUsed={used} State=MIXED Reason=none"
    (gpu,) = parse_nodes.nodes(line)[0].gpus
    assert (gpu.total, gpu.allocated, gpu.indices) == (4, allocated, indices)


@pytest.mark.parametrize(
    ("used", "tracked", "shared", "parts_used", "most"),
    [
        ("gpu:v100:0(IDX:N/A),shard:v100:0(0/8,0/8,0/8,0/8)", "", (), 0, (8, 8)),
        ("gpu:v100:3(IDX:0-2),shard:v100:3(0/8,0/8,0/8,3/8)", "", (3,), 3, (5, 5)),
        ("gpu:v100:2(IDX:0-1),shard:v100:9(0/8,0/8,8/8,1/8)", "", (2, 3), 9, (4, 7)),
        # 22.05 with two jobs of one shard each: its own number of shards is wrong, that of AllocTRES is right.
        ("gpu:v100:3(IDX:1-3),shard:v100:1(IDX:0)", "gres/shard=2", (0,), 2, (6, 6)),
        ("gpu:v100:3(IDX:1-3),shard:v100:1(IDX:0)", "", (0,), None, (0, 8)),
        ("gpu:v100:4(IDX:0-3),shard:v100:0", "", (), 0, (0, 0)),
    ],
)
def test_shards_that_are_left_on_one_gpu(
    used: str, tracked: str, shared: tuple[int, ...], parts_used: int | None, most: tuple[int, int]
) -> None:
    line = f"NodeName=n1 Gres=gpu:v100:4,shard:v100:32 GresUsed={used} State=MIXED AllocTRES={tracked} Reason=none"
    (gpu,) = parse_nodes.nodes(line)[0].gpus
    assert gpu.parts == (GpuParts("shard", 8, parts_used, shared),)
    assert (gpu.shared, gpu.most("shard"), gpu.most("mps")) == (shared, most, (0, 0))


def test_share_by_mps_is_counted_apart_from_shards() -> None:
    used = "gpu:v100:2(IDX:0-1),shard:v100:1(0/2,0/2,0/2,1/2),mps:v100:150(0/100,0/100,150/100,0/100)"
    line = f"NodeName=n1 Gres=gpu:v100:4,shard:8,mps:800 GresUsed={used} State=MIXED Reason=none"
    (gpu,) = parse_nodes.nodes(line)[0].gpus
    assert (gpu.allocated, gpu.shared) == (4, (2, 3))
    assert gpu.parts == (GpuParts("shard", 2, 1, (3,)), GpuParts("mps", 200, 150, (2,)))
    assert (gpu.most("shard"), gpu.most("mps")) == ((1, 1), (50, 50))


#: As Slurm 22.05.8 prints it.
LICENSES = """\
LicenseName=matlab
    Total=2 Used=1 Free=1 Reserved=0 Remote=no
LicenseName=ansys@flex
    Total=10 Used=2 Free=5 Reserved=3 Remote=yes
"""


def test_licenses() -> None:
    matlab, ansys = parse_nodes.licenses(LICENSES)
    assert (matlab, matlab.free) == (License("matlab", 2, 1), 1)
    assert (ansys.name, ansys.free) == ("ansys@flex", 5)
    assert parse_nodes.licenses("No licenses configured in Slurm.\n") == []


def test_wckeys_are_those_of_each_user() -> None:
    output = "alice|course\nbob|course\nalice|thesis\nalice|\n|course\n"
    assert parse_nodes.wckeys(output) == {"alice": ("course", "thesis"), "bob": ("course",)}


@pytest.mark.parametrize("value", ["N/A", "Unknown", "None", "", "yesterday", "2026-99-99T00:00:00"])
def test_times_that_are_none(value: str) -> None:
    assert parse.when(value) is None


def test_times_are_utc() -> None:
    assert parse.when("2026-11-21T12:00:00") == datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "state", "flags"),
    [
        ("IDLE", NodeState.IDLE, set()),
        ("MIXED+PLANNED", NodeState.MIXED, {"PLANNED"}),
        ("DOWN*+DRAIN", NodeState.DOWN, {"DRAIN", "NOT_RESPONDING"}),
        ("IDLE+CLOUD+POWERED_DOWN", NodeState.IDLE, {"CLOUD", "POWERED_DOWN"}),
        ("SOMETHING_NEW", NodeState.UNKNOWN, set()),
    ],
)
def test_node_states(value: str, state: NodeState, flags: set[str]) -> None:
    assert parse_nodes.node_state(value) == (state, flags)


def test_job_states_that_are_new_are_unknown_and_not_over() -> None:
    assert parse_jobs.job_state("CANCELLED by 1000") is JobState.CANCELLED
    assert parse_jobs.job_state("SOMETHING_NEW") is JobState.UNKNOWN
    assert not JobState.UNKNOWN.is_over


def record(job_id: int, name: str, comment: str, mark: str) -> str:
    """One job as squeue prints it when asked with queries.jobs(mark)."""
    values = dict.fromkeys(queries.JOB_FIELDS, "N/A")
    values |= {"jobid": str(job_id), "username": "alice", "state": "RUNNING", "numnodes": "1"}
    fixed = queries.SEPARATOR.join(values[field] for field in queries.JOB_FIELDS)
    return f"{fixed}{mark}{name}{mark}{comment}{mark}\n"


HOSTILE = st.text(
    alphabet=st.one_of(st.sampled_from("\n\x1e\x1f|=,: \r\t0123456789abcdefJobId"), st.characters(codec="utf-8"))
)


@given(st.lists(st.tuples(HOSTILE, HOSTILE), max_size=5))
def test_no_name_or_comment_breaks_the_reading(texts: list[tuple[str, str]]) -> None:
    mark = queries.new_mark()
    output = "".join(record(number, *both, mark) for number, both in enumerate(texts, start=1))
    jobs = parse_jobs.JobReader().read(output, mark)
    assert [(job.id, job.name, job.comment) for job in jobs] == [
        (number, name, parse.text(comment)) for number, (name, comment) in enumerate(texts, start=1)
    ]


@given(st.lists(st.tuples(HOSTILE, HOSTILE), max_size=4), st.integers(1, 40))
def test_a_reading_cut_anywhere_is_the_same_reading(texts: list[tuple[str, str]], size: int) -> None:
    mark = queries.new_mark()
    output = "".join(record(number, *both, mark) for number, both in enumerate(texts, start=1))
    reading = parse_jobs.JobReader().begin(mark)
    for at in range(0, len(output), size):
        reading.take(output[at : at + size])
    assert reading.end() == parse_jobs.JobReader().read(output, mark)


def test_user_whom_the_system_cannot_name_for_a_while_is_who_it_was() -> None:
    """squeue says `nobody` while a directory does not answer; of a job that was not seen before it is all there is."""
    reader, mark = parse_jobs.JobReader(), queries.new_mark()
    named = record(1, "one", "", mark)
    unnamed = named.replace("alice", "nobody")
    assert [job.user for job in reader.read(named, mark)] == ["alice"]
    for _ in range(2):
        later = record(2, "two", "", mark).replace("alice", "nobody")
        assert [job.user for job in reader.read(unnamed + later, mark)] == ["alice", "nobody"]
    assert [job.user for job in reader.read(named, mark)] == ["alice"]


@given(st.integers(1, 400))
def test_nodes_and_places_cut_anywhere_are_the_same(size: int) -> None:
    cluster = Cluster(nodes=5, jobs=12)
    lines, details = cluster.node_lines().replace("Reason=ECC errors", "Reason=ECC\nerrors"), cluster.places()
    nodes, places = parse_nodes.NodeReader().begin(), parse_places.PlacesReading()
    for at in range(0, max(len(lines), len(details)), size):
        nodes.take(lines[at : at + size])
        places.take(details[at : at + size])
    assert nodes.end() == parse_nodes.nodes(lines)
    assert places.end() == parse_places.places(details)
    assert len(parse_nodes.nodes(lines)) == len(cluster.nodes)


def test_what_reads_the_same_is_the_same_value_as_before_even_after_a_reading_that_failed() -> None:
    cluster, mark = Cluster(nodes=4, jobs=10), queries.new_mark()
    reader, nodes = parse_jobs.JobReader(), parse_nodes.NodeReader()

    def read_nodes() -> list[Node]:
        reading = nodes.begin()
        reading.take(cluster.node_lines())
        return reading.end()

    first, before = reader.read(cluster.queue(mark), mark), read_nodes()
    assert all(job is other for job, other in zip(first, reader.read(cluster.queue(mark), mark), strict=True))
    assert all(node is other for node, other in zip(before, read_nodes(), strict=True))
    reader.begin(mark).take(cluster.queue(mark)[:2000])  # and the program failed
    assert reader.read(cluster.queue(mark), mark) == first


def test_name_made_like_a_record_of_another_reading_makes_no_job() -> None:
    evil = record(999, "stolen", "", queries.new_mark())
    mark = queries.new_mark()
    jobs = parse_jobs.JobReader().read(record(1, f"x\n{evil}", "", mark), mark)
    assert [job.id for job in jobs] == [1]


@given(st.text())
def test_marks_begin_with_neither_digit_nor_full_stop_and_odd_output_is_no_job(output: str) -> None:
    mark = queries.new_mark()
    assert mark[0] not in "0123456789."
    assert parse_jobs.JobReader().read(output, mark) == []


@given(st.text())
def test_nothing_that_is_read_raises(output: str) -> None:
    parse_nodes.nodes(output)
    parse_nodes.partitions(f"PartitionName=x {output}")
    parse_nodes.config(output)
    parse_nodes.associations(output)
    parse_jobs.job_ends(output)
    parse_jobs.found(output)


def sacct(*rows: tuple[str, str, str]) -> str:
    line = queries.SEPARATOR.join(("{}", "{}", "{}", "2026-11-21T12:00:00", "2026-11-21T13:00:00", "", "None"))
    return "".join(f"{line.format(*row)}\n" for row in rows)


def test_step_out_of_memory_decides_whatever_the_job_is_called() -> None:
    end = parse_jobs.job_ends(
        sacct(("7", "CANCELLED by 31001", "0:0"), ("7.extern", "COMPLETED", "0:0"), ("7.0", "OUT_OF_MEMORY", "0:125"))
    )[7]
    assert end.state is JobState.OUT_OF_MEMORY


def test_allocation_given_back_after_its_step_ended_tells_the_steps_end() -> None:
    end = parse_jobs.job_ends(sacct(("7", "CANCELLED by 31001", "0:0"), ("7.0", "FAILED", "5:0")))[7]
    assert (end.state, end.exit_code, end.cancelled_by_uid) == (JobState.FAILED, 5, None)


def test_ends_of_many_jobs_are_told_apart() -> None:
    rows = (("7", "COMPLETED", "0:0"), ("7.0", "COMPLETED", "0:0"), ("70", "FAILED", "1:0"), ("70.0", "FAILED", "1:0"))
    ends = parse_jobs.job_ends(sacct(*rows, ("71", "RUNNING", "0:0"), ("72", "TIMEOUT", "0:0")))
    assert {number: end.state for number, end in ends.items()} == {
        7: JobState.COMPLETED,
        70: JobState.FAILED,
        72: JobState.TIMEOUT,
    }


def test_last_life_of_a_requeued_job_counts() -> None:
    end = parse_jobs.job_ends(sacct(("7", "NODE_FAIL", "0:0"), ("7", "COMPLETED", "0:0")))[7]
    assert end.state is JobState.COMPLETED
