"""The client over pretended Slurm commands and a pretended door, which answer what real ones were recorded to say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from portal.errors import PortalError, SlurmRefused, SlurmUnavailable
from portal.settings import Slurm
from portal.slurm import queries
from portal.slurm.commands import SlurmCommands
from portal.slurm.jobs import JobState, SessionSpec
from portal.slurm.snapshot import EnforcedLimit
from tests.unit.slurm.recordings import Recording

SPEC = SessionSpec(session_id="abcdefghijkl", partition="sxm2", gpus=2, cpus=16, memory_mib=96_000, walltime_s=28_800)
PLACED = {"ok": True, "job_id": 42, "placed": True, "node": "node001"}
RECORDING = Recording.of("22.05")
CONFIG = RECORDING.out("config")


class Site:
    """A folder of programs. Each prints what `says` was given, and records its arguments and environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.says("scontrol", CONFIG)
        self.says("door", json.dumps(PLACED))

    def says(self, program: str, out: str = "", err: str = "", code: int = 0, before: str = "") -> None:
        for kind, content in (("out", out), ("err", err)):
            (self.folder / f"{program}.{kind}").write_text(content)
        seen = self.folder / program
        keep = f"env > {seen}.env; echo x >> {seen}.calls; cat > {seen}.in; : > {seen}.argv\n"
        keep += f'[ $# = 0 ] || printf "%s\\0" "$@" > {seen}.argv'
        path = self.folder / program
        path.write_text(f"#!/bin/sh\n{keep}\n{before}\ncat {seen}.out; cat {seen}.err >&2; exit {code}\n")
        path.chmod(0o755)

    def refuses(self, code: str, message: str, field: str | None = None) -> None:
        self.says("door", json.dumps({"ok": False, "error": {"code": code, "message": message, "field": field}}))

    def client(self, **more: Any) -> SlurmCommands:
        settings = {
            "bin_dir": self.folder,
            "door": [str(self.folder / "door")],
            "timeout_s": 5,
            "conf": "/x/slurm.conf",
            "readings_per_minute": 60_000,
        }
        return SlurmCommands(Slurm(**{**settings, **more}))

    def argv(self, program: str) -> list[str]:
        return (self.folder / f"{program}.argv").read_text().split("\0")[:-1]

    def env(self, program: str) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.folder / f"{program}.env").read_text().splitlines())

    def request(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "door.in").read_text()))

    def calls(self, program: str) -> int:
        path = self.folder / f"{program}.calls"
        return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


async def test_jobs_are_asked_for_with_a_mark_of_their_own_each_time(site: Site) -> None:
    client = site.client()
    site.says("squeue", "")
    assert await client.jobs() == []
    first = site.argv("squeue")
    await client.jobs()
    assert first != site.argv("squeue")
    mark = re.search("\x1e[0-9a-f]{16}", first[-1])
    assert mark
    site.says("squeue", RECORDING.out("jobs"))
    assert await client.jobs() == [], "records of another reading are none of this one"


async def test_environment_of_commands_is_closed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SQUEUE_FORMAT", "%i")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/evil")
    site.says("squeue", "")
    await site.client().jobs()
    env = site.env("squeue")
    env.pop("PWD", None)
    env.pop("_", None)
    assert env == {
        "PATH": f"{site.folder}:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SLURM_TIME_FORMAT": "standard",
        "SLURM_BITSTR_LEN": "0",
        "SLURM_CONF": "/x/slurm.conf",
    }


async def test_readings_are_values_and_are_counted(site: Site) -> None:
    client = site.client()
    site.says("scontrol", RECORDING.out("nodes"))
    assert [node.name for node in await client.nodes()][:2] == ["node001", "node002"]
    site.says("scontrol", RECORDING.out("partitions"))
    assert [partition.name for partition in await client.partitions()] == ["sxm2", "debug", "closed"]
    site.says("scontrol", CONFIG)
    assert await client.version() == "22.05.8"
    site.says("sacctmgr", RECORDING.out("associations"))
    assert {association.user for association in await client.associations()} == {"alice", "bob", "root"}
    assert client.calls == {"scontrol": 3, "sacctmgr": 1}


@pytest.mark.parametrize("name", ["no slurmctld: jobs", "refused: cancel another's job"])
async def test_reading_that_fails_is_dont_know_whatever_it_says(site: Site, name: str) -> None:
    site.says("squeue", err=RECORDING.complaint(name), code=1)
    with pytest.raises(SlurmUnavailable):
        await site.client().jobs()


