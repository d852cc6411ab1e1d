"""What Slurm is given for a session, and what the door makes of what Slurm does.

That it becomes the user, and what a real Slurm does with its jobs, is in tests/integration/test_door.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from door import sessions
from door.account import closed_environment
from door.config import CONFIG
from door.refused import Refused
from door.request import WORD
from door.sessions import SCRIPT, allocation, cancel, submit
from tests.unit.door.asking import WORDS, argv_of, ask, entry, env_of, refused


def test_every_value_stands_in_its_own_argv_slot() -> None:
    argv = allocation(ask(account="physics", qos="high", reservation="course"))
    assert argv == [
        "--job-name=dsp-abcdefghijkl",
        "--nodes=1",
        "--ntasks=1",
        "--cpus-per-task=16",
        "--mem=96000M",
        "--time=480",
        "--export=ALL",
        "--propagate=NONE",
        "--gres=gpu:v100:2",
        "--partition=sxm2",
        "--account=physics",
        "--qos=high",
        "--reservation=course",
    ]


@pytest.mark.parametrize("title", ["bert", "BERT fine-tune, 2nd try", "--hold", "; rm -rf $HOME `id`", "Zürich 🚀"])
def test_sessions_name_is_the_jobs_comment_in_one_argument(title: str) -> None:
    argv = allocation(ask(title=title))
    assert argv[1] == f"--comment={title}"
    assert argv[:1] + argv[2:] == allocation(ask())


@pytest.mark.parametrize("title", ["", "two\nlines", "a\x1b[31mred", "x" * 61, "\u202egnp.exe", 7])
def test_comment_that_is_no_short_line_is_refused(title: object) -> None:
    assert refused(title=title).answer["error"]["field"] == "title"


@given(st.dictionaries(st.sampled_from(WORDS), st.from_regex(WORD, fullmatch=True)))
def test_words_change_no_other_option(words: dict[str, str]) -> None:
    argv = allocation(ask(**words))
    plain = allocation(ask())
    assert [slot.split("=")[0] for slot in argv if slot.split("=")[0] in {p.split("=")[0] for p in plain}] == [
        slot.split("=")[0] for slot in plain
    ]
    for name, value in words.items():
        slots = [slot for slot in argv if slot.startswith("--gres=" if name == "gpu_type" else f"--{name}=")]
        assert slots == [f"--gres=gpu:{value}:2" if name == "gpu_type" else f"--{name}={value}"]


def test_minutes_are_rounded_up_and_no_gpus_ask_for_none() -> None:
    argv = allocation(ask(walltime_s=61, gpus=0, gpu_type=None, nodes=2))
    assert "--time=2" in argv
    assert not [slot for slot in argv if "gres" in slot]
    assert "--ntasks-per-node=1" in argv


def test_part_of_a_gpu_takes_the_place_of_whole_gpus() -> None:
    argv = allocation(ask(gpus=0, shards=1, exclusive=True))
    assert [slot for slot in argv if "gres" in slot or "exclusive" in slot] == ["--gres=shard:v100:1", "--exclusive"]
    assert "--gres=mps:v100:50" in allocation(ask(gpus=0, mps_percent=50))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("constraint", "a100&nvme"), ("constraint", "rack-1.b"), ("licenses", "matlab:2,ansys@flex"),
    ],
)  # fmt: skip
def test_features_and_licences_are_one_argument_each(field: str, value: str) -> None:
    assert f"--{field}={value}" in allocation(ask(**{field: value}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("constraint", text) for text in ("a|b", "[a&b]", "a&", "&a", "a*2", "a b", "a,b", "-a", "!a", "(a)", "a\n")),
        *(("licenses", text) for text in ("a:0", "a:-1", "a,,b", "a;b", "a:b", ":2", "a:2,", "a|b", "a:1234567")),
    ],
)
def test_expressions_beyond_that_are_refused(field: str, value: str) -> None:
    assert refused(**{field: value}).answer["error"]["field"] == field


@pytest.mark.parametrize("what", [{"gpus": 0, "shards": 1}, {"gpus": 0, "mps_percent": 50}, {"exclusive": True}])
def test_what_srun_cannot_place_is_queued_by_sbatch(
    site: Callable[..., dict[str, Any]], tmp_path: Path, what: dict[str, Any]
) -> None:
    config = site(srun="exit 1", sbatch="echo 42")
    answer = submit(ask(**what), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 42, "placed": False, "node": None}
    assert not (tmp_path / "srun.argv").exists()


def test_environment_is_built_from_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("LD_PRELOAD", "/tmp/evil.so")
    config = CONFIG | {"conf": "/etc/slurm/slurm.conf"}
    assert closed_environment(entry(tmp_path), config) == {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "USER": "alice",
        "LOGNAME": "alice",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "SLURM_CONF": "/etc/slurm/slurm.conf",
    }


def test_session_that_starts_at_once_is_placed_and_needs_no_srun_any_more(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun=f"echo $$ > {tmp_path}/pid; echo noise; echo dsp-started 42 node007; exec sleep 60")
    answer = submit(ask(), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 42, "placed": True, "node": "node007"}
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    argv = argv_of(tmp_path, "srun")
    assert argv[-3:] == ["/bin/bash", "-c", SCRIPT.decode()]
    assert "--immediate" in argv
    assert "hush" not in " ".join(argv)
    env = env_of(tmp_path, "srun")
    assert env["DSP_SECRET"] == "hush"
    assert env["DSP_PLACED"] == "1"
    assert not [name for name in env if name.startswith(("SLURM", "SBATCH", "SRUN", "SUDO", "PYTHON"))]


def test_srun_that_vanishes_cannot_tidy_up_after_itself(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    shepherd = f"(read -r line < {tmp_path}/life; touch {tmp_path}/tidied) &"
    config = site(
        srun=f"mkfifo {tmp_path}/life; {shepherd} exec 9<>{tmp_path}/life; echo dsp-started 42 n1; exec sleep 60"
    )
    assert submit(ask(), entry(tmp_path / "home"), config)["placed"]
    time.sleep(0.2)  # an absence: whatever would tidy up had its time
    assert not (tmp_path / "tidied").exists()


def test_job_that_takes_over_waits_for_the_other_to_leave(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(sbatch="echo 44")
    assert submit(ask(immediate=False, after=43), entry(tmp_path / "home"), config)["job_id"] == 44
    assert "--dependency=singleton" in argv_of(tmp_path, "sbatch")


def test_session_that_finds_no_room_is_queued_with_the_same_bytes(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun="echo busy >&2; exit 1", sbatch="echo '43;cluster'")
    answer = submit(ask(), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 43, "placed": False, "node": None}
    assert (tmp_path / "sbatch.in").read_bytes() == SCRIPT
    argv = argv_of(tmp_path, "sbatch")
    assert argv[:2] == ["--parsable", "--no-requeue"]
    assert f"--output={tmp_path}/home/.portal/sessions/abcdefghijkl.log" in argv
    assert "--open-mode=append" in argv
    env = env_of(tmp_path, "sbatch")
    assert "DSP_PLACED" not in env
    assert (env["DSP_PYTHON"], env["DSP_AGENT"]) == ("/usr/bin/python3", "/opt/agent.pyz")


@pytest.mark.parametrize("changes", [{"immediate": False}, {"nodes": 2}])
def test_session_that_may_not_be_placed_goes_to_the_queue(
    site: Callable[..., dict[str, Any]], tmp_path: Path, changes: dict[str, Any]
) -> None:
    config = site(srun="echo dsp-started 1 x", sbatch="echo 43")
    assert submit(ask(**changes), entry(tmp_path / "home"), config)["job_id"] == 43
    assert not (tmp_path / "srun.argv").exists()


def test_refusal_of_slurm_comes_back_in_its_words(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(srun="exit 1", sbatch="echo 'sbatch: error: Invalid partition' >&2; exit 1")
    with pytest.raises(Refused) as caught:
        submit(ask(), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"] == {
        "code": "slurm",
        "message": "sbatch: error: Invalid partition",
        "field": None,
    }


def test_silent_controller_is_not_asked_twice(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    complaint = "srun: error: Unable to allocate resources: Unable to contact slurm controller (connect failure)"
    config = site(srun=f"echo '{complaint}' >&2; exit 1", sbatch="echo 43")
    with pytest.raises(Refused):
        submit(ask(), entry(tmp_path / "home"), config)
    assert not (tmp_path / "sbatch.argv").exists()


def test_command_that_hangs_is_ended_at_the_deadline(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(sbatch=f"echo $$ > {tmp_path}/pid; exec sleep 60")
    with pytest.raises(Refused) as caught:
        submit(ask(immediate=False, deadline_s=1), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["code"] == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_srun_that_hangs_without_a_job_is_ended_at_the_deadline(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun=f"echo $$ > {tmp_path}/pid; exec sleep 60", squeue="true")
    with pytest.raises(Refused) as caught:
        submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["code"] == "aborted"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_job_whose_step_is_slow_to_begin_is_answered_and_cared_for_until_it_does(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = f"while [ ! -e {tmp_path}/go ]; do sleep 0.05; done; echo dsp-started 44 node001; exec sleep 60"
    monkeypatch.setattr(sessions, "SLOW_START_S", 20)
    config = site(srun=f"echo $$ > {tmp_path}/pid; {start}", squeue="echo 44")
    answer = submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    then = answer.pop("then")
    assert answer == {"ok": True, "job_id": 44, "placed": False, "node": None}
    assert then.lasts_s > sessions.SLOW_START_S
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    (tmp_path / "go").touch()
    then.do()
    assert os.waitpid(pid, 0)[1] == 9  # it was made to vanish


def test_job_whose_step_never_begins_is_given_back(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SLOW_START_S", 0.1)
    config = site(srun=f"echo $$ > {tmp_path}/pid; exec sleep 60", squeue="echo 44", scancel="exit 0")
    answer = submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    answer["then"].do()
    assert argv_of(tmp_path, "scancel") == ["44"]
    assert os.waitpid(int((tmp_path / "pid").read_text()), 0)[1] == 9


@pytest.mark.parametrize(
    "away",
    ["exec sleep 60", "echo 'scancel: error: Unable to contact slurm controller (connect failure)' >&2; exit 1"],
    ids=["silent", "refused"],
)
def test_job_whose_step_never_begins_is_given_back_once_slurm_answers_again(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, away: str
) -> None:
    for name, seconds in (("SLOW_START_S", 0.1), ("LOOK_S", 0.5), ("AGAIN_S", 0.01)):
        monkeypatch.setattr(sessions, name, seconds)
    calls = f"echo x >> {tmp_path}/calls; [ $(wc -l < {tmp_path}/calls) -gt 2 ] && exit 0"
    config = site(srun="exec sleep 60", squeue="echo 44", scancel=f"{calls}; {away}")
    answer = submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    answer["then"].do()
    assert (tmp_path / "calls").read_text() == "x\n" * 3
    assert argv_of(tmp_path, "scancel") == ["44"]


def test_job_that_slurm_no_longer_knows_is_not_cancelled_again(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SLOW_START_S", 0.1)
    gone = "echo 'scancel: error: Kill job error on job id 44: Invalid job id specified' >&2; exit 1"
    config = site(srun="exec sleep 60", squeue="echo 44", scancel=f"echo x >> {tmp_path}/calls; {gone}")
    answer = submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    answer["then"].do()
    assert (tmp_path / "calls").read_text() == "x\n"


def test_start_is_aborted_if_squeue_hangs_as_srun_does(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "LOOK_S", 0.5)
    config = site(srun=f"echo $$ > {tmp_path}/pid; exec sleep 60", squeue="exec sleep 60")
    with pytest.raises(Refused) as caught:
        submit(ask(deadline_s=3), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["code"] == "aborted"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_output_without_end_is_bounded(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(sbatch="yes | head -c 1000000; echo; echo x >&2; exit 1")
    with pytest.raises(Refused) as caught:
        submit(ask(immediate=False), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["message"] == "x"


def test_cancel_gives_slurm_the_number_only(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(scancel="exit 0")
    assert cancel({"user": "alice", "job_id": 7, "deadline_s": 5}, entry(tmp_path / "home"), config) == {"ok": True}
    assert argv_of(tmp_path, "scancel") == ["7"]
