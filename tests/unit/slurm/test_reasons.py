from __future__ import annotations

import pytest

from portal.errors import SlurmRefused, SlurmUnavailable
from portal.slurm.error_messages import error_for
from portal.slurm.jobs import Job, JobState
from portal.slurm.reasons import explain


@pytest.mark.parametrize(
    ("reason", "part"),
    [
        ("Priority", "are ahead of it"),
        ("JobHeldUser", "held by its owner"),
        ("ReqNodeNotAvail, UnavailableNodes:node[001-004]", "Not available: node[001-004]."),
        ("ReqNodeNotAvail,_UnavailableNodes:node004", "Not available: node004."),
        ("AssocGrpCpuLimit", "its account has reached its limit on CPU cores for all its users together"),
        ("QOSMaxGRESPerUser", "its QOS has reached its limit on GPUs for one user or job"),
        ("QOSMaxJobsPerUserLimit", "jobs running at once"),
        ("AssocMaxWallDurationPerJobLimit", "on time"),
        ("RaisedSignal:9(Killed)", "by a signal"),
        ("SomethingNew", "Slurm's reason: SomethingNew."),
    ],
)
def test_reasons_are_sentences(reason: str, part: str) -> None:
    sentence = explain(reason)
    assert part in sentence
    assert sentence.endswith(".")


def test_resources_say_how_many_gpus_it_waits_for() -> None:
    job = Job(1, "x", "alice", "", "sxm2", "", JobState.PENDING, "Resources", gpus=2, gpu_type="v100")
    assert explain("Resources", job) == "Waiting for 2 free V100 GPUs with the cores and memory it needs."


@pytest.mark.parametrize("reason", ["", "None"])
def test_no_reason_is_nothing(reason: str) -> None:
    assert explain(reason) == ""


@pytest.mark.parametrize(
    "complaint",
    [
        "",
        "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
        "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
        "squeue: error: Munge encode failed: Failed to access /run/munge/munge.socket",
        "squeue: error: Could not establish a configuration source",
    ],
)
def test_silence_is_not_a_refusal(complaint: str) -> None:
    assert isinstance(error_for(complaint), SlurmUnavailable)


FAILED = "sbatch: error: Batch job submission failed: "


@pytest.mark.parametrize(
    ("complaint", "message"),
    [
        (
            "sbatch: error: Für GPUs: --time angeben\nsbatch: error: See https://hpc.example.org.\n"
            f"{FAILED}Unspecified error",
            "Für GPUs: --time angeben See https://hpc.example.org.",
        ),
        (
            f"sbatch: error: No memory above 64G for guests\n{FAILED}Unspecified error",
            "No memory above 64G for guests.",
        ),
        (
            f"sbatch: error: Use the reservation of your course\n{FAILED}Unspecified error",
            "Use the reservation of your course.",
        ),
        (f"sbatch: error: munge your data first\n{FAILED}Unspecified error", "munge your data first."),
        (
            "srun: error: Guests ask for a day at most\n"
            "srun: error: Unable to allocate resources: "
            "Requested time limit is invalid (missing or exceeds some limit)",
            "Guests ask for a day at most. This partition does not allow that much time; ask for less.",
        ),
        (
            "sbatch: error: Memory specification can not be satisfied\n"
            f"{FAILED}Requested node configuration is not available",
            "No node of this partition has that much memory; ask for less.",
        ),
        (
            "sbatch: error: QOSMaxSubmitJobPerUserLimit\n"
            f"{FAILED}Job violates accounting/QOS policy (job submit limit)",
            "This is more than your account's limits in Slurm allow, with what you already have; ask for less, "
            "or end another job.",
        ),
        (
            f"sbatch: error: Stay away\n{FAILED}Access/permission denied",
            "Stay away. Slurm does not allow you to do this.",
        ),
    ],
)
def test_words_of_the_sites_own_plugin_are_kept(complaint: str, message: str) -> None:
    error = error_for(complaint)
    assert isinstance(error, SlurmRefused)
    assert error.message == message


def test_unknown_refusal_is_told_in_slurms_words_without_its_control_characters() -> None:
    error = error_for("sbatch: error: Batch job submission failed: Something\x1b[31m new\n")
    assert isinstance(error, SlurmRefused)
    assert error.message == "Slurm refused it: Something?[31m new."


@pytest.mark.parametrize(
    ("value", "item"),
    [
        ("Something new", "Slurm refused it: Something new."),
        ("Something new.", "Slurm refused it: Something new."),
        ("What is it?", "Slurm refused it: What is it?"),
        ("Socket timed out on send/recv operation", "Slurm does not answer: Socket timed out on send/recv operation."),
        ("", "Slurm does not answer."),
    ],
)
def test_what_slurm_says_ends_as_a_sentence_does(value: str, item: str) -> None:
    assert error_for(f"scontrol: error: {value}" if value else "").message == item
