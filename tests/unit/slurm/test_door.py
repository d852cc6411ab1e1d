"""What the door accepts, what it makes of it, and that nothing a caller writes becomes anything else.

That it becomes the user, and what a real Slurm does with its jobs, is in tests/integration/test_door.py.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from portal.slurm import door

SUBMIT: dict[str, Any] = {
    "verb": "submit",
    "user": "alice",
    "session": "abcdefghijkl",
    "partition": "sxm2",
    "account": None,
    "qos": None,
    "reservation": None,
    "gpu_type": "v100",
    "nodes": 1,
    "gpus": 2,
    "cpus": 16,
    "memory_mib": 96_000,
    "walltime_s": 28_800,
    "immediate": True,
    "deadline_s": 10,
    "env": {"DSP_SECRET": "hush"},
}
WORDS = ("partition", "account", "qos", "reservation", "gpu_type")
NUMBERS = ("nodes", "gpus", "cpus", "memory_mib", "walltime_s", "deadline_s")


def ask(**changes: Any) -> dict[str, Any]:
    return door.parse(json.dumps(SUBMIT | changes).encode())[1]


def refused(**changes: Any) -> door.Refused:
    with pytest.raises(door.Refused) as caught:
        ask(**changes)
    return caught.value


def entry(home: Path, uid: int = 31_001) -> pwd.struct_passwd:
    return pwd.struct_passwd(("alice", "x", uid, uid, "Alice", str(home), "/bin/bash"))


# --- the request ---


def test_good_request_is_taken_as_it_is() -> None:
    assert ask() == {name: value for name, value in SUBMIT.items() if name != "verb"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
#: Text made of what shells, Slurm's option parser and files care about.
HOSTILE = st.text(alphabet="ab19-=,:;|&$`'\"\\/.*?~#!%^(){}[]<> \t\r\n\x00\x1b\x7f\u202e\ufffd", min_size=1)


@given(st.sampled_from([*WORDS, "user", "session"]), HOSTILE)
def test_text_is_a_plain_word_or_refused(field: str, value: str) -> None:
    if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]*", value) and field in WORDS:
        assert ask(**{field: value})[field] == value
    elif not re.fullmatch(r"[A-Za-z0-9_.@+-]+", value):
        assert refused(**{field: value}).answer["error"]["field"] == field


@given(st.sampled_from([name for name in SUBMIT if name != "verb"]), ANYTHING)
def test_value_of_another_kind_is_refused(field: str, value: object) -> None:
    assume(not (field in WORDS and value is None))
    try:
        taken = ask(**{field: value})[field]
    except door.Refused:
        return
    assert type(taken) is type(SUBMIT[field] if SUBMIT[field] is not None else "")


@given(st.sampled_from(NUMBERS), st.integers())
def test_numbers_stay_in_their_range(field: str, value: int) -> None:
    try:
        taken = ask(**{field: value})[field]
    except door.Refused:
        return
    assert 0 <= taken <= 1 << 30


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("value", [-1, True, 1.5, "1", None, 1 << 40])
def test_what_is_no_number_in_range_is_refused(field: str, value: object) -> None:
    assert refused(**{field: value}).answer["error"]["code"] == "invalid"


@given(
    st.dictionaries(st.text() | st.sampled_from(["DSP_A", "DSP_LOG", "LD_PRELOAD", "SLURM_CONF"]), st.text() | HOSTILE)
)
def test_environment_is_only_ours_and_printable(env: dict[str, str]) -> None:
    try:
        taken = ask(env=env)["env"]
    except door.Refused:
        return
    for name, value in taken.items():
        assert name.startswith("DSP_")
        assert name not in door.OWN_ENV
        assert value.isascii()
        assert value.isprintable()


@pytest.mark.parametrize(
    "name", ["DSP_LOG", "DSP_PYTHON", "DSP_AGENT", "DSP_PLACED", "LD_PRELOAD", "PATH", "DSP_a", "DSP_A=B"]
)
def test_variables_that_are_not_the_callers_to_set_are_refused(name: str) -> None:
    assert refused(env={name: "x"}).answer["error"]["field"] == "env"


@given(st.binary() | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_anything_that_is_no_request_is_refused(raw: bytes) -> None:
    with pytest.raises(door.Refused):
        door.parse(raw)


def test_fields_too_many_and_too_few_are_refused() -> None:
    assert refused(comment="x").answer["error"]["field"] == "comment"
    with pytest.raises(door.Refused):
        door.parse(json.dumps({name: SUBMIT[name] for name in SUBMIT if name != "user"}).encode())


def test_deeply_nested_and_oversized_requests_are_refused() -> None:
    for raw in (b"[" * 60_000, b" " * (door.MAX_REQUEST + 1)):
        with pytest.raises(door.Refused):
            door.parse(raw)


# --- what Slurm is given ---


def test_every_value_stands_in_its_own_argv_slot() -> None:
    argv = door.allocation(ask(account="physics", qos="high", reservation="course"))
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


@given(st.dictionaries(st.sampled_from(WORDS), st.from_regex(door.WORD, fullmatch=True)))
def test_words_change_no_other_option(words: dict[str, str]) -> None:
    argv = door.allocation(ask(**words))
    plain = door.allocation(ask())
    assert [slot.split("=")[0] for slot in argv if slot.split("=")[0] in {p.split("=")[0] for p in plain}] == [
        slot.split("=")[0] for slot in plain
    ]
    for name, value in words.items():
        slots = [slot for slot in argv if slot.startswith("--gres=" if name == "gpu_type" else f"--{name}=")]
        assert slots == [f"--gres=gpu:{value}:2" if name == "gpu_type" else f"--{name}={value}"]


def test_minutes_are_rounded_up_and_no_gpus_ask_for_none() -> None:
    argv = door.allocation(ask(walltime_s=61, gpus=0, gpu_type=None, nodes=2))
    assert "--time=2" in argv
    assert not [slot for slot in argv if "gres" in slot]
    assert "--ntasks-per-node=1" in argv


def test_environment_is_built_from_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("LD_PRELOAD", "/tmp/evil.so")
    config = door.CONFIG | {"conf": "/etc/slurm/slurm.conf"}
    assert door.closed_environment(entry(tmp_path), config) == {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "USER": "alice",
        "LOGNAME": "alice",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "SLURM_CONF": "/etc/slurm/slurm.conf",
    }


# --- with pretended commands of Slurm ---


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A home and a folder of pretended Slurm commands, each a shell script; returns the door's configuration."""
    (tmp_path / "home").mkdir()
    (tmp_path / "bin").mkdir()

    def make(**scripts: str) -> dict[str, Any]:
        for name, script in scripts.items():
            path = tmp_path / "bin" / name
            seen = tmp_path / name
            record = f'printf "%s\\0" "$@" > {seen}.argv; env -0 > {seen}.env; cat > {seen}.in'
            path.write_text(f"#!/bin/sh\n{record}\n{script}\n")
            path.chmod(0o755)
        return door.CONFIG | {"bin_dir": str(tmp_path / "bin"), "agent": "/opt/agent.pyz"}

    return make


