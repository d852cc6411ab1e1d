"""The meter of a batch job's GPUs: totals from the first to the last second, from what a real H100 reported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent.job.gpus import Gpus
from agent.job.meter import Totals, argv_of, ride
from tests.unit.agent.job.nvml import NO_INSTANCE, Nvml, Troubled
from tests.unit.agent.job.test_gpus import counted


def totals(monkeypatch: pytest.MonkeyPatch, nvml: Nvml) -> tuple[Totals, Gpus]:
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    gpus = Gpus("0", every_s=None, now=nvml.clock)
    return Totals(gpus, nvml.clock), gpus


def test_totals_grow_from_report_to_report_as_the_counter_does(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty")
    meter, gpus = totals(monkeypatch, nvml)
    counted_mj = nvml.nvmlDeviceGetTotalEnergyConsumption("0")
    for _ in range(3):
        for _ in range(10):
            nvml.now += 1
            gpus.look()
        (data,) = meter.read()
    assert data["known_s"] == pytest.approx(30)
    assert 100 * data["used_s"] / data["known_s"] == pytest.approx(29.4, abs=3)  # nvidia-smi dmon's mean
    assert data["peak_percent"] > 95
    joules = (nvml.nvmlDeviceGetTotalEnergyConsumption("0") - counted_mj) / 1000
    assert data["energy_j"] == pytest.approx(joules, rel=0.03)
    assert data["memory_peak_mib"] <= data["memory_mib"]


def test_totals_have_the_counters_means_and_peaks(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty")
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    gpus = Gpus("0", every_s=None, counted_s=0.0, now=nvml.clock)
    meter = Totals(gpus, nvml.clock)
    parts = []
    for seconds in (20, 10):
        began = nvml.now
        for _ in range(seconds):
            nvml.now += 1
            gpus.look()
        (data,) = meter.read()
        parts.append(counted("duty", "sm", began, nvml.now))
    assert data["counted_s"] == pytest.approx(30)
    assert data["sm_s"] == pytest.approx((20 * parts[0] + 10 * parts[1]) / 100, abs=0.1)
    assert data["sm_peak_percent"] == pytest.approx(max(parts), abs=0.1)
    assert 0 < data["bandwidth_s"] < data["sm_s"]


def test_totals_keep_errors_and_slowed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Troubled()
    nvml.reasons = 0x20
    meter, gpus = totals(monkeypatch, nvml)
    nvml.xids = [(79, NO_INSTANCE)]
    nvml.now += 10
    gpus.look()
    meter.read()
    nvml.reasons = 0
    nvml.now += 10
    gpus.look()
    (data,) = meter.read()
    assert (data["xids"], data["slowed_by"], data["slowed_s"]) == ([79], "heat", 10)


def test_gpu_without_utilization_is_not_counted_as_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full", missing=("nvmlDeviceGetUtilizationRates", "nvmlDeviceGetSamples"))
    meter, gpus = totals(monkeypatch, nvml)
    nvml.now += 10
    gpus.look()
    (data,) = meter.read()
    assert (data["known_s"], data["used_s"]) == (0.0, 0.0)
    assert data["memory_peak_mib"] > 0


def test_step_covers_each_node_and_takes_nothing_of_the_jobs_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    env = {
        "SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "3", "SLURM_CPUS_PER_TASK": "8", "LD_PRELOAD": "x.so",
        "PATH": "/bin", "SLURM_CONF": "/etc/slurm.conf", "DSP_METER": "http://p a.b:c",
    }  # fmt: skip
    became: list[object] = []
    monkeypatch.setattr("os.execvpe", lambda *what: became.append(what))
    ride(["/usr/bin/python3", "/nowhere"], env)
    ((file, argv, given),) = became  # type: ignore[misc]
    assert file == "srun"
    assert argv == argv_of("srun", "/usr/bin/python3", env)
    assert {"--jobid=7", "--nodes=3", "--ntasks=3", "--overlap"} <= set(argv)
    assert given == {"PATH": "/bin", "SLURM_CONF": "/etc/slurm.conf", "DSP_METER": "http://p a.b:c"}


def test_srun_of_the_door_is_used_where_the_node_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "srun").touch(mode=0o755)
    became: list[str] = []
    monkeypatch.setattr("os.execvpe", lambda file, *_: became.append(file))
    ride(["python3", str(tmp_path)], {"SLURM_JOB_ID": "7"})
    assert became == [str(tmp_path / "srun")]
