"""Xid errors, slowed clocks and the processes that hold a GPU's memory, from a fake NVML."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agent.job import gpu_processes
from agent.job.gpus import Gpus
from agent.job.usage import Cgroup, Meter, Processes
from tests.unit.agent.job.nvml import MIB, NO_INSTANCE, Nvml, Troubled


def opened(monkeypatch: pytest.MonkeyPatch, nvml: Nvml, visible: str = "0") -> Gpus:
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    gpus = Gpus(visible, every_s=None, now=nvml.clock)
    assert gpus.read()
    return gpus


def test_xid_errors_are_kept_from_the_start_the_last_few(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Troubled()
    gpus = opened(monkeypatch, nvml)
    assert gpus.details(())[0]["xids"] == []
    nvml.xids = [(13, NO_INSTANCE), (79, NO_INSTANCE)]
    assert gpus.details(())[0]["xids"] == [13, 79]
    nvml.xids = [(xid, NO_INSTANCE) for xid in range(100, 107)]
    assert gpus.details(())[0]["xids"] == [79, *range(100, 107)]


def test_time_with_slowed_clocks_is_measured_and_a_power_cap_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Troubled()
    gpus = opened(monkeypatch, nvml)
    gpus.details(())
    for reasons in (0x0, 0x4, 0x20, 0x24):
        nvml.reasons = reasons
        nvml.now += 5
        gpus.look()
    figures = gpus.details(())[0]
    assert (figures["slowed_percent"], figures["slowed_by"]) == (50.0, "heat")
    assert gpus.details(())[0]["slowed_percent"] is None


def test_only_the_jobs_own_processes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Troubled()
    gpus = opened(monkeypatch, nvml)
    nvml.running = [(os.getpid(), 700 * MIB), (os.getppid(), 9000 * MIB), (1, None)]
    rows = gpus.details({os.getpid(), 1})[0]["processes"]
    assert [(row["pid"], row["memory_mib"]) for row in rows] == [(os.getpid(), 700), (1, None)]
    assert rows[0]["name"]


def test_a_report_has_the_figures_and_the_processes_of_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ours(Processes):
        def pids(self) -> list[int]:
            return [os.getpid()]

    nvml = Troubled()
    nvml.running = [(os.getpid(), 700 * MIB), (1, 9000 * MIB)]
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    meter = Meter(Cgroup(None, None, 1), Gpus("0", every_s=None, now=nvml.clock), Ours())
    (gpu,) = meter.read()["gpus"]
    assert gpu["utilization"] is not None
    assert [(process["pid"], process["memory_mib"]) for process in gpu["processes"]] == [(os.getpid(), 700)]


def test_a_driver_that_knows_none_of_it_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus = opened(monkeypatch, Nvml("full"))
    assert gpus.details(()) == [{"xids": [], "slowed_percent": None, "slowed_by": None, "processes": []}]


def test_a_slice_tells_its_own_errors_and_its_gpus_and_no_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Troubled(mig=("MIG-0", "MIG-1"))
    gpus = opened(monkeypatch, nvml, "MIG-1")
    nvml.xids = [(13, 0), (94, 1), (79, NO_INSTANCE)]  # the first is its neighbour's
    figures = gpus.details(())[0]
    assert (figures["xids"], figures["slowed_percent"]) == ([94, 79], None)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/opt/env/bin/python\0-m\0ipykernel_launcher\0-f\0/tmp/kernel-1.json\0", "Jupyter kernel"),
        ("/opt/env/bin/python\0-u\0/home/alice/train.py\0--lr\0", "python train.py"),
        ("./a.out\0", "a.out"),
        ("", ""),
    ],
)
def test_a_process_is_named_as_its_owner_knows_it(tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "cmdline").write_text(command)
    assert gpu_processes.name_of(7, tmp_path) == name
    assert gpu_processes.name_of(8, tmp_path) == ""