def argv_of(tmp_path: Path, program: str) -> list[str]:
    return (tmp_path / f"{program}.argv").read_text().split("\0")[:-1]


def env_of(tmp_path: Path, program: str) -> dict[str, str]:
    lines = (tmp_path / f"{program}.env").read_text().split("\0")[:-1]
    return dict(line.split("=", 1) for line in lines)


def test_session_that_starts_at_once_is_placed_and_needs_no_srun_any_more(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun=f"echo $$ > {tmp_path}/pid; echo noise; echo dsp-started 42 node007; exec sleep 60")
    answer = door.submit(ask(), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 42, "placed": True, "node": "node007"}
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    argv = argv_of(tmp_path, "srun")
    assert argv[-3:] == ["/bin/bash", "-c", door.SCRIPT.decode()]
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
    assert door.submit(ask(), entry(tmp_path / "home"), config)["placed"]
    time.sleep(0.2)  # an absence: whatever would tidy up had its time
    assert not (tmp_path / "tidied").exists()


def test_session_that_finds_no_room_is_queued_with_the_same_bytes(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun="echo busy >&2; exit 1", sbatch="echo '43;cluster'")
    answer = door.submit(ask(), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 43, "placed": False, "node": None}
    assert (tmp_path / "sbatch.in").read_bytes() == door.SCRIPT
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
    assert door.submit(ask(**changes), entry(tmp_path / "home"), config)["job_id"] == 43
    assert not (tmp_path / "srun.argv").exists()


