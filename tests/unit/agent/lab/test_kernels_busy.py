"""What the agent learns of a server's kernels."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.job.activity import Kernels
from agent.lab.kernels_busy import KernelsBusy


class Manager:
    def __init__(self, *kernels: Any) -> None:
        self.kernels = dict(enumerate(kernels))

    def list_kernel_ids(self) -> list[int]:
        return list(self.kernels)

    def get_kernel(self, number: int) -> Any:
        return self.kernels[number]


def kernel(state: str, ago_s: float = 0) -> Any:
    return SimpleNamespace(execution_state=state, last_activity=datetime.now(UTC) - timedelta(seconds=ago_s))


def test_the_agent_reads_what_is_written(tmp_path: Path) -> None:
    file = tmp_path / "portal-kernels.json"
    writer = KernelsBusy(Manager(kernel("idle", 300), kernel("busy", 20)), str(file))
    writer.write(writer.look())
    read = Kernels.read(file, time.monotonic())
    assert read is not None
    assert (read.running, read.busy) == (2, 1)
    assert read.used_at is not None
    assert 19 < time.monotonic() - read.used_at < 25


@pytest.mark.parametrize(("state", "busy"), [("idle", 0), ("dead", 0), ("busy", 1), ("starting", 1), ("debugging", 1)])
def test_only_a_kernel_that_waits_is_at_rest(tmp_path: Path, state: str, busy: int) -> None:
    assert KernelsBusy(Manager(kernel(state)), str(tmp_path / "file")).look() == busy


def test_busy_time_adds_up_while_any_kernel_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    kernels = kernel("busy"), kernel("busy")
    writer, file = KernelsBusy(Manager(*kernels), str(tmp_path / "file")), tmp_path / "file"
    for state, seconds in (("busy", 1.0), ("busy", 1.0), ("idle", 5.0)):
        now[0] += seconds
        for working in kernels:
            working.execution_state = state
        busy = writer.look()
    writer.write(busy)
    assert json.loads(file.read_text())["busy_s"] == 2.0


def test_a_folder_that_is_gone_disturbs_nothing(tmp_path: Path) -> None:
    KernelsBusy(Manager(), str(tmp_path / "gone" / "file")).write(0)
