"""The client by pyslurm: a stand-in for pyslurm in the real child, which says what a real one was recorded to say, or
dies, hangs, does not fit. The commands beside it are pretended and say what real ones did, at the same moment."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from portal.check import cluster as check
from portal.errors import SlurmUnavailable
from portal.settings import Settings, Slurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.jobs import Job, JobState
from portal.slurm.library import child, child_process
from portal.slurm.library.client import SlurmLibrary, series, slurm_client
from tests.unit.slurm.recordings import Recording

STANDIN = Path(__file__).resolve().parents[2] / "standins" / "pyslurm.py"
RECORDING = Recording.of("25.11")
#: What answers in place of a Python with pyslurm: this one, with the stand-in before everything else.
PYTHON = """\
#!{python}
import runpy, sys
sys.path.insert(0, {folder!r})
runpy.run_path(sys.argv[2], run_name="__main__")
"""
#: squeue's mark is made anew for each reading; the pretended one puts it where the recording has its own.
SQUEUE = """\
#!{python} -S
import re, sys
open({folder!r} + "/calls", "a").write("squeue\\n")
if sys.argv[1] == "--version":
    print(open({folder!r} + "/installed").read())
elif open({folder!r} + "/trouble").read():
    sys.exit(open({folder!r} + "/trouble").read())
else:
    mark = re.search("\\x1e[0-9a-f]+", sys.argv[-1])[0]
    sys.stdout.write(open({folder!r} + "/queue").read().replace({mark!r}, mark))
"""
SCONTROL = (
    "#!/bin/sh\necho scontrol >> {folder}/calls\ncat {folder}/$(test $1 = show && echo config || echo partitions)\n"
)


class Site:
    """A folder with pyslurm's stand-in and Slurm's programs, all of one recorded cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copy(STANDIN, folder)
        self._program("python", PYTHON)
        self._program("squeue", SQUEUE)
        self._program("scontrol", SCONTROL)
        self.put("installed", "slurm-wlm 25.11.2")
        self.put("trouble", "")
        self.put("queue", RECORDING.out("jobs"))
        self.put("config", RECORDING.out("config"))
        self.put("partitions", RECORDING.out("partitions"))
        self.jobs = [json.loads(line) for line in RECORDING.lines("jobs")]
        self.write()

    def _program(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text.format(python=sys.executable, folder=str(self.folder), mark=RECORDING.mark))
        path.chmod(0o755)

    def put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def write(self) -> None:
        """Let pyslurm say the jobs there are now; accounts of the recorded machine are none here."""
        jobs = [[*row[:-4], os.getuid(), *row[-3:]] for row in self.jobs]
        self.put("objects.json", json.dumps({"names": {"jobs": child.JOB}, "jobs": jobs}))

    def feels(self, mood: str) -> None:
        self.put("mood", mood)

    def calls(self) -> list[str]:
        path = self.folder / "calls"
        return path.read_text().split() if path.exists() else []

    def settings(self, **more: Any) -> Slurm:
        usual = {"bin_dir": self.folder, "conf": "/x/slurm.conf", "timeout_s": 20, "client": "pyslurm"}
        usual["readings_per_minute"] = 60_000
        return Slurm(**{**usual, "pyslurm_python": self.folder / "python", **more})


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
async def client(site: Site) -> Any:
    client = SlurmLibrary(site.settings())
    yield client
    await client.close()


def by_name(jobs: list[Job]) -> dict[str, Job]:
    return {job.name: job for job in jobs}


async def test_queue_is_that_of_the_commands(client: SlurmLibrary, site: Site) -> None:
    commands = SlurmCommands(site.settings())
    assert len(await client.jobs()) == len(RECORDING.jobs), "squeue was asked, for what pyslurm does not say"
    asked = site.calls().count("squeue")
    ours, theirs = by_name(await client.jobs()), by_name(await commands.jobs())
    assert site.calls().count("squeue") == asked + 1, "once is enough: the second reading was by pyslurm alone"
    assert ours["trains"].user != "alice", "it was read by pyslurm, where her account is another"
    strangers = {"user": ""}
    assert {name: {**vars_of(job), **strangers} for name, job in ours.items()} == {
        name: {**vars_of(job), **strangers} for name, job in theirs.items()
    }
    assert client.reads_by == "pyslurm 25.11.2"


def vars_of(job: Job) -> dict[str, Any]:
    return {name: getattr(job, name) for name in job.__slots__}


async def test_unchanged_jobs_are_the_same_values(client: SlurmLibrary) -> None:
    await client.jobs()
    first, second = await client.jobs(), await client.jobs()
    assert all(job is other for job, other in zip(first, second, strict=True))


