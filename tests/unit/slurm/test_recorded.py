"""The parsers on what Slurm 22.05, 24.11 and 26.05 really printed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.cluster.board import state_of
from portal.errors import SlurmRefused, SlurmUnavailable
from portal.placement.view import gpu_pools
from portal.slurm import error_messages, parse_jobs, parse_nodes, queries
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import GpuCount, NodeState
from tests.unit.slurm.recordings import Recording

#: Series that were recorded with nodes in reservations.
RESERVED_IN = ("22.05", "24.11")
ODD = "two\nlines\x1fand | more\t‘ünïcode’ JobId=1"


def read(recording: Recording) -> dict[str, Job]:
    jobs = parse_jobs.JobReader().read(recording.out("jobs"), recording.mark)
    assert len(jobs) == len(recording.jobs)
    return {job.name: job for job in jobs}


def test_recorded_commands_are_the_ones_the_client_runs(recording: Recording) -> None:
    assert recording.readings["jobs"]["argv"] == queries.jobs(recording.mark)
    assert recording.readings["nodes"]["argv"] == queries.nodes()
    assert recording.readings["partitions"]["argv"] == queries.partitions()
    assert recording.readings["config"]["argv"] == queries.config()
    assert recording.readings["associations"]["argv"] == queries.associations()
    assert recording.readings["find"]["argv"] == queries.find("alice", "trains")
    asked = [*(recording.jobs[name] for name in ("trains", "by srun", "without a step", "completed")), 999_999]
    assert recording.readings["steps"]["argv"] == queries.steps(asked)
    assert recording.readings["end of failed"]["argv"] == queries.job_ends([recording.jobs["failed"]])


def test_jobs_are_all_read_with_their_names_whatever_stands_in_them(recording: Recording) -> None:
    jobs = read(recording)
    assert {job.name: job.id for job in jobs.values()} == recording.jobs
    assert jobs[ODD].comment == "a comment\nof two lines\x1f|"
    assert jobs["trains"].comment == ""


def test_running_job_has_its_resources_and_times(recording: Recording) -> None:
    job = read(recording)["trains"]
    assert (job.state, job.user, job.account, job.partition, job.qos) == (
        JobState.RUNNING,
        "alice",
        "physics",
        "sxm2",
        "normal",
    )
    assert (job.nodes, job.node_count, job.cpus, job.memory_mib) == ("node001", 1, 16, 96_000)
    assert (job.gpus, job.gpu_type) == (2, "v100")
    assert job.reason == ""
    assert job.exit_code is None
    assert job.started_at is not None
    assert job.started_at.tzinfo is UTC
    assert job.ends_at == job.started_at + timedelta(minutes=10)
    assert job.time_limit_s == 600


def test_waiting_jobs_have_their_reasons_and_estimates(recording: Recording) -> None:
    jobs = read(recording)
    reasons = {name: jobs[name].reason for name in ("waits for GPUs", "held", "after another", "begins later")}
    assert reasons == {
        "waits for GPUs": "Resources",
        "held": "JobHeldUser",
        "after another": "Dependency",
        "begins later": "BeginTime",
    }
    assert jobs["too long"].reason == "PartitionTimeLimit"
    assert jobs["a node that is drained"].reason.startswith("ReqNodeNotAvail")
    waiting = jobs["waits for GPUs"]
    assert waiting.state.waits
    assert waiting.nodes == ""
    assert (waiting.gpus, waiting.node_count, waiting.gpu_type) == (8, 2, "v100")
    assert waiting.started_at is not None, "Slurm's estimate"
    assert jobs["held"].started_at is None
    assert jobs["held"].priority == 0


def test_gpus_are_counted_however_they_were_asked_for(recording: Recording) -> None:
    jobs = read(recording)
    assert (jobs["by job"].gpus, jobs["by job"].gpu_type) == (1, "v100")
    assert (jobs[ODD].gpus, jobs[ODD].gpu_type) == (1, None)
    assert jobs["bob"].gpus == 0


def test_ended_jobs_have_state_and_exit_code(recording: Recording) -> None:
    jobs = read(recording)
    ends = {
        name: (jobs[name].state, jobs[name].exit_code)
        for name in ("completed", "failed", "cancelled", "over its time", "placed")
    }
    assert ends == {
        "completed": (JobState.COMPLETED, 0),
        "failed": (JobState.FAILED, 3),
        "cancelled": (JobState.CANCELLED, None),
        "over its time": (JobState.TIMEOUT, None),
        "placed": (JobState.FAILED, 5),
    }
    assert jobs["on a node that fails"].state is JobState.NODE_FAIL


def test_array_is_one_job_with_its_waiting_tasks(recording: Recording) -> None:
    job = read(recording)["array"]
    assert (job.array_job_id, job.array_tasks) == (job.id, "1-5%2")
    assert read(recording)["held"].array_job_id is None


def test_unchanged_jobs_are_kept_not_made_anew(recording: Recording) -> None:
    reader = parse_jobs.JobReader()
    first = reader.read(recording.out("jobs"), recording.mark)
    second = reader.read(recording.out("jobs"), recording.mark)
    assert all(job is other for job, other in zip(first, second, strict=True))


def test_nodes_have_state_flags_and_gpus(recording: Recording) -> None:
    nodes = {node.name: node for node in parse_nodes.nodes(recording.out("nodes"))}
    assert sorted(nodes) == ["node001", "node002", "node003", "node004"]
    busy, drained = nodes["node001"], nodes["node004"]
    assert busy.state is NodeState.MIXED
    assert busy.available
    assert busy.gpus == (GpuCount("v100", 4, 4, (0, 1, 2, 3)),)
    assert (busy.cpus, busy.cpus_allocated) == (40, 18)
    assert (busy.memory_mib, busy.memory_allocated_mib) == (384_000, 98_000)
    assert busy.partitions == ("sxm2", "debug")
    assert busy.features == ("v100", "sxm2")
    assert busy.version == recording.version
    assert nodes["node002"].gpus == (GpuCount("v100", 4, 0),)
    assert nodes["node003"].gpus == ()
    assert "DRAIN" in drained.flags
    assert not drained.available


def test_reserved_nodes_say_so_and_the_reservations_which_they_are() -> None:
    for series in RESERVED_IN:
        recording = Recording.of(series)
        nodes = {node.name: node for node in parse_nodes.nodes(recording.out("reserved: nodes"))}
        assert [name for name, node in nodes.items() if node.reserved] == ["node002"], series
        assert [name for name, node in nodes.items() if node.in_reservation] == ["node001", "node002"]
        assert state_of(nodes["node001"]) == "maintenance"
        assert not nodes["node001"].available
        assert state_of(nodes["node002"]) == "reserved"
        [pool] = gpu_pools([nodes["node002"]])
        assert (pool.free, pool.reserved, pool.down) == (0, 4, 0)
        reservations = {
            reservation.name: reservation
            for reservation in parse_nodes.reservations(recording.out("reserved: reservations"))
        }
        assert {name: reservation.state for name, reservation in reservations.items()} == {
            "course": "INACTIVE",
            "school": "ACTIVE",
            "fans": "ACTIVE",
        }
        assert (reservations["school"].nodes, reservations["school"].users) == ("node002", ("alice",))
        assert "MAINT" in reservations["fans"].flags


def test_reason_of_a_node_may_look_like_a_node(recording: Recording) -> None:
    nodes = {node.name: node for node in parse_nodes.nodes(recording.out("nodes"))}
    assert "evil" not in nodes
    assert nodes["node004"].reason.startswith("disk | failed")
    assert "NodeName=evil State=IDLE" in nodes["node004"].reason
    assert "root@" not in nodes["node004"].reason


def test_partitions_have_limits_and_who_may_use_them(recording: Recording) -> None:
    sxm2, debug, closed = parse_nodes.partitions(recording.out("partitions"))
    assert (sxm2.name, sxm2.default, sxm2.state) == ("sxm2", True, "UP")
    assert (sxm2.max_walltime_s, sxm2.default_walltime_s) == (172_800, 3_600)
    assert (sxm2.allow_groups, sxm2.allow_accounts, sxm2.allow_qos) == (None, None, None)
    assert (debug.default, debug.max_walltime_s, debug.priority_tier, debug.node_total) == (False, 1_800, 10, 4)
    assert debug.allow_groups == {"users", "root"}
    assert (closed.state, closed.hidden, closed.max_nodes) == ("DOWN", True, 1)
    assert closed.max_walltime_s is None
    assert closed.deny_accounts == {"ml"}


def test_associations_know_the_default_account(recording: Recording) -> None:
    associations = parse_nodes.associations(recording.out("associations"))
    mine = {association.account: association for association in associations if association.user == "alice"}
    assert mine["physics"].is_default
    assert not mine["ml"].is_default
    assert mine["ml"].partition == "debug"
    assert set(mine["ml"].qos) == {"normal", "high"}
    assert mine["ml"].default_qos == "normal"


def test_config_says_version_and_inactive_limit(recording: Recording) -> None:
    config = parse_nodes.config(recording.out("config"))
    assert config["SLURM_VERSION"] == recording.version
    assert config["InactiveLimit"] == "0 sec"
    assert config["AccountingStorageType"] == "accounting_storage/slurmdbd"


@pytest.mark.parametrize(
    ("name", "state", "exit_code", "signal"),
    [
        ("completed", JobState.COMPLETED, 0, None),
        ("failed", JobState.FAILED, 3, None),
        ("placed", JobState.FAILED, 5, None),
        ("over its time", JobState.TIMEOUT, 0, None),
        ("over its memory", JobState.FAILED, 0, 9),
    ],
)
def test_job_end_says_how(recording: Recording, name: str, state: JobState, exit_code: int, signal: int | None) -> None:
    number = recording.jobs[name]
    end = parse_jobs.job_ends(recording.out(f"end of {name}")).get(number)
    assert end is not None
    assert (end.job_id, end.state, end.exit_code, end.signal) == (number, state, exit_code, signal)
    assert end.started_at is not None
    assert end.ended_at is not None
    assert end.started_at <= end.ended_at <= datetime.now(UTC)


def test_job_end_says_who_cancelled(recording: Recording) -> None:
    end = parse_jobs.job_ends(recording.out("end of cancelled")).get(recording.jobs["cancelled"])
    assert end is not None
    assert end.state is JobState.CANCELLED
    assert end.cancelled_by_uid is not None
    failed_node = parse_jobs.job_ends(recording.out("end of on a node that fails")).get(
        recording.jobs["on a node that fails"]
    )
    assert failed_node is not None
    assert failed_node.state is JobState.NODE_FAIL


@pytest.mark.parametrize("name", ["trains", "held", "waits for GPUs"])
def test_job_end_is_none_while_the_job_goes_on(recording: Recording, name: str) -> None:
    assert recording.jobs[name] not in parse_jobs.job_ends(recording.out(f"end of {name}"))


def test_find_says_whether_it_runs_and_where(recording: Recording) -> None:
    submitted = parse_jobs.found(recording.out("find"))
    assert submitted is not None
    assert (submitted.job_id, submitted.placed, submitted.node) == (recording.jobs["trains"], True, "node001")
    assert parse_jobs.found(recording.out("find nothing")) is None


def test_steps_tell_what_runs_from_an_allocation_that_stands_empty(recording: Recording) -> None:
    assert read(recording)["without a step"].state is JobState.RUNNING
    alive = parse_jobs.with_steps(recording.out("steps"))
    assert alive == {recording.jobs["trains"], recording.jobs["by srun"]}


def test_step_that_only_holds_a_place_for_others_does_not_count() -> None:
    assert parse_jobs.with_steps("7.extern\x1f\n8.extern\x1f\n8.0\x1f\n") == {8}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("unknown partition", "partition"),
        ("too many GPUs", "gpus"),
        ("unknown GPU type", "gpus"),
        ("too much memory", "memory_mib"),
        ("unknown account", "account"),
        ("unknown QOS", "qos"),
        ("unknown reservation", "reservation"),
        ("invalid time", "walltime_s"),
    ],
)
def test_refusals_name_the_field_and_what_to_do(recording: Recording, name: str, field: str) -> None:
    error = error_messages.error_for(recording.complaint(f"refused: {name}"))
    assert isinstance(error, SlurmRefused)
    assert [problem.field for problem in error.fields] == [f"resources.{field}"]
    assert error.message.endswith(".")
    assert "sbatch" not in error.message


def test_what_is_no_time_is_told_apart_from_too_much_time(recording: Recording) -> None:
    unreadable = error_messages.error_for(recording.complaint("refused: invalid time"))
    too_much = error_messages.error_for(
        "sbatch: error: Requested time limit is invalid (missing or exceeds some limit)"
    )
    assert isinstance(unreadable, SlurmRefused)
    assert "not a time limit" in unreadable.message
    assert isinstance(too_much, SlurmRefused)
    assert "that much time" in too_much.message


def test_too_many_cpus_name_the_field_where_slurm_refuses_them() -> None:
    error = error_messages.error_for(Recording.of("24.11").complaint("refused: too many CPUs"))
    assert [problem.field for problem in error.fields] == ["resources.cpus"]


def test_cancel_of_an_ended_job_is_no_complaint_and_of_anothers_is_refused(recording: Recording) -> None:
    assert recording.out("refused: cancel a finished job") == ""
    complaint = recording.complaint("refused: cancel another's job")
    assert not error_messages.is_gone(complaint)
    assert isinstance(error_messages.error_for(complaint), SlurmRefused)


@pytest.mark.parametrize(
    "name", ["no slurmctld: jobs", "no slurmctld: submit", "no slurmdbd: associations", "no slurmdbd: end"]
)
def test_daemons_that_do_not_answer_are_not_a_refusal(recording: Recording, name: str) -> None:
    assert isinstance(error_messages.error_for(recording.complaint(name)), SlurmUnavailable)
