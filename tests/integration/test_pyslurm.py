"""pyslurm on a Slurm that it fits, the cluster real and the readings of this moment: a cluster in a folder, which
./dev pyslurm brings in, or the demo site where the machine's own Slurm fits (./dev test --client pyslurm integration).

Where that is not there, what a real one said is read in tests/unit/slurm/test_library_rows.py, in every run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.person import Person
from tests.unit.slurm.recordings import Recording
from tests.unit.slurm.snapshots_by_pyslurm import by_commands, by_pyslurm

CLONE = Path(__file__).resolve().parents[2]
ROOT = CLONE / ".cache" / "pyslurm"
#: Run inside of a site: jobs of one moment by each client. What pyslurm does not say of a job squeue is
#: asked once, so its second reading is the one that counts.
BOTH = """
import asyncio, json
from portal.settings import load
from portal.slurm.commands import SlurmCommands
from portal.slurm.library.client import SlurmLibrary

async def snapshot(client):
    jobs = sorted(await client.jobs(), key=lambda job: job.id)
    return [repr(job) for job in jobs]

async def main():
    settings = load().slurm.model_copy(update={"readings_per_minute": 1e9})
    commands, library = SlurmCommands(settings), SlurmLibrary(settings)
    await library.jobs()
    before, asked = None, library.calls["squeue"]
    while before != (after := await snapshot(commands)):
        before, by_pyslurm = after, await snapshot(library)
    asked = library.calls["squeue"] - asked
    print(json.dumps({"commands": after, "pyslurm": by_pyslurm, "asked": asked, "reads_by": library.reads_by}))
    await library.close()

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(not ROOT.exists(), reason="./dev pyslurm was not run: pyslurm was read from recorded objects only")
def test_snapshots_of_a_real_cluster_are_equal_field_by_field(tmp_path: Path) -> None:
    file = tmp_path / "readings.json"
    recorder = CLONE / "tests" / "recorded" / "record.py"
    subprocess.run([sys.executable, str(recorder), str(ROOT), str(file)], check=True, timeout=600)
    recording = Recording("now", **json.loads(file.read_text()))
    assert by_pyslurm(recording)[0] == by_commands(recording)
    assert "error" in json.loads(recording.pyslurm["no slurmctld"][-1]), "a slurmctld that is gone is no empty queue"


@pytest.mark.skipif(
    os.environ.get("DSP_DEMO_CLIENT") != "pyslurm", reason="the site reads by the commands: ./dev test --client pyslurm"
)
def test_snapshots_of_the_site_are_equal_field_by_field(site: DemoSite, person: Callable[[str], Person]) -> None:
    person("alice").ready(gpus=2)
    person("bob").ready(gpus=0)
    jobs = (
        ("--gpus=1", "--wrap=sleep 300"),
        ("--gres=gpu:v100:1", "--nodes=2", "--comment=two | of them", "--wrap=sleep 300"),
        ("--array=0-5%2", "--job-name=an array", "--wrap=sleep 300"),
        ("--hold", "--mem=2G", "--cpus-per-task=3", "--time=90", "--wrap=true"),
        ("--begin=now+1hour", "--partition=debug", "--account=physics", "--wrap=true"),
        ("--gpus-per-node=4", "--nodes=4", "--wrap=true"),
    )
    ended = (("--wrap=exit 3",), ("--wrap=exit 137",), ("--wrap=kill -9 $$",), ("--wrap=true",))

    def submit(*options: str) -> str:
        return site.run("sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", *options, user="alice").strip()

    # Those that are to end come first: the last of the others waits for every node.
    over = {submit(*value) for value in ended}
    site.wait_for(lambda: over <= {job["id"] for job in site.jobs("--states=CD,F")}, "jobs to have ended")
    for job in jobs:
        submit(*job)
    printed = site.run(str(INSIDE / "src/.venv/bin/python"), "-c", BOTH, user="portal")
    data = json.loads(printed.splitlines()[-1])  # events of the log stand before it
    assert data["pyslurm"] == data["commands"]
    assert data["reads_by"].startswith("pyslurm 2")
    assert data["asked"] == 0
    assert len(data["pyslurm"]) >= len(jobs) + len(ended) + 2
