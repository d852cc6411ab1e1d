"""The door on a real Slurm: it becomes the user for good, and a session it places depends on no process of the head."""

from __future__ import annotations

import json
import secrets
import string
from typing import Any

import pytest

from demo.namespace import DOOR
from demo.people import MAIN_GROUP, PEOPLE, UNIX_GROUPS
from tests.demo_site import INSIDE, DemoSite
from tests.unit.door.asking import SUBMIT

#: Stands in for the agent: an unknown session's agent leaves at once, and then there is nothing to look at.
AGENT = """\
import os, signal, sys, time
def end(*_):
    print("heard SIGTERM", flush=True)
    sys.exit(9)
signal.signal(signal.SIGTERM, end)
print(*(f"{name}={value}" for name, value in sorted(os.environ.items())), sep="\\n")
print("uid", os.getresuid(), "gid", os.getresgid(), "groups", sorted(os.getgroups()), "umask", oct(os.umask(0)))
print("cwd", os.getcwd(), flush=True)
time.sleep(float(os.environ.get("DSP_LIVE", "600")))
"""


@pytest.fixture(autouse=True)
def quiet_site(site: DemoSite) -> None:
    """Freeze the portal, which would end jobs that no session stands behind; put the stand-in in the agent's place."""
    site.pause("portal")
    site.run("sh", "-c", f"cat > {INSIDE}/libexec/looker.py", stdin=AGENT)


@pytest.fixture(autouse=True)
def looker(site: DemoSite, quiet_site: None) -> Any:
    path = f"{DOOR}.json"
    before = site.run("cat", path)
    config = json.loads(before) | {"agent": f"{INSIDE}/libexec/looker.py"}
    site.run("sh", "-c", f"cat > {path}", stdin=json.dumps(config))
    yield
    site.run("sh", "-c", f"cat > {path}", stdin=before)


def call(site: DemoSite, verb: str, **fields: Any) -> dict[str, Any]:
    done = site.process("sudo", "-n", str(DOOR), user="portal", stdin=json.dumps({"verb": verb, **fields}))
    assert done.stdout, done.stderr
    return dict(json.loads(done.stdout))


def submit(site: DemoSite, user: str = "alice", **changes: Any) -> tuple[str, dict[str, Any]]:
    session = "".join(secrets.choice(string.ascii_lowercase) for _ in range(12))
    fields = SUBMIT | {"user": user, "session": session, "partition": None, "gpus": 1, "cpus": 2, "memory_mib": 500}
    fields |= {"walltime_s": 600, "deadline_s": 20, "env": {"DSP_SECRET": "hush"}}
    return session, call(site, **(fields | changes))


def log(site: DemoSite, session: str, user: str = "alice") -> str:
    return str(call(site, "read_log", user=user, session=session, offset=0, limit=100_000)["text"])


def settled_log(site: DemoSite, session: str, user: str = "alice") -> str:
    """The log, once the stand-in has said all it says."""
    return site.wait_for(
        lambda: text if "\ncwd " in (text := log(site, session, user)) else "", "the job's first words"
    )


@pytest.mark.parametrize("immediate", [True, False])
@pytest.mark.parametrize(
    "person", [person for person in PEOPLE if person.username in ("alice", "bob")], ids=lambda value: value.username
)
def test_job_runs_as_the_user_with_all_of_their_groups_and_a_closed_environment(
    site: DemoSite, person: Any, immediate: bool
) -> None:
    session, answer = submit(site, person.username, immediate=immediate, env={"DSP_SECRET": "hush", "DSP_X": "y z"})
    assert answer["ok"], answer
    text = settled_log(site, session, person.username)
    uid, gid = person.uid, MAIN_GROUP[1]
    groups = sorted({gid, *(UNIX_GROUPS[group] for group in person.groups)})
    assert f"uid {(uid,) * 3} gid {(gid,) * 3} groups {groups} umask 0o22" in text
    assert f"cwd {INSIDE}/home/{person.username}\n" in text
    names = {line.split("=")[0] for line in text.splitlines() if "=" in line}
    assert {"DSP_SECRET", "DSP_X", "HOME", "USER", "SLURM_JOB_ID", "CUDA_VISIBLE_DEVICES", "SLURM_JOB_GPUS"} <= names
    devices = ("CUDA_", "GPU_", "ROCR_", "ZE_")
    launchers = ("HYDRA_", "I_MPI_HYDRA_", "OMPI_MCA_plm_", "PRTE_MCA_plm_")  # of Slurm itself, from 23.11 on
    strange = {name for name in names if not name.startswith(("DSP_", "SLURM", *devices, *launchers))}
    assert strange <= {
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "PATH",
        "LANG",
        "PWD",
        "TMPDIR",
        "HOSTNAME",
        "ENVIRONMENT",
        "SHLVL",
        "_",
    }
    assert "SUDO_" not in text


