"""Use of CPU and memory from pretended cgroup and /proc trees of both kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.job.gpus import Gpus
from agent.job.usage import Cgroup, Meter

GIB = 1024**3


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)


@pytest.fixture
def version_2(tmp_path: Path) -> Cgroup:
    job = tmp_path / "cgroup/system.slice/node1_slurmstepd.scope/job_77"
    write(
        job,
        memory__current=str(5 * GIB),
        memory__stat=f"anon {3 * GIB}\ninactive_file {2 * GIB}\n",
        memory__max=str(48 * GIB),
        memory__events="low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n",
        cpu__stat="usage_usec 2500000\nuser_usec 1\n",
    )
    proc = tmp_path / "proc"
    write(
        proc / "self",
        cgroup="0::/system.slice/node1_slurmstepd.scope/job_77/step_0/user/task_0\n",
        mountinfo=f"30 25 0:26 / {tmp_path}/cgroup rw,nosuid shared:4 - cgroup2 cgroup rw,nsdelegate\n",
    )
    return Cgroup.of_job("77", proc)


@pytest.fixture
def version_1(tmp_path: Path) -> Cgroup:
    job = tmp_path / "memory/slurm/uid_5001/job_77"
    write(
        job,
        memory__usage_in_bytes=str(5 * GIB),
        memory__stat=f"cache 1\ntotal_inactive_file {2 * GIB}\n",
        memory__limit_in_bytes=str(48 * GIB),
    )
    write(job / "step_0", memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    write(tmp_path / "cpuacct/slurm/uid_5001/job_77", cpuacct__usage="2500000000\n")
    proc = tmp_path / "proc"
    write(
        proc / "self",
        cgroup="5:memory:/slurm/uid_5001/job_77/step_0/task_0\n4:cpu,cpuacct:/slurm/uid_5001/job_77/step_0\n1:name=x:/\n",
        mountinfo=(
            f"31 25 0:27 / {tmp_path}/memory rw - cgroup cgroup rw,memory\n"
            f"32 25 0:28 / {tmp_path}/cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        ),
    )
    return Cgroup.of_job("77", proc)


@pytest.mark.parametrize("version", ["version_1", "version_2"])
def test_job_is_measured_by_its_own_cgroup(version: str, request: pytest.FixtureRequest) -> None:
    cgroup: Cgroup = request.getfixturevalue(version)
    assert cgroup.memory_bytes() == 3 * GIB
    assert cgroup.limit_bytes() == 48 * GIB
    assert cgroup.cpu_seconds() == 2.5
    assert cgroup.oom_kills() == 2
    assert Meter(cgroup, Gpus("")).read() == {"cpu_percent": 0.0, "memory_mib": 3072, "gpus": []}


def test_cgroup_of_somebody_else_is_not_taken(tmp_path: Path) -> None:
    write(
        tmp_path / "self", cgroup="0::/system.slice/ssh.service\n", mountinfo="30 25 0:26 / /c rw - cgroup2 cgroup rw\n"
    )
    cgroup = Cgroup.of_job("77", tmp_path)
    assert cgroup.memory is None
    assert cgroup.cpu is None
    assert cgroup.oom_kills() == 0
    assert cgroup.limit_bytes() is None


def test_processes_are_measured_where_there_is_no_cgroup(tmp_path: Path) -> None:
    reading = Meter(Cgroup.of_job("77", tmp_path), Gpus("")).read()
    assert reading["memory_mib"] > 1
    assert reading["cpu_percent"] >= 0


def test_unlimited_memory_is_no_limit(tmp_path: Path) -> None:
    write(tmp_path, memory__max="max")
    assert Cgroup(tmp_path, None, 2).limit_bytes() is None
