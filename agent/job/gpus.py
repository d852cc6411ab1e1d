"""Measures the job's GPUs with NVML: the mean and the peak over each interval between two reports.

`nvmlDeviceGetUtilizationRates` covers the last fifth of a second (H100), so one reading per report misses nearly all of
the interval. NVML samples by itself and keeps the last 14 s: `nvmlDeviceGetSamples` covers it all.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
import time
from contextlib import suppress
from typing import Any, Callable, Container

from . import gpu_processes
from .gpu_events import Slowed, Xids

MIB = 1024 * 1024
#: How often power is read, and the utilization where there are no samples. On an H100 a reading of the power takes
#: 0.08 ms, of the memory 0.2 ms, fetching the samples 1.5 ms, the energy counter 3.5 ms.
EVERY_S = 1.0
MEMORY_S = 5.0
#: With reports every 30 s, two readings in between: the driver keeps 14 s.
SAMPLES_S = 12.0
COUNTER_S = 115.0
#: How old the figures of the performance counters may be. With reports every 30 s, each second one has new figures.
COUNTED_S = 45.0
#: A shorter time says little: the first report comes right after NVML was opened.
LEAST_COUNTED_S = 1.0
#: The samples that a driver keeps are fewer: 71 of an H100.
MOST_SAMPLES = 256
#: What the performance counters tell, by NVML's names of the metrics; traffic is that of both directions. On an H100
#: reading all of them takes 1.5 to 4 ms, and ordinary users may.
COUNTED = {
    "busy_percent": ("NVML_GPM_METRIC_GRAPHICS_UTIL",),
    "sm_percent": ("NVML_GPM_METRIC_SM_UTIL",),
    "bandwidth_percent": ("NVML_GPM_METRIC_DRAM_BW_UTIL",),
    "pcie_mib_s": ("NVML_GPM_METRIC_PCIE_TX_PER_SEC", "NVML_GPM_METRIC_PCIE_RX_PER_SEC"),
    "nvlink_mib_s": ("NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC", "NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC"),
}
MOST_MIB_S = 1 << 22


class Gpus:
    """The job's GPUs as NVML sees them; none without a driver, NVML or a GPU in the job."""

    def __init__(
        self,
        visible: str,
        *,
        every_s: float | None = EVERY_S,
        counted_s: float = COUNTED_S,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """With `every_s` None no thread takes readings: the caller does (`look`)."""
        self._visible = [name.strip() for name in visible.split(",") if name.strip()]
        self._every_s = every_s
        self._counted_s = counted_s
        self._now = now
        self._opened = False
        self._nvml: Any = None
        self._gpus: list[_Gpu] = []
        self._lock = threading.Lock()

    def read(self) -> list[dict[str, Any]]:
        """Return what each GPU did since the last call; nothing if one of them cannot be read.

        The first call opens NVML and starts the readings.
        """
        if not self._opened:
            self._opened = True
            self._open()
        if not self._gpus:
            return []
        with self._lock:
            try:
                return [gpu.close() for gpu in self._gpus]
            except self._nvml.NVMLError:
                return []

    def details(self, own: Container[int]) -> list[dict[str, Any]]:
        """Return each GPU's errors, slowdowns since the last call and processes among `own`, ordered as in `read`."""
        with self._lock:
            return [gpu.details(own) for gpu in self._gpus]

    def look(self) -> None:
        """Take one reading of each GPU."""
        with self._lock:
            for gpu in self._gpus:
                gpu.look()

    def _open(self) -> None:
        if not self._visible:
            return
        try:
            nvml = importlib.import_module("pynvml")
        except ImportError:
            return
        try:
            nvml.nvmlInit()
            gpus = [_Gpu(nvml, index, name, self._counted_s, self._now) for index, name in enumerate(self._visible)]
        except nvml.NVMLError:
            return
        self._nvml, self._gpus = nvml, gpus
        if self._every_s is not None:
            threading.Thread(target=self._keep_looking, args=(self._every_s,), name="gpus", daemon=True).start()

    def _keep_looking(self, every_s: float) -> None:
        due = time.monotonic()
        while True:
            due = max(due + every_s, time.monotonic())  # after a pause of the process, no burst of readings
            time.sleep(max(0.0, due - time.monotonic()))
            self.look()


class _Mean:
    """The weighted mean and the peak of an interval's readings; None without any."""

    def __init__(self) -> None:
        self._total, self._weight = 0.0, 0.0
        self.peak: float | None = None

    def add(self, value: float, weight: float = 1.0) -> None:
        self._total += value * weight
        self._weight += weight
        self.peak = value if self.peak is None else max(self.peak, value)

    @property
    def mean(self) -> float | None:
        return round(self._total / self._weight, 1) if self._weight else None


class _Gpu:
    """One GPU or MIG instance. What it does not report stays unknown."""

    def __init__(self, nvml: Any, index: int, name: str, counted_s: float, now: Callable[[], float]) -> None:
        self._nvml = nvml
        self._index = index
        self._handle = (
            nvml.nvmlDeviceGetHandleByIndex(int(name)) if name.isdigit() else nvml.nvmlDeviceGetHandleByUUID(name)
        )
        self._name = _text(nvml.nvmlDeviceGetName(self._handle))
        self._uuid = _text(nvml.nvmlDeviceGetUUID(self._handle))
        self._now = now
        gpu, instance = _place_of(nvml, self._handle)
        self._is_instance = instance is not None
        self._counters = _Counters.of(nvml, self._handle, 0.0 if self._is_instance else counted_s, now)
        self._samples = _Samples.of(nvml, self._handle, now)
        self._energy = _Energy(nvml, self._handle, now)
        self._xids, self._slowed = Xids(nvml, gpu, instance), Slowed(nvml, self._handle)
        self._use, self._power = _Mean(), _Mean()
        self._memory_peak = 0
        self._memory_due = now()
        self._has_memory_v2 = True

    def look(self) -> None:
        nvml = self._nvml
        if self._samples is None:
            self._add_rates()
        elif self._samples.are_due():
            self._samples.add_to(self._use)
        with suppress(nvml.NVMLError):  # a MIG instance has none
            watts = nvml.nvmlDeviceGetPowerUsage(self._handle) / 1000
            self._power.add(watts)
            self._energy.add(watts)
        if self._now() >= self._memory_due:
            self._memory_due = self._now() + MEMORY_S
            self._slowed.look()
            with suppress(nvml.NVMLError):
                self._memory_peak = max(self._memory_peak, self._memory_now().used)

    def close(self) -> dict[str, Any]:
        """Return this interval's figures, and begin the next. Raises NVMLError if the memory cannot be read."""
        if self._samples is not None:
            self._samples.add_to(self._use)
        self.look()  # so that the energy is known up to now
        memory = self._memory_now()
        if self._use.mean is None:  # the first report
            self._add_rates()
        counted = {} if self._counters is None else self._counters.read()
        busy = counted.pop("busy_percent", None)
        figures = {
            "index": self._index,
            "uuid": self._uuid,
            "name": self._name,
            "utilization": busy if self._is_instance else self._use.mean,
            "utilization_peak": self._use.peak,
            "memory_used_mib": memory.used // MIB,
            "memory_peak_mib": max(self._memory_peak, memory.used) // MIB,
            "memory_total_mib": memory.total // MIB,
            "power_w": self._power.mean,
            "power_peak_w": self._power.peak,
            "energy_j": self._energy.joules(),
            **counted,
        }
        self._use, self._power, self._memory_peak = _Mean(), _Mean(), 0
        return figures

    def details(self, own: Container[int]) -> dict[str, Any]:
        """Return details: errors, what slowed the clocks, and which processes of `own` hold the GPU's memory."""
        processes = gpu_processes.of_gpu(self._nvml, self._handle, own)
        return {"xids": self._xids.read(), **self._slowed.close(), "processes": processes}

    def _add_rates(self) -> None:
        with suppress(self._nvml.NVMLError):  # a MIG instance has none
            self._use.add(self._nvml.nvmlDeviceGetUtilizationRates(self._handle).gpu)

    def _memory_now(self) -> Any:
        """Return the memory; drivers before 510 count their own reserve (480 MiB of an H100) as used."""
        if self._has_memory_v2:
            try:
                return self._nvml.nvmlDeviceGetMemoryInfo(self._handle, self._nvml.nvmlMemory_v2)
            except self._nvml.NVMLError:
                memory = self._nvml.nvmlDeviceGetMemoryInfo(self._handle)
                self._has_memory_v2 = False
                return memory
        return self._nvml.nvmlDeviceGetMemoryInfo(self._handle)


class _Samples:
    """The utilization that NVML samples by itself, each fetched once."""

    def __init__(self, nvml: Any, handle: Any, now: Callable[[], float]) -> None:
        """Raises NVMLError where there are none."""
        self._nvml, self._handle, self._now = nvml, handle, now
        held = nvml.nvmlDeviceGetSamples(handle, nvml.NVML_GPU_UTILIZATION_SAMPLES, 0)[1]
        self._room = (max(MOST_SAMPLES, len(held)) * nvml.c_nvmlSample_t)()
        self._to_us = max((sample.timeStamp for sample in held), default=0)
        self._fetched_at = now()

    @classmethod
    def of(cls, nvml: Any, handle: Any, now: Callable[[], float]) -> _Samples | None:
        try:
            return cls(nvml, handle, now)
        except nvml.NVMLError:
            return None

    def are_due(self) -> bool:
        """Whether NVML is about to drop the oldest that were not fetched yet."""
        return self._now() - self._fetched_at >= SAMPLES_S

    def add_to(self, mean: _Mean) -> None:
        """Add the new samples, each with the time since the one before: a few come twice, microseconds apart."""
        self._fetched_at = self._now()
        with suppress(self._nvml.NVMLError):  # none is new
            for sample in self._fetch(self._to_us):
                if sample.timeStamp > self._to_us:
                    mean.add(sample.sampleValue.uiVal, sample.timeStamp - self._to_us)
                    self._to_us = sample.timeStamp

    def _fetch(self, after_us: int) -> list[Any]:
        """Return the samples after a time, in one call: pynvml's own function makes two, each of which copies them all.

        Raises NVMLError.
        """
        nvml = self._nvml
        kind, count = nvml._nvmlValueType_t(), ctypes.c_uint(len(self._room))  # noqa: SLF001  (pynvml has no other way)
        status = nvml._nvmlGetFunctionPointer("nvmlDeviceGetSamples")(  # noqa: SLF001  (pynvml has no other way)
            self._handle,
            nvml.NVML_GPU_UTILIZATION_SAMPLES,
            ctypes.c_ulonglong(after_us),
            ctypes.byref(kind),
            ctypes.byref(count),
            self._room,
        )
        if status != nvml.NVML_SUCCESS:
            raise nvml.NVMLError(status)
        return list(self._room[: min(count.value, len(self._room))])


class _Energy:
    """The energy since the beginning, in joules: the counter's, plus the power over time since it was last read.

    GPUs before Volta have no counter.
    """

    def __init__(self, nvml: Any, handle: Any, now: Callable[[], float]) -> None:
        self._nvml, self._handle, self._now = nvml, handle, now
        self._counted_mj = self._counter_mj()
        self._counted_at = now()
        self._counted_j = self._since_j = self._told_j = 0.0
        self._powered_at: float | None = None

    def add(self, watts: float) -> None:
        """Add a reading of the power."""
        now = self._now()
        if self._powered_at is not None:
            self._since_j += watts * (now - self._powered_at)
        self._powered_at = now

    def joules(self) -> int | None:
        if self._counted_mj is not None and self._now() - self._counted_at >= COUNTER_S:
            counted_mj = self._counter_mj()
            if counted_mj is not None:
                self._counted_j += max(0, counted_mj - self._counted_mj) / 1000  # it starts over with the driver
                self._counted_mj, self._counted_at, self._since_j = counted_mj, self._now(), 0.0
        if self._counted_mj is None and self._powered_at is None:
            return None
        self._told_j = max(self._told_j, self._counted_j + self._since_j)  # it never falls
        return round(self._told_j)

    def _counter_mj(self) -> int | None:
        """Return the energy since the driver was loaded, in mJ; None where there is no counter."""
        try:
            return int(self._nvml.nvmlDeviceGetTotalEnergyConsumption(self._handle))
        except self._nvml.NVMLError:
            return None


class _Counters:
    """What a GPU or MIG instance did between two samples of its performance counters (Hopper and newer)."""

    def __init__(self, nvml: Any, handle: Any, every_s: float, now: Callable[[], float]) -> None:
        """Raises NVMLError where there are no such counters."""
        self._nvml, self._handle = nvml, handle
        self._every_s, self._now = every_s, now
        self._taken_at, self._found = now(), dict[str, float]()
        self._parent, self._id = _place_of(nvml, handle)
        self._before, self._after = nvml.nvmlGpmSampleAlloc(), nvml.nvmlGpmSampleAlloc()
        self._take(self._before)

    @classmethod
    def of(cls, nvml: Any, handle: Any, every_s: float, now: Callable[[], float]) -> _Counters | None:
        try:
            return cls(nvml, handle, every_s, now)
        except nvml.NVMLError:
            return None

    def read(self) -> dict[str, float]:
        """Return means since the last reading, or the last ones if it is too early; what is unknown is left out."""
        least_s = max(LEAST_COUNTED_S, self._every_s if self._found else 0.0)
        if self._now() - self._taken_at < least_s:
            return dict(self._found)
        self._taken_at, self._found = self._now(), self._means()
        return dict(self._found)

    def _means(self) -> dict[str, float]:
        nvml = self._nvml
        asked = nvml.c_nvmlGpmMetricsGet_t()
        ids = [getattr(nvml, name) for names in COUNTED.values() for name in names]
        asked.version, asked.numMetrics = nvml.NVML_GPM_METRICS_GET_VERSION, len(ids)
        for place, metric_id in enumerate(ids):
            asked.metrics[place].metricId = metric_id
        try:
            self._take(self._after)
            asked.sample1, asked.sample2 = self._before, self._after
            nvml.nvmlGpmMetricsGet(asked)
        except nvml.NVMLError:
            return {}
        self._before, self._after = self._after, self._before
        values = iter(asked.metrics[place] for place in range(len(ids)))
        found = {}
        for name, names in COUNTED.items():
            parts = [next(values) for _ in names]
            most = 100 if name.endswith("_percent") else MOST_MIB_S
            if all(part.nvmlReturn == nvml.NVML_SUCCESS and 0 <= part.value <= most for part in parts):  # NaN is not
                found[name] = round(sum(part.value for part in parts), 1)
        return found

    def _take(self, sample: Any) -> None:
        if self._id is None:
            self._nvml.nvmlGpmSampleGet(self._parent, sample)
        else:
            self._nvml.nvmlGpmMigSampleGet(self._parent, self._id, sample)


def _place_of(nvml: Any, handle: Any) -> tuple[Any, int | None]:
    """Return the GPU of a MIG instance and the instance's number there; a whole GPU has no number."""
    try:
        parent = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle)
    except nvml.NVMLError:
        return handle, None
    return parent, nvml.nvmlDeviceGetGpuInstanceId(handle)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