def test_both_ways_into_slurm_give_the_job_the_same_environment(site: DemoSite) -> None:
    def names(immediate: bool) -> set[str]:
        session, answer = submit(site, immediate=immediate)
        assert answer["placed"] is immediate, answer
        return {line.split("=")[0] for line in settled_log(site, session).splitlines() if "=" in line}

    placed, queued = names(True), names(False)
    assert {name for name in placed ^ queued if not name.startswith(("SLURM_", "DSP_PLACED"))} <= {
        "ENVIRONMENT",
        "HOSTNAME",
        "PWD",
        "SHLVL",
        "_",
    }


def test_placed_session_has_all_of_its_gpus_and_needs_nothing_of_the_head_node(site: DemoSite) -> None:
    session, answer = submit(site, gpus=2)
    assert answer["placed"], answer
    job = str(answer["job_id"])
    text = settled_log(site, session)
    devices = next(line for line in text.splitlines() if line.startswith("CUDA_VISIBLE_DEVICES=")).split("=")[1]
    assert len(devices.split(",")) == 2
    assert site.run("ps", "-C", "srun", "-o", "stat=", check=False).replace("Z", "").strip(" \nsl+<N") == ""
    site.wait_for(lambda: saved(site, job), "slurmctld to have saved its state")
    site.kill("slurmctld")
    site.start("slurmctld")
    node = answer["node"]
    site.restart(node)
    site.wait_for(
        lambda: [job["state"] for job in site.jobs(f"--jobs={job}")] == ["RUNNING"], "the job to be seen again"
    )
    assert f"{job}.0" in site.run("squeue", "--steps", "--noheader", f"--jobs={job}", "--format=%i")


def saved(site: DemoSite, job: str) -> bool:
    """Whether slurmctld's saved state, written some seconds after each change, knows the job."""
    age = site.run("squeue", "--noheader", f"--jobs={job}", "--Format=timeused").strip()
    return age >= "0:08"


def test_placed_session_gives_its_allocation_back_when_its_agent_ends(site: DemoSite) -> None:
    session, answer = submit(site, env={"DSP_LIVE": "0.1"})
    assert answer["placed"], answer
    site.wait_for(lambda: not site.jobs("--user=alice"), "the job to be gone")
    assert "cwd " in log(site, session)


@pytest.mark.parametrize("immediate", [True, False])
def test_agent_hears_that_its_job_is_cancelled(site: DemoSite, immediate: bool) -> None:
    session, answer = submit(site, immediate=immediate)
    settled_log(site, session)
    assert call(site, "cancel", user="alice", job_id=answer["job_id"], deadline_s=10) == {"ok": True}
    site.wait_for(lambda: "heard SIGTERM" in log(site, session), "the agent to hear of it")