async def test_reading_that_hangs_is_dont_know(site: Site) -> None:
    site.says("squeue", before="exec sleep 60")
    with pytest.raises(SlurmUnavailable, match="did not answer within"):
        await site.client(timeout_s=0.2).jobs()


async def test_only_associations_of_this_cluster_are_read(site: Site) -> None:
    """Another cluster's account in the same slurmdbd became the default, and starts were refused."""
    site.says("sacctmgr", RECORDING.out("associations"))
    assert await site.client().associations()
    assert site.argv("sacctmgr")[-1] == "cluster=recorded"


async def test_limits_of_associations_and_qos_are_read_and_whether_they_hold(site: Site) -> None:
    blank = "|" * (len(queries.ASSOCIATION_LIMITS) - 1)
    rows = [f"root|||{blank}", f"vision|||gres/gpu=16{blank}", f"vision|alice|sxm2|gres/gpu=2{blank}"]
    site.says("sacctmgr", "\n".join(rows))
    enforced, limits = await site.client().limits()
    assert not enforced
    vision = EnforcedLimit("account", "vision", "", "", {"GrpTRES": "gres/gpu=16"})
    alice = EnforcedLimit("user", "alice", "vision", "sxm2", {"GrpTRES": "gres/gpu=2"})
    assert limits[:2] == [vision, alice], "an association without limits is left out"
    site.says("scontrol", f"{CONFIG}\nAccountingStorageEnforce = associations,limits,qos\n")
    assert (await site.client().limits())[0]


async def test_cluster_without_accounting_has_no_associations(site: Site) -> None:
    site.says("scontrol", CONFIG.replace("accounting_storage/slurmdbd", "accounting_storage/none"))
    site.says("sacctmgr", err="You are not running a supported accounting_storage plugin", code=1)
    assert await site.client().associations() == []


async def test_wckeys_that_slurmdbd_lists_for_operators_alone_are_unknown(site: Site) -> None:
    """The refusal was taken for silence, so that no account was ever known."""
    site.says("scontrol", f"{CONFIG}\nTrackWCKey = Yes\n")
    site.says("sacctmgr", "alice|course")
    assert await site.client().wckeys() == {"alice": ("course",)}
    complaint = "sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: "
    site.says("sacctmgr", err=f"{complaint}Access/permission denied\n", code=1)
    assert await site.client().wckeys() is None
    site.says("sacctmgr", err=RECORDING.complaint("no slurmdbd: associations"), code=1)
    with pytest.raises(SlurmUnavailable):
        await site.client().wckeys()


async def test_accounting_that_is_down_is_dont_know(site: Site) -> None:
    site.says("sacctmgr", err=RECORDING.complaint("no slurmdbd: associations"), code=1)
    with pytest.raises(SlurmUnavailable):
        await site.client().associations()
    site.says("sacct", err=RECORDING.complaint("no slurmdbd: end"), code=1)
    with pytest.raises(SlurmUnavailable):
        await site.client().job_ends([7])


async def test_job_end_comes_from_accounting(site: Site) -> None:
    number = RECORDING.jobs["failed"]
    site.says("sacct", RECORDING.out("end of failed"))
    client = site.client()
    ends = await client.job_ends([number, 999_999])
    assert list(ends) == [number]
    assert (ends[number].state, ends[number].exit_code) == (JobState.FAILED, 3)
    assert f"--jobs={number},999999" in site.argv("sacct")
    assert await client.job_ends([]) == {}
    assert client.calls["sacct"] == 1, "of no job there is nothing to ask"


