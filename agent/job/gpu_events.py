"""Problems of a GPU, from NVML: Xid errors since the session's start, and what slows its clocks.

Ordinary users may register for Xid events of the GPUs that they can open. Only whole GPUs have events: a MIG instance
gets those of its GPU that are not about another instance.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

MOST_XIDS = 8
#: NVML's number in events that are not about an instance.
NO_INSTANCE = 0xFFFFFFFF
#: NVML's reasons that mean trouble, by nvmlClocksEventReasons. A power cap (0x4) is normal at full load.
SLOWED = {0x08: "hardware", 0x20: "heat", 0x40: "heat", 0x80: "power_brake"}


class Xids:
    """The Xid errors of one GPU or MIG instance; none if the driver does not offer events."""

    def __init__(self, nvml: Any, gpu: Any, instance: int | None) -> None:
        self._nvml = nvml
        self._instance = instance
        self._set: Any = None
        self.seen: list[int] = []
        with suppress(nvml.NVMLError, AttributeError):
            events = nvml.nvmlEventSetCreate()
            nvml.nvmlDeviceRegisterEvents(gpu, nvml.nvmlEventTypeXidCriticalError, events)
            self._set = events

    def read(self) -> list[int]:
        """Return the last few errors since the start, without waiting for another."""
        while self._set is not None:
            try:
                event = self._nvml.nvmlEventSetWait_v2(self._set, 0)
            except self._nvml.NVMLError:  # a timeout: nothing has happened
                break
            if self._instance is None or event.gpuInstanceId in (self._instance, NO_INSTANCE):
                self.seen = [*self.seen, int(event.eventData)][-MOST_XIDS:]
        return list(self.seen)


class Slowed:
    """For how much of an interval the clocks were slowed, and by what."""

    def __init__(self, nvml: Any, handle: Any) -> None:
        self._nvml, self._handle = nvml, handle
        self._looks = self._slowed = 0
        self._why = ""

    def look(self) -> None:
        with suppress(self._nvml.NVMLError, AttributeError):  # not available for a MIG instance
            reasons = self._nvml.nvmlDeviceGetCurrentClocksThrottleReasons(self._handle)
            self._looks += 1
            why = [word for bit, word in SLOWED.items() if reasons & bit]
            if why:
                self._slowed += 1
                self._why = why[-1]

    def close(self) -> dict[str, Any]:
        """Return the interval's figures, and begin the next."""
        percent = round(self._slowed / self._looks * 100, 1) if self._looks else None
        figures = {"slowed_percent": percent, "slowed_by": self._why or None}
        self._looks = self._slowed = 0
        self._why = ""
        return figures