def test_session_without_room_is_queued_once_and_can_be_cancelled(site: DemoSite) -> None:
    sessions = [submit(site, gpus=4) for _ in site.nodes]
    site.wait_for(lambda: len(site.jobs("--states=RUNNING")) == len(site.nodes), "the cluster to be full")
    session, answer = submit(site, gpus=4)
    assert answer["ok"], answer
    assert not answer["placed"]
    waiting = site.jobs("--states=PENDING")
    assert [(job["id"], job["name"]) for job in waiting] == [(str(answer["job_id"]), f"dsp-{session}")]
    assert call(site, "cancel", user="alice", job_id=answer["job_id"], deadline_s=10) == {"ok": True}
    assert call(site, "cancel", user="alice", job_id=answer["job_id"], deadline_s=10) == {"ok": True}
    site.wait_for(lambda: not site.jobs("--states=PENDING"), "the job to leave the queue")
    assert len(sessions) == len(site.nodes)


def test_nobody_cancels_another_persons_job(site: DemoSite) -> None:
    _, answer = submit(site)
    refused = call(site, "cancel", user="bob", job_id=answer["job_id"], deadline_s=10)
    assert refused["error"]["code"] == "slurm"
    assert "denied" in refused["error"]["message"]
    assert [job["id"] for job in site.jobs()] == [str(answer["job_id"])]


@pytest.mark.parametrize(
    ("user", "code"),
    [("root", "user_refused"), ("slurm", "user_refused"), ("portal", "user_refused"), ("nosuch", "unknown_user")],
)
def test_door_acts_for_no_system_account_and_no_stranger(site: DemoSite, user: str, code: str) -> None:
    _, answer = submit(site, user)
    assert answer["error"]["code"] == code
    assert site.jobs() == []


def test_home_that_cannot_be_written_is_told_before_anything_is_submitted(site: DemoSite) -> None:
    home = f"{INSIDE}/home/carol"
    site.run("sh", "-c", f"mv {home}/.portal {home}/.portal-before 2>/dev/null; touch {home}/.portal")
    try:
        _, answer = submit(site, "carol")
    finally:
        site.run("sh", "-c", f"rm {home}/.portal; mv {home}/.portal-before {home}/.portal 2>/dev/null || true")
    assert answer["error"]["code"] == "home"
    assert site.jobs() == []


def test_nobody_reads_another_persons_log_or_a_file_through_a_link(site: DemoSite) -> None:
    session, _ = submit(site)
    settled_log(site, session)
    assert log(site, session, "bob") == ""
    folder = f"{INSIDE}/home/bob/.portal/sessions"
    site.run("mkdir", "-p", folder, user="bob")
    site.run("ln", "-sf", f"{INSIDE}/home/alice/.portal/sessions/{session}.log", f"{folder}/{session}.log", user="bob")
    answer = call(site, "read_log", user="bob", session=session, offset=0, limit=1000)
    assert answer["error"]["code"] == "home"
    site.run("rm", f"{folder}/{session}.log")


def test_every_call_leaves_a_line_that_says_who_for_and_what_came_of_it(site: DemoSite) -> None:
    session, answer = submit(site)
    lines = [line for line in site.log("portal-door").splitlines() if session in line]
    assert len(lines) == 2
    asked = (
        f"submit user=alice session={session} gpu_type=v100 exclusive=false shards=0 mps_percent=0 "
        "nodes=1 gpus=1 cpus=2 memory_mib=500 walltime_s=600 immediate=true env=DSP_SECRET"
    )
    assert lines[0].endswith(f"{asked} uid=52001 begins")
    assert lines[1].endswith(f"{asked} job={answer['job_id']} done")
    assert "hush" not in site.log("portal-door")
    submit(site, "root")
    assert site.log("portal-door").splitlines()[-1].endswith("refused=user_refused")


def test_secret_is_in_no_process_list_and_in_nothing_others_can_ask_slurm_for(site: DemoSite) -> None:
    secret = secrets.token_hex(16)
    session, answer = submit(site, env={"DSP_SECRET": secret})
    settled_log(site, session)
    assert secret not in site.run("ps", "-eo", "args")
    job = str(answer["job_id"])
    assert secret not in site.run("scontrol", "--details", "show", "job", job, user="bob")
    assert secret not in site.run("sacct", "--jobs", job, "--parsable2", "--format=ALL", user="bob", check=False)