async def test_job_end_comes_from_the_queue_where_there_is_no_accounting(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.slurm.queries.new_mark", lambda: RECORDING.mark)
    site.says("scontrol", CONFIG.replace("accounting_storage/slurmdbd", "accounting_storage/none"))
    site.says("sacct", err="Slurm accounting storage is disabled", code=1)
    site.says("squeue", RECORDING.out("jobs"))
    client = site.client()
    failed = RECORDING.jobs["failed"]
    ends = await client.job_ends([failed, RECORDING.jobs["trains"], 999_999])
    assert list(ends) == [failed]
    assert (ends[failed].state, ends[failed].exit_code) == (JobState.FAILED, 3)


async def test_steps_of_many_jobs_are_one_call_and_of_none_no_call(site: Site) -> None:
    client = site.client()
    assert await client.with_steps([]) == set()
    site.says("squeue", RECORDING.out("steps"))
    jobs = [RECORDING.jobs[name] for name in ("trains", "without a step")]
    assert jobs[0] in await client.with_steps(jobs)
    assert client.calls == {"squeue": 1}
    site.says("squeue", err=RECORDING.complaint("no slurmctld: jobs"), code=1)
    with pytest.raises(SlurmUnavailable):
        await client.with_steps(jobs)


# --- through the door ---


async def test_submit_sends_every_value_and_the_secret_only_in_the_environment(site: Site) -> None:
    submitted = await site.client().submit("alice", SPEC, {"DSP_SECRET": "hush"})
    assert (submitted.job_id, submitted.placed, submitted.node) == (42, True, "node001")
    assert site.argv("door") == []
    assert "DSP_SECRET" not in site.env("door")
    assert site.request() == {
        "verb": "submit",
        "user": "alice",
        "session": "abcdefghijkl",
        "title": None,
        "partition": "sxm2",
        "account": None,
        "qos": None,
        "reservation": None,
        "gpu_type": None,
        "shards": 0,
        "mps_percent": 0,
        "constraint": None,
        "licenses": None,
        "wckey": None,
        "exclusive": False,
        "nodes": 1,
        "gpus": 2,
        "cpus": 16,
        "memory_mib": 96_000,
        "walltime_s": 28_800,
        "immediate": True,
        "exclude": None,
        "after": None,
        "env": {"DSP_SECRET": "hush"},
        "deadline_s": 5,
    }


@pytest.mark.parametrize(("inactive_limit", "immediate"), [("120 sec", True), ("0 sec", False)])
async def test_sessions_are_not_placed_where_slurm_would_end_them_or_the_site_says_no(
    site: Site, inactive_limit: str, immediate: bool
) -> None:
    site.says(
        "scontrol", CONFIG.replace("InactiveLimit           = 0 sec", f"InactiveLimit           = {inactive_limit}")
    )
    await site.client(immediate=immediate).submit("alice", SPEC, {})
    assert site.request()["immediate"] is False


async def test_configuration_is_read_once_for_many_submissions(site: Site) -> None:
    client = site.client()
    for _ in range(3):
        await client.submit("alice", SPEC, {})
    assert site.calls("scontrol") == 1


async def test_refusal_by_slurm_names_the_field(site: Site) -> None:
    site.refuses("slurm", RECORDING.complaint("refused: unknown account"))
    with pytest.raises(SlurmRefused) as caught:
        await site.client().submit("alice", SPEC, {})
    assert [problem.field for problem in caught.value.fields] == ["resources.account"]
    assert site.calls("squeue") == 0, "a refusal made no job: nothing to look for"


async def test_refusal_by_the_door_names_the_field(site: Site) -> None:
    site.refuses("invalid", "The partition has characters that are not allowed there.", "partition")
    with pytest.raises(SlurmRefused) as caught:
        await site.client().submit("alice", SPEC, {})
    assert [problem.field for problem in caught.value.fields] == ["resources.partition"]


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("home", SlurmRefused, "Your home cannot be used: Disk quota exceeded"),
        ("unknown_user", SlurmRefused, "Disk quota exceeded"),
        ("configuration", SlurmUnavailable, "The portal cannot act for users now"),
        ("internal", SlurmUnavailable, "The portal cannot act for users now"),
    ],
)
async def test_other_refusals_say_whose_turn_it_is(site: Site, code: str, kind: type[PortalError], words: str) -> None:
    site.refuses(code, "Disk quota exceeded")
    site.says("squeue", "")
    with pytest.raises(kind, match=words) as caught:
        await site.client().submit("alice", SPEC, {})
    assert caught.value.hint


async def test_lost_answer_is_looked_for_by_name_before_anything_is_said(site: Site) -> None:
    site.refuses("timeout", "sbatch did not answer in time.")
    site.says("squeue", RECORDING.out("find"))
    submitted = await site.client().submit("alice", SPEC, {})
    assert (submitted.job_id, submitted.placed, submitted.node) == (RECORDING.jobs["trains"], True, "node001")
    assert "--name=dsp-abcdefghijkl" in site.argv("squeue")
    assert "--user=alice" in site.argv("squeue")


