"""What a batch job uses on a node: all of its processes there and no others, reported until nobody reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from agent.job.usage import Cgroup
from agent.job.watch_use import JobProcesses

NONE = Cgroup(None, None, 1)


def process(proc: Path, pid: int, *environment: str) -> None:
    (proc / str(pid)).mkdir(parents=True)
    (proc / str(pid) / "environ").write_bytes(b"\0".join(name.encode() for name in environment) + b"\0")


def test_processes_of_the_job_on_this_node_count_where_there_is_no_cgroup(tmp_path: Path) -> None:
    process(tmp_path, 10, "SLURM_JOB_ID=7", "SLURMD_NODENAME=node001")
    process(tmp_path, 11, "SLURM_JOB_ID=7", "SLURMD_NODENAME=node002")
    process(tmp_path, 12, "SLURM_JOB_ID=77", "SLURMD_NODENAME=node001")
    process(tmp_path, 13, "X=SLURM_JOB_ID=7", "SLURMD_NODENAME=node001")
    (tmp_path / "14").mkdir()  # somebody else's: its environment cannot be read
    (tmp_path / "meminfo").touch()
    processes = JobProcesses("7", "node001", NONE, tmp_path)
    assert list(processes.pids()) == [10]
    process(tmp_path, 20, "SLURM_JOB_ID=7", "SLURMD_NODENAME=node001")
    assert sorted(processes.pids()) == [10, 20]


def test_processes_of_the_jobs_cgroup_count_where_there_is_one(tmp_path: Path) -> None:
    for step, pids in (("step_batch", "10\n11\n"), ("step_0/task_0", "12\n"), ("step_1", f"{os.getpid()}\n")):
        folder = tmp_path / "job_7" / step
        folder.mkdir(parents=True)
        (folder / "cgroup.procs").write_text(pids)
    processes = JobProcesses("7", "node001", Cgroup(tmp_path / "job_7", None, 1), tmp_path)
    assert sorted(processes.pids()) == [10, 11, 12]


def test_lines_come_until_the_reader_goes() -> None:
    environment = {**os.environ, "SLURM_JOB_ID": "7", "SLURMD_NODENAME": "node001", "CUDA_VISIBLE_DEVICES": ""}
    code = "import sys; from agent.job.watch_use import watch; sys.exit(watch(['0.05', '60']))"
    watch = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    assert watch.stdout
    for _ in range(2):
        data = json.loads(watch.stdout.readline())
        assert (data["node"], data["gpus"]) == ("node001", [])
        assert data["cpu_percent"] >= 0
        assert data["memory_mib"] >= 0
    watch.stdout.close()
    assert watch.wait(timeout=10) == 0


def test_it_ends_when_its_time_is_up() -> None:
    environment = {**os.environ, "SLURM_JOB_ID": "7", "SLURMD_NODENAME": "node001"}
    code = "from agent.job.watch_use import watch; watch(['0.05', '0.3'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, timeout=20, check=True)
    assert done.stdout.count(b"\n") >= 1