async def test_child_has_the_smallest_environment_and_the_slurm_conf(
    client: SlurmLibrary, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTAL_SECRET", "no")
    monkeypatch.setenv("SLURM_JWT", "no")
    await client.jobs()
    conf, env = (site.folder / "initialised").read_text().split("\n")
    assert conf == "/x/slurm.conf"
    assert set(json.loads(env)) - {"LC_CTYPE"} == {
        *("PATH", "LC_ALL", "TZ", "SLURM_TIME_FORMAT", "SLURM_BITSTR_LEN", "PYSLURM_DISABLE_AUTO_INIT")
    }


async def test_odd_job_hides_no_other(client: SlurmLibrary, site: Site) -> None:
    trains = next(row for row in site.jobs if "trains" in row)
    trains[child.JOB.index("name")] = "not \udcff UTF-8"
    broken = next(row for row in site.jobs if "failed" in row)
    broken[-3] = {"cpu": "many"}
    site.jobs.remove(next(row for row in site.jobs if "by job" in row))
    site.write()
    await client.jobs()
    jobs = by_name(await client.jobs())
    assert "not � UTF-8" in jobs
    assert jobs["failed"].state is JobState.FAILED


async def test_child_that_dies_is_replaced_and_the_commands_answer_meanwhile(client: SlurmLibrary, site: Site) -> None:
    now = 1000.0
    client.child.clock = lambda: now
    await client.jobs()
    first = client.child.pid
    site.feels("dies")
    assert by_name(await client.jobs())["trains"].user == "alice", "by squeue"
    assert client.child.trouble == "it was ended by signal 11"
    assert client.reads_by == "Slurm's commands, since pyslurm is away: it was ended by signal 11"
    site.feels("")
    assert by_name(await client.jobs())["trains"].user == "alice"
    assert client.child.starts == 1, "not at once"
    now += child_process.FIRST_PAUSE_S
    await client.jobs()
    assert client.child.starts == 2
    assert client.child.pid not in (None, first)
    assert client.child.trouble is None
    assert client.reads_by == "pyslurm 25.11.2"


async def test_pause_doubles_up_to_a_limit_and_begins_anew_after_an_answer(client: SlurmLibrary, site: Site) -> None:
    now, pauses = 1000.0, []
    client.child.clock = lambda: now
    site.feels("another pyslurm")
    for _ in range(8):
        await client.jobs()
        pauses.append(client.child.not_before - now)
        now = client.child.not_before
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300]
    assert "has no attribute 'load'" in (client.child.trouble or "")
    site.feels("")
    await client.jobs()
    site.feels("dies")
    await client.jobs()
    assert client.child.not_before - now == child_process.FIRST_PAUSE_S


async def test_child_that_is_killed_from_outside_is_replaced(client: SlurmLibrary) -> None:
    await client.jobs()
    assert client.child.pid is not None
    os.kill(client.child.pid, signal.SIGKILL)
    assert len(await client.jobs()) == len(RECORDING.jobs)
    assert client.child.trouble == "it was ended by signal 9"


async def test_child_that_hangs_is_killed_at_the_deadline_and_the_loop_goes_on(
    client: SlurmLibrary, site: Site
) -> None:
    await client.jobs()
    pid = client.child.pid
    assert pid is not None
    site.feels("hangs")
    client.child.timeout_s = 0.5
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.02)
            ticks += 1

    beside = asyncio.create_task(tick())
    assert by_name(await client.jobs())["trains"].user == "alice"
    beside.cancel()
    assert ticks >= 5
    assert client.child.trouble == "it did not answer within 0.5 s"
    assert not Path(f"/proc/{pid}").exists()


async def test_slurmctld_that_does_not_answer_is_said_and_is_no_empty_queue(client: SlurmLibrary, site: Site) -> None:
    site.feels("no slurmctld")
    with pytest.raises(SlurmUnavailable, match="Unable to contact slurm controller"):
        await client.jobs()
    assert client.child.trouble is None, "it is none of pyslurm's"
    pid = client.child.pid
    site.feels("")
    assert len(await client.jobs()) == len(RECORDING.jobs)
    assert client.child.pid == pid


async def test_slurmctld_that_answers_neither_leaves_pyslurm_without_blame(client: SlurmLibrary, site: Site) -> None:
    """Its library retries for longer than a reading may take: a child that hangs then is not at fault."""
    await client.jobs()
    site.feels("hangs")
    site.put("trouble", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)")
    client.child.timeout_s = 0.5
    for _ in range(4):
        with pytest.raises(SlurmUnavailable):
            await client.jobs()
    assert client.child.starts == 1, "the commands ask until it answers"
    assert client.child.trouble is None
    site.feels("")
    site.put("trouble", "")
    client.child.timeout_s = 20  # another child has to come up
    assert by_name(await client.jobs())["trains"].user == "alice", "by squeue"
    await client.jobs()
    assert client.child.starts == 2, "at once"
    assert client.reads_by == "pyslurm 25.11.2"


