"""The use of GPUs over an interval, from what a real H100 reported under three kinds of load."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from agent.job.gpus import Gpus
from tests.unit.agent.conftest import until
from tests.unit.agent.job.nvml import COUNTERS, RECORDED, Nvml

INTERVAL_S = 30


def opened(monkeypatch: pytest.MonkeyPatch, nvml: Any, visible: str = "0") -> Gpus:
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    gpus = Gpus(visible, every_s=None, now=nvml.clock)
    assert gpus.read()
    return gpus


def after(gpus: Gpus, nvml: Nvml, seconds: int) -> list[dict[str, Any]]:
    for _ in range(seconds):
        nvml.now += 1
        gpus.look()
    return gpus.read()


def shown_by_nvidia_smi(load: str, begin: float, end: float) -> float:
    seen: list[float] = [use for at, use in RECORDED["loads"][load]["dmon"] if begin < at <= end]
    return sum(seen) / len(seen)


@pytest.mark.parametrize("load", ["full", "duty", "notebook"])
def test_an_interval_is_recorded_as_nvidia_smi_logs_it_second_by_second(
    monkeypatch: pytest.MonkeyPatch, load: str
) -> None:
    nvml = Nvml(load)
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    (results,) = after(gpus, nvml, INTERVAL_S)
    assert abs(results["utilization"] - shown_by_nvidia_smi(load, 1, nvml.now)) < 3
    assert results["utilization_peak"] > 98


@pytest.mark.parametrize("load", ["full", "duty", "notebook"])
def test_without_samples_the_utilization_is_read_every_second(monkeypatch: pytest.MonkeyPatch, load: str) -> None:
    nvml = Nvml(load, missing=("nvmlDeviceGetSamples",))
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    (results,) = after(gpus, nvml, INTERVAL_S)
    assert abs(results["utilization"] - shown_by_nvidia_smi(load, 1, nvml.now)) < 3


def test_energy_counts_up_to_the_report_and_not_to_the_last_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full", missing=("nvmlDeviceGetTotalEnergyConsumption",))
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    (before,) = after(gpus, nvml, 3)
    gpus.look()
    nvml.now += 0.9
    (data,) = gpus.read()
    assert data["energy_j"] - before["energy_j"] == pytest.approx(0.9 * data["power_w"], rel=0.05)


@pytest.mark.parametrize("load", ["full", "duty", "notebook"])
@pytest.mark.parametrize("missing", [(), ("nvmlDeviceGetTotalEnergyConsumption",)], ids=["counter", "no counter"])
def test_energy_is_the_counters_or_else_the_power_over_time(
    monkeypatch: pytest.MonkeyPatch, load: str, missing: tuple[str, ...]
) -> None:
    nvml = Nvml(load, missing=missing)
    gpus = opened(monkeypatch, nvml)
    energy_j = [after(gpus, nvml, INTERVAL_S)[0]["energy_j"] for _ in range(2)]
    plain = Nvml(load)
    begin = plain.nvmlDeviceGetTotalEnergyConsumption("0")
    plain.now = nvml.now
    joules = (plain.nvmlDeviceGetTotalEnergyConsumption("0") - begin) / 1000
    assert energy_j[1] == pytest.approx(joules, rel=0.03)
    assert energy_j[0] < energy_j[1], "it adds up over the session, so that a lost report costs nothing"


def test_mean_and_peak_are_of_the_interval_and_not_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full")
    gpus = opened(monkeypatch, nvml)
    (busy,) = after(gpus, nvml, INTERVAL_S)
    nvml.load = {**nvml.load, "seconds": [[0.0, 3, 100, 71_000]], "samples": [[nvml.now + 1, 3]]}
    (idle,) = after(gpus, nvml, INTERVAL_S)
    assert busy["power_peak_w"] > 690 > 300 > idle["power_peak_w"] == idle["power_w"] == 71.0
    assert (idle["utilization"], idle["utilization_peak"]) == (3.0, 3)
    assert (busy["memory_peak_mib"], idle["memory_peak_mib"], idle["memory_used_mib"]) == (882, 100, 100)


@pytest.mark.parametrize(("is_old", "mib"), [(False, 882), (True, 882 + 480)], ids=["version 2", "version 1"])
def test_memory_is_without_the_drivers_reserve_where_the_driver_tells_it(
    monkeypatch: pytest.MonkeyPatch, is_old: bool, mib: int
) -> None:
    nvml = Nvml("full")
    if is_old:
        both = nvml.nvmlDeviceGetMemoryInfo
        monkeypatch.setattr(nvml, "nvmlDeviceGetMemoryInfo", lambda device, *v2: nvml.missing() if v2 else both(device))
    nvml.now = 10.0
    gpus = opened(monkeypatch, nvml)
    (results,) = after(gpus, nvml, 1)
    assert results["memory_used_mib"] == mib


def counted(load: str, column: str, begin: float, end: float) -> float:
    at = COUNTERS["columns"].index(column)
    seen: list[float] = [row[at] for row in COUNTERS["loads"][load]["seconds"] if begin < row[0] <= end + 0.01]
    return sum(seen) / len(seen)


@pytest.mark.parametrize("load", ["full", "duty", "notebook"])
def test_counters_tell_multiprocessors_bandwidth_and_traffic(monkeypatch: pytest.MonkeyPatch, load: str) -> None:
    nvml = Nvml(load)
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    (results,) = after(gpus, nvml, INTERVAL_S)
    sent, received = (counted(load, name, 1, nvml.now) for name in ("pcie_tx", "pcie_rx"))
    assert results["sm_percent"] == pytest.approx(counted(load, "sm", 1, nvml.now), abs=0.1)
    assert results["bandwidth_percent"] == pytest.approx(counted(load, "dram", 1, nvml.now), abs=0.1)
    assert results["pcie_mib_s"] == pytest.approx(sent + received, abs=0.1)
    assert results["nvlink_mib_s"] == 0
    assert "busy_percent" not in results


def test_counters_are_read_for_each_second_report_and_then_cover_both(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty")
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    first, again, next_one = (after(gpus, nvml, 15)[0]["sm_percent"] for _ in range(3))
    assert first == again == pytest.approx(counted("duty", "sm", 1, 16), abs=0.1)
    assert next_one == first
    assert after(gpus, nvml, 15)[0]["sm_percent"] == pytest.approx(counted("duty", "sm", 16, nvml.now), abs=0.1)


def test_right_after_nvml_is_opened_counters_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty")
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    assert "sm_percent" not in Gpus("0", every_s=None, now=nvml.clock).read()[0]


def test_without_counters_the_utilization_is_known_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full", missing=("nvmlGpmSampleGet",))
    (results,) = after(opened(monkeypatch, nvml), nvml, INTERVAL_S)
    assert results["utilization"] > 90
    assert "sm_percent" not in results


def test_a_counter_that_has_no_value_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full")
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml)
    nvml.counters = [[*row[:2], float("nan"), *row[3:5], -1.0, *row[6:]] for row in nvml.counters]
    (results,) = after(gpus, nvml, INTERVAL_S)
    assert results["bandwidth_percent"] > 10
    assert not {"sm_percent", "pcie_mib_s"} & results.keys()


def test_a_slice_is_measured_by_its_gpus_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty", mig=("MIG-1",))
    nvml.now = 1.0
    gpus = opened(monkeypatch, nvml, "MIG-1")
    (results,) = after(gpus, nvml, INTERVAL_S)
    assert abs(results["utilization"] - shown_by_nvidia_smi("duty", 1, nvml.now)) < 3
    assert (results["uuid"], results["power_w"], results["energy_j"]) == ("MIG-1", None, None)


def test_a_slice_without_counters_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("duty", mig=("MIG-1",), missing=("nvmlGpmMigSampleGet",))
    (results,) = after(opened(monkeypatch, nvml, "MIG-1"), nvml, INTERVAL_S)
    assert (results["utilization"], results["utilization_peak"], results["memory_peak_mib"]) == (None, None, 882)


def test_gpus_are_found_by_index_and_by_uuid(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full")
    first, second = after(opened(monkeypatch, nvml, "3, GPU-abc"), nvml, 1)
    assert (first["index"], first["uuid"], first["name"]) == (0, "GPU-3", "NVIDIA H100 80GB HBM3")
    assert (second["index"], second["uuid"]) == (1, "GPU-GPU-abc")


def test_readings_are_taken_between_two_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full")
    looks: list[str] = []

    def power(device: str) -> Any:
        if len(looks) == 5:
            threading.Event().wait()  # the daemon thread stays here
        looks.append(device)
        return Nvml.nvmlDeviceGetPowerUsage(nvml, device)

    monkeypatch.setattr(nvml, "nvmlDeviceGetPowerUsage", power)
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    Gpus("0", every_s=0.01).read()
    until(lambda: len(looks) == 5, "readings that nobody asked for")


def test_a_gpu_that_is_lost_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = Nvml("full")
    gpus = opened(monkeypatch, nvml)
    after(gpus, nvml, 1)
    monkeypatch.setattr(nvml, "nvmlDeviceGetMemoryInfo", nvml.missing)
    assert after(gpus, nvml, 1) == []


def broken() -> Nvml:
    return Nvml(missing=("nvmlInit",))


@pytest.mark.parametrize("module", [None, broken()], ids=["no pynvml", "no driver"])
def test_node_without_a_driver_is_normal(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", module)
    gpus = Gpus("0,1")
    assert gpus.read() == gpus.read() == []