async def test_start_that_the_door_gave_up_is_not_taken_for_one_that_runs(site: Site) -> None:
    site.refuses("aborted", "srun did not answer in time.")
    site.says("squeue", RECORDING.out("find"))
    with pytest.raises(SlurmUnavailable, match="srun did not answer in time"):
        await site.client().submit("alice", SPEC, {})


@pytest.mark.parametrize("queue", [("", 0), ("slurm_load_jobs error: Unable to contact slurm controller", 1)])
async def test_lost_answer_without_a_job_is_dont_know(site: Site, queue: tuple[str, int]) -> None:
    site.refuses("timeout", "sbatch did not answer in time.")
    site.says("squeue", err=queue[0], code=queue[1])
    with pytest.raises(SlurmUnavailable, match="sbatch did not answer in time"):
        await site.client().submit("alice", SPEC, {})


@pytest.mark.parametrize("out", ["", "no json", "[]", "{}", '{"ok": false}', "null"])
async def test_door_that_does_not_open_is_told(site: Site, out: str) -> None:
    site.says("door", out, err="sudo: a password is required", code=1)
    site.says("squeue", "")
    with pytest.raises(SlurmUnavailable, match="a password is required"):
        await site.client().submit("alice", SPEC, {})


@pytest.mark.parametrize(
    ("printed", "says"),
    [
        ("sudo: PAM account management error: no\nsudo: a password is required", "used: sudo: PAM account management"),
        ("Traceback (most recent call last):\n  File x\nOSError: no door", "used: OSError: no door"),
    ],
)
async def test_door_that_does_not_open_is_told_with_the_cause(site: Site, printed: str, says: str) -> None:
    site.says("door", "", err=printed, code=1)
    site.says("squeue", "")
    with pytest.raises(SlurmUnavailable, match=says):
        await site.client().submit("alice", SPEC, {})


async def test_cancel_of_what_is_gone_is_no_error(site: Site) -> None:
    site.refuses("slurm", "scancel: error: Kill job error on job id 7: Invalid job id specified")
    await site.client().cancel("alice", 7)
    assert site.request() == {"verb": "cancel", "user": "alice", "job_id": 7, "deadline_s": 5}


async def test_cancel_that_slurm_refuses_or_does_not_hear_is_told(site: Site) -> None:
    site.refuses("slurm", RECORDING.complaint("refused: cancel another's job"))
    with pytest.raises(SlurmRefused):
        await site.client().cancel("alice", 7)
    site.refuses("slurm", RECORDING.complaint("no slurmctld: submit"))
    with pytest.raises(SlurmUnavailable):
        await site.client().cancel("alice", 7)


async def test_log_comes_in_pieces_of_a_bounded_size(site: Site) -> None:
    site.says("door", json.dumps({"ok": True, "text": "héllo", "offset": 3, "next_offset": 9, "size": 20}))
    piece = await site.client().read_log("alice", "abcdefghijkl", 3, 1 << 40)
    assert (piece.text, piece.offset, piece.next_offset, piece.size) == ("héllo", 3, 9, 20)
    assert site.request()["limit"] == 1 << 20


async def test_calls_are_counted_by_what_they_ask(site: Site) -> None:
    client = site.client()
    await client.submit("alice", SPEC, {})
    await client.cancel("alice", 7)
    assert client.calls == {"scontrol": 1, "door submit": 1, "door cancel": 1}


async def test_hanging_accounting_is_left_alone_and_the_controller_is_not(site: Site) -> None:
    client = site.client(timeout_s=0.2)
    site.says("sacctmgr", before="sleep 60")
    site.says("squeue", "")
    for _ in range(5):
        with pytest.raises(SlurmUnavailable):
            await client.clusters()
    assert site.calls("sacctmgr") == 3
    assert await client.jobs() == []


async def test_nobody_waits_for_a_door_while_the_controller_hangs(site: Site) -> None:
    client = site.client(timeout_s=0.2)
    site.says("squeue", before="sleep 60")
    for _ in range(3):
        with pytest.raises(SlurmUnavailable):
            await client.jobs()
    with pytest.raises(SlurmUnavailable, match="tried again in"):
        await client.cancel("alice", 7)
    assert site.calls("door") == 0