async def test_slurm_conf_that_ends_the_child_leaves_the_commands(client: SlurmLibrary, site: Site) -> None:
    site.feels("bad slurm.conf")
    assert len(await client.jobs()) == len(RECORDING.jobs)
    assert client.child.trouble == "it exited with status 1"


@pytest.mark.parametrize(
    ("file", "says", "why"),
    [
        ("version", "24.11.0", "pyslurm 24.11.0 is made for Slurm 24.11, but Slurm 25.11 is installed here"),
        ("installed", "slurm-wlm 22.05.8", "made for Slurm 25.11, but Slurm 22.05 is installed here"),
        ("config", "SLURM_VERSION = 25.05.3\n", "made for Slurm 25.11, but slurmctld is version 25.05"),
        ("config", "SLURM_VERSION = 25.11.2\nAccountingStorageTRES = cpu,mem\n", "without gres/gpu in Accounting"),
        ("mood", "no library", "it cannot be imported: libslurmfull.so: cannot open shared object file"),
    ],
)
async def test_what_does_not_fit_is_not_used_and_said_why(
    client: SlurmLibrary, site: Site, file: str, says: str, why: str
) -> None:
    site.put(file, says)
    assert by_name(await client.jobs())["trains"].user == "alice"
    assert why in (client.child.trouble or "")
    assert not (site.folder / "initialised").exists(), "nothing of Slurm was touched"
    assert client.child.pid is None


async def test_slurmctld_of_another_series_ends_the_child(client: SlurmLibrary, site: Site) -> None:
    await client.jobs()
    site.put("config", "SLURM_VERSION = 26.05.1\n")
    await client.version()
    assert client.child.pid is None
    await client.jobs()
    assert "slurmctld is version 26.05" in (client.child.trouble or "")


async def test_answer_has_bounds(client: SlurmLibrary, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "LONGEST_ANSWER", 1000)
    assert len(await client.jobs()) == len(RECORDING.jobs)
    assert "sent more than" in (client.child.trouble or "")
    client.child.not_before = 0
    site.jobs[0][child.JOB.index("comment")] = "x" * (child_process.LONGEST_LINE + 1)
    site.write()
    assert len(await client.jobs()) == len(RECORDING.jobs)
    assert "sent a line of more than 1 MiB" in (client.child.trouble or "")


async def test_cancelled_reading_leaves_no_half_answer_behind(client: SlurmLibrary, site: Site) -> None:
    await client.jobs()
    site.feels("hangs")
    reading = asyncio.create_task(client.jobs())
    await asyncio.sleep(0.1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    site.feels("")
    assert client.child.pid is None
    assert len(await client.jobs()) == len(RECORDING.jobs)


async def test_setting_chooses(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(slurm_client(site.settings(client="commands"))) is SlurmCommands
    assert type(slurm_client(site.settings(client="pyslurm"))) is SlurmLibrary
    assert type(slurm_client(site.settings(client="auto"))) is SlurmLibrary
    monkeypatch.setattr("portal.slurm.library.client.find_spec", lambda name: None)
    assert type(slurm_client(site.settings(client="auto", pyslurm_python=None))) is SlurmCommands
    assert type(slurm_client(site.settings(client="pyslurm", pyslurm_python=None))) is SlurmLibrary
    assert series("slurm-wlm 25.11.2") == "25.11"


async def test_check_says_what_reads_and_why(site: Site) -> None:
    async def said(**more: Any) -> tuple[str, str]:
        (finding,) = await check.reads(Settings(slurm=site.settings(**more)))
        return finding.mark.name, finding.text

    assert await said() == ("GOOD", "the queue is read by pyslurm 25.11.2")
    chosen = "the queue is read by Slurm's commands: as set in slurm.client"
    assert await said(client="commands") == ("GOOD", chosen)
    site.put("version", "24.11.0")
    why = "Slurm's commands, since pyslurm is away: pyslurm 24.11.0 is made for Slurm 24.11"
    mark, text = await said(client="auto")
    assert mark == "WARNING"
    assert why in text
    assert (await said())[0] == "BAD"


def test_account_that_the_system_cannot_name_for_a_while_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    users = child.Users()
    assert users.name(0) == "root"
    monkeypatch.setattr(child, "NAMES_LAST_S", 0)
    users.until = 0.0

    def away(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(child.pwd, "getpwuid", away)
    assert [users.name(0), users.name(0), users.name(4711)] == ["root", "root", "4711"]
