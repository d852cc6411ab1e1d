"""A stand-in for NVML that plays what a real GPU reported, second by second (tests/recorded/nvml)."""

# ruff: noqa: N802, N815  (the names are NVML's)

from __future__ import annotations

import ctypes
import json
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

FOLDER = Path(__file__).parents[3] / "recorded" / "nvml"
RECORDED = json.loads((FOLDER / "h100-580.json").read_text())
COUNTERS = json.loads((FOLDER / "h100-580-counters.json").read_text())
MIB = 1024 * 1024
#: What an H100 gives an instance of the profile 1g.10gb.
INSTANCE = "MIG 1g.10gb"
INSTANCE_MIB = 9984
NO_INSTANCE = 0xFFFFFFFF
EPOCH_US = 1_795_448_344_000_000


class NVMLError(Exception):
    pass


class Value(ctypes.Union):
    _fields_ = [("uiVal", ctypes.c_uint), ("ullVal", ctypes.c_ulonglong)]


class Sample(ctypes.Structure):
    _fields_ = [("timeStamp", ctypes.c_ulonglong), ("sampleValue", Value)]


class Nvml(ModuleType):
    """`pynvml` with one load's readings at the time `now`; what is in `missing` is not supported."""

    NVMLError = NVMLError
    nvmlMemory_v2 = 0x02000028
    NVML_SUCCESS = 0
    NVML_GPU_UTILIZATION_SAMPLES = 1
    c_nvmlSample_t = Sample
    _nvmlValueType_t = ctypes.c_uint
    NVML_GPM_METRICS_GET_VERSION = 1
    NVML_GPM_METRIC_GRAPHICS_UTIL = 1
    NVML_GPM_METRIC_SM_UTIL = 2
    NVML_GPM_METRIC_DRAM_BW_UTIL = 3
    NVML_GPM_METRIC_PCIE_TX_PER_SEC = 4
    NVML_GPM_METRIC_PCIE_RX_PER_SEC = 5
    NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC = 6
    NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC = 7

    def __init__(self, load: str = "full", *, missing: tuple[str, ...] = (), mig: tuple[str, ...] = ()) -> None:
        super().__init__("pynvml")
        self.load = RECORDED["loads"][load]
        self.counters = COUNTERS["loads"][load]["seconds"]
        self.now = 0.0
        self.mig = mig
        for name in missing:
            setattr(self, name, self.missing)

    def clock(self) -> float:
        return self.now

    def missing(self, *_: object) -> Any:
        raise NVMLError("not supported")

    def _reading(self) -> tuple[int, int, int]:
        rows = self.load["seconds"]
        _, use, memory_mib, milliwatts = rows[max(0, bisect_right(rows, [self.now + 0.001, 1e9]) - 1)]
        return use, memory_mib, milliwatts

    def _whole(self, device: str) -> None:
        if device in self.mig:
            raise NVMLError("not supported")

    def nvmlInit(self) -> None: ...

    def nvmlDeviceGetHandleByIndex(self, index: int) -> str:
        return str(index)

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> str:
        return uuid

    def nvmlDeviceGetName(self, device: str) -> bytes:
        return f"{RECORDED['gpu']}{f' {INSTANCE}' if device in self.mig else ''}".encode()

    def nvmlDeviceGetUUID(self, device: str) -> str:
        return device if device in self.mig else f"GPU-{device}"

    def nvmlDeviceGetUtilizationRates(self, device: str) -> SimpleNamespace:
        self._whole(device)
        return SimpleNamespace(gpu=self._reading()[0])

    def nvmlDeviceGetSamples(self, device: str, kind: int, after_us: int) -> tuple[int, list[SimpleNamespace]]:
        """It keeps 14 s of them."""
        self._whole(device)
        found = [
            SimpleNamespace(timeStamp=EPOCH_US + int(at * 1e6), sampleValue=SimpleNamespace(uiVal=use))
            for at, use in self.load["samples"]
            if self.now - 14 < at <= self.now and EPOCH_US + int(at * 1e6) > after_us
        ]
        if not found:
            raise NVMLError("not found")
        return 1, found

    def _nvmlGetFunctionPointer(self, name: str) -> Callable[..., int]:
        """NVML's own functions, as pynvml calls them."""
        assert name == "nvmlDeviceGetSamples"

        def fetch(device: str, kind: int, after: ctypes.c_ulonglong, _: Any, count: Any, room: Any) -> int:
            try:
                samples = self.nvmlDeviceGetSamples(device, kind, after.value)[1]
            except NVMLError:
                return 6
            count = count._obj  # noqa: SLF001  (ctypes' name)
            assert len(samples) <= count.value == len(room)
            for at, value in enumerate(samples):
                room[at].timeStamp, room[at].sampleValue.uiVal = value.timeStamp, value.sampleValue.uiVal
            count.value = len(samples)
            return 0

        return fetch

    def nvmlDeviceGetPowerUsage(self, device: str) -> int:
        self._whole(device)
        return self._reading()[2]

    def nvmlDeviceGetTotalEnergyConsumption(self, device: str) -> int:
        self._whole(device)
        rows = self.load["energy_mj"]
        at = min(max(1, bisect_right(rows, [self.now, 1e18])), len(rows) - 1)
        (before, low), (after, high) = rows[at - 1], rows[at]
        return int(low + (high - low) * (self.now - before) / (after - before))

    def nvmlDeviceGetMemoryInfo(self, device: str, version: int | None = None) -> SimpleNamespace:
        total = INSTANCE_MIB * MIB if device in self.mig else RECORDED["memory"]["total"]
        used = min(self._reading()[1] * MIB, total)
        reserve = RECORDED["memory"]["v1_used"] - RECORDED["memory"]["v2_used"]
        return SimpleNamespace(used=used if version else used + reserve, total=total)

    def nvmlDeviceGetDeviceHandleFromMigDeviceHandle(self, device: str) -> str:
        if device not in self.mig:
            raise NVMLError("invalid argument")
        return "parent"

    def nvmlDeviceGetGpuInstanceId(self, device: str) -> int:
        return self.mig.index(device)

    def nvmlGpmSampleAlloc(self) -> SimpleNamespace:
        return SimpleNamespace(at=0.0)

    def nvmlGpmSampleGet(self, device: str, sample: SimpleNamespace) -> None:
        sample.at = self.now

    def nvmlGpmMigSampleGet(self, parent: str, instance: int, sample: SimpleNamespace) -> None:
        sample.at = self.now

    def c_nvmlGpmMetricsGet_t(self) -> SimpleNamespace:
        return SimpleNamespace(metrics=[SimpleNamespace() for _ in range(8)])

    def nvmlGpmMetricsGet(self, asked: SimpleNamespace) -> None:
        """The metrics' numbers are those of the recorded columns."""
        within = [row for row in self.counters if asked.sample1.at < row[0] <= asked.sample2.at + 0.01]
        for metric in asked.metrics[: asked.numMetrics]:
            metric.nvmlReturn = 0
            values = [row[metric.metricId] for row in within]
            metric.value = sum(values) / len(values) if values else float("nan")


class Troubled(Nvml):
    """An H100 with problems and processes; events of MIG instances are those of their GPU, which alone has them."""

    nvmlEventTypeXidCriticalError = 8

    def __init__(self, load: str = "full", **how: Any) -> None:
        super().__init__(load, **how)
        self.xids: list[tuple[int, int]] = []
        """Each with the instance that it is about, or `NO_INSTANCE`."""
        self.reasons = 0
        self.running: list[tuple[int, int | None]] = []

    def nvmlEventSetCreate(self) -> str:
        return "set"

    def nvmlDeviceRegisterEvents(self, device: str, kinds: int, events: str) -> None:
        assert (kinds, events) == (8, "set")
        self._whole(device)

    def nvmlEventSetWait_v2(self, events: str, wait_ms: int) -> SimpleNamespace:
        assert wait_ms == 0, "the agent never waits"
        if not self.xids:
            raise NVMLError("timeout")
        xid, instance = self.xids.pop(0)
        return SimpleNamespace(eventData=xid, gpuInstanceId=instance)

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, device: str) -> int:
        self._whole(device)
        return self.reasons

    def nvmlDeviceGetComputeRunningProcesses(self, device: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(pid=pid, usedGpuMemory=used) for pid, used in self.running]