def test_refusal_of_slurm_comes_back_in_its_words(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(srun="exit 1", sbatch="echo 'sbatch: error: Invalid partition' >&2; exit 1")
    with pytest.raises(door.Refused) as caught:
        door.submit(ask(), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"] == {
        "code": "slurm",
        "message": "sbatch: error: Invalid partition",
        "field": None,
    }


def test_silent_controller_is_not_asked_twice(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    complaint = "srun: error: Unable to allocate resources: Unable to contact slurm controller (connect failure)"
    config = site(srun=f"echo '{complaint}' >&2; exit 1", sbatch="echo 43")
    with pytest.raises(door.Refused):
        door.submit(ask(), entry(tmp_path / "home"), config)
    assert not (tmp_path / "sbatch.argv").exists()


def test_command_that_hangs_is_ended_at_the_deadline(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(sbatch=f"echo $$ > {tmp_path}/pid; exec sleep 60")
    with pytest.raises(door.Refused) as caught:
        door.submit(ask(immediate=False, deadline_s=1), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["code"] == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_srun_that_hangs_without_a_job_is_ended_at_the_deadline(
    site: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    config = site(srun=f"echo $$ > {tmp_path}/pid; exec sleep 60", squeue="true")
    with pytest.raises(door.Refused) as caught:
        door.submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["code"] == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_job_whose_step_is_slow_to_begin_is_answered_and_cared_for_until_it_does(
    site: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = f"while [ ! -e {tmp_path}/go ]; do sleep 0.05; done; echo dsp-started 44 node001; exec sleep 60"
    monkeypatch.setattr(door, "SLOW_START_S", 20)
    config = site(srun=f"echo $$ > {tmp_path}/pid; {start}", squeue="echo 44")
    answer = door.submit(ask(deadline_s=5), entry(tmp_path / "home"), config)
    assert answer == {"ok": True, "job_id": 44, "placed": False, "node": None}
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    (tmp_path / "go").touch()
    assert os.waitpid(pid, 0)[1] == 9  # the child that stayed made it vanish; here we are its parent


def test_output_without_end_is_bounded(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(sbatch="yes | head -c 1000000; echo; echo x >&2; exit 1")
    with pytest.raises(door.Refused) as caught:
        door.submit(ask(immediate=False), entry(tmp_path / "home"), config)
    assert caught.value.answer["error"]["message"] == "x"


def test_cancel_gives_slurm_the_number_only(site: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    config = site(scancel="exit 0")
    assert door.cancel({"user": "alice", "job_id": 7, "deadline_s": 5}, entry(tmp_path / "home"), config) == {
        "ok": True
    }
    assert argv_of(tmp_path, "scancel") == ["7"]


# --- the job's script ---


@pytest.fixture
def run_script(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    agent = tmp_path / "agent.py"
    agent.write_text("import os, sys; print('agent', os.environ.get('SLURM_JOB_GPUS')); sys.exit(5)")
    scancel = tmp_path / "scancel"
    scancel.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/cancelled\n')
    scancel.chmod(0o755)

    def run(**env: str) -> subprocess.CompletedProcess[str]:
        base = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SLURM_JOB_ID": "42", "SLURMD_NODENAME": "node001"}
        ours = {"DSP_LOG": f"{tmp_path}/log", "DSP_PYTHON": "/usr/bin/python3", "DSP_AGENT": str(agent)}
        return subprocess.run(
            ["/bin/bash", "-c", door.SCRIPT.decode()],
            env={**base, **ours, **env},
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )

    return run


def test_script_says_that_it_began_and_writes_the_rest_to_the_log(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script()
    assert (done.returncode, done.stdout) == (5, "dsp-started 42 node001\n")
    started = door.STARTED.search(done.stdout.encode())
    assert started
    assert started.groups() == (b"42", b"node001")
    assert (tmp_path / "log").read_text() == "agent None\n"
    assert not (tmp_path / "cancelled").exists()


def test_placed_script_gives_its_allocation_back_and_keeps_the_agents_exit_code(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script(DSP_PLACED="1", SLURM_STEP_GPUS="2,3", SLURM_CPU_BIND="quiet,none")
    assert done.returncode == 5
    assert (tmp_path / "cancelled").read_text() == "--quiet 42\n"
    assert (tmp_path / "log").read_text() == "agent 2,3\n"


@pytest.mark.parametrize("placed", [{}, {"DSP_PLACED": "1"}], ids=["batch", "placed"])
def test_agent_hears_the_signal_that_ends_the_job_and_may_clean_up(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, placed: dict[str, str]
) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, signal, sys, time\n"
        "def end(*_):\n"
        "    time.sleep(0.3); print('clean', flush=True); sys.exit(9)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)\n"
        "leader = os.getppid() if os.environ.get('DSP_PLACED') else os.getpid()\n"
        "os.kill(leader, signal.SIGTERM)\n"  # as Slurm does: to the task's first process alone
        "time.sleep(20)\n"
    )
    done = run_script(**placed)
    assert done.returncode == 9
    assert (tmp_path / "log").read_text() == "True\nclean\n"
    assert (tmp_path / "cancelled").exists() is bool(placed)


def test_script_whose_log_cannot_be_opened_never_begins(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run_script(DSP_LOG=f"{tmp_path}/nowhere/log")
    assert done.returncode != 0
    assert "dsp-started" not in done.stdout


# --- logs ---


def read(home: Path, offset: int = 0, limit: int = 4096) -> dict[str, Any]:
    fields = {"user": "alice", "session": "abcdefghijkl", "offset": offset, "limit": limit}
    return door.read_log(fields, entry(home), door.CONFIG)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = Path(door.open_log("abcdefghijkl", entry(tmp_path), door.CONFIG))
    path.write_bytes(b"")
    return path


def test_log_is_made_private_with_its_folders(tmp_path: Path) -> None:
    path = Path(door.open_log("abcdefghijkl", entry(tmp_path), door.CONFIG))
    assert path == tmp_path / ".portal/sessions/abcdefghijkl.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_text().endswith("submitted by the portal\n")


def test_log_is_read_in_pieces_and_from_the_end(log: Path, tmp_path: Path) -> None:
    log.write_text("0123456789")
    assert read(tmp_path, 2, 3) == {"ok": True, "text": "234", "offset": 2, "next_offset": 5, "size": 10}
    assert read(tmp_path, -4)["text"] == "6789"
    assert read(tmp_path, -400)["text"] == "0123456789"
    assert read(tmp_path, 400) == {"ok": True, "text": "", "offset": 10, "next_offset": 10, "size": 10}


@given(st.text(), st.integers(1, 7))
def test_pieces_put_together_are_the_log_whatever_the_characters(text: str, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        Path(door.open_log("abcdefghijkl", entry(home), door.CONFIG)).write_bytes(text.encode(errors="replace"))
        offset, pieces = 0, []
        while True:
            piece = read(home, offset, max(4, limit))
            if piece["next_offset"] == offset:
                break
            offset = piece["next_offset"]
            pieces.append(piece["text"])
        assert "".join(pieces) == text.encode(errors="replace").decode()


@given(st.binary(max_size=64), st.integers(1, 8))
def test_any_bytes_are_read_to_the_end(content: bytes, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        Path(door.open_log("abcdefghijkl", entry(home), door.CONFIG)).write_bytes(content)
        offset = 0
        for _ in range(len(content) + 1):
            offset = read(home, offset, limit)["next_offset"]
        assert offset == len(content)


def test_log_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path) == {"ok": True, "text": "", "offset": 0, "next_offset": 0, "size": 0}


@pytest.mark.parametrize("kind", ["symlink", "fifo", "folder"])
def test_what_is_no_plain_file_is_neither_read_nor_written(log: Path, tmp_path: Path, kind: str) -> None:
    log.unlink()
    if kind == "symlink":
        log.symlink_to("/etc/passwd")
    elif kind == "fifo":
        os.mkfifo(log)
    else:
        log.mkdir()
    for act in (lambda: read(tmp_path), lambda: door.open_log("abcdefghijkl", entry(tmp_path), door.CONFIG)):
        with pytest.raises(door.Refused) as caught:
            act()
        assert caught.value.answer["error"]["code"] == "home"


def test_home_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(door.Refused, match="No such file"):
        door.open_log("abcdefghijkl", entry(tmp_path / "gone"), door.CONFIG)


# --- whom it acts for, and its configuration ---


def test_unknown_accounts_are_refused() -> None:
    with pytest.raises(door.Refused) as caught:
        door.account("no.such.user", door.CONFIG)
    assert caught.value.answer["error"]["code"] == "unknown_user"


@pytest.mark.parametrize("name", ["root", "daemon", "nobody"])
@pytest.mark.parametrize("min_uid", [0, 1000])
def test_system_accounts_are_refused(name: str, min_uid: int) -> None:
    if name == "daemon" and not min_uid:
        pytest.skip("with min_uid 0 the site says that daemon is a person")
    with pytest.raises(door.Refused) as caught:
        door.account(name, door.CONFIG | {"min_uid": min_uid})
    assert caught.value.answer["error"]["code"] == "user_refused"


def test_people_outside_the_allowed_groups_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pwd, "getpwnam", lambda name: entry(tmp_path))
    monkeypatch.setattr(os, "getgrouplist", lambda name, gid: [gid, 4])
    assert door.account("alice", door.CONFIG | {"groups": ["nosuch", "adm"]}).pw_name == "alice"
    with pytest.raises(door.Refused) as caught:
        door.account("alice", door.CONFIG | {"groups": ["daemon"]})
    assert caught.value.answer["error"]["code"] == "user_refused"


def test_configuration_that_is_not_roots_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "door.json"
    path.write_text("{}")
    path.chmod(0o666)
    with pytest.raises(door.Refused, match="must belong to root"):
        door.load_config(str(path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what the door believes")
@pytest.mark.parametrize(
    "content", ['{"shell": "/bin/sh"}', '{"session_dir": "/etc"}', '{"session_dir": "a/../b"}', "[]", "x"]
)
def test_configuration_that_makes_no_sense_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "door.json"
    path.write_text(content)
    path.chmod(0o644)
    with pytest.raises(door.Refused) as caught:
        door.load_config(str(path))
    assert caught.value.answer["error"]["code"] == "configuration"


def test_door_needs_nothing_outside_the_standard_library_and_starts_isolated() -> None:
    source = Path(door.__file__).read_text()
    assert source.startswith("#!/usr/bin/python3 -IS\n")
    imports = set(re.findall(r"^import (\w+)", source, re.M))
    assert imports <= {"grp", "json", "os", "pwd", "re", "select", "signal", "stat", "sys", "time"}


def test_program_answers_in_json_even_when_it_may_do_nothing(tmp_path: Path) -> None:
    program = tmp_path / "portal-door"
    program.write_text(Path(door.__file__).read_text())
    done = subprocess.run(["/usr/bin/python3", "-IS", program], input="{}", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["error"]["code"] == "configuration"
