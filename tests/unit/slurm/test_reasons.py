from __future__ import annotations

import pytest

from portal.errors import SlurmRefused, SlurmUnavailable
from portal.slurm.reasons import explain
from portal.slurm.refusals import error_for
from portal.slurm.types import Job, JobState


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


def test_unknown_refusal_is_told_in_slurms_words_without_its_control_characters() -> None:
    error = error_for("sbatch: error: Batch job submission failed: Something\x1b[31m new\n")
    assert isinstance(error, SlurmRefused)
    assert error.message == "Slurm refused it: Something?[31m new."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Something new", "Slurm refused it: Something new."),
        ("Something new.", "Slurm refused it: Something new."),
        ("What is it?", "Slurm refused it: What is it?"),
        ("Socket timed out on send/recv operation", "Slurm does not answer: Socket timed out on send/recv operation."),
        ("", "Slurm does not answer."),
    ],
)
def test_what_slurm_says_ends_as_a_sentence_does(said: str, told: str) -> None:
    assert error_for(f"scontrol: error: {said}" if said else "").message == told
