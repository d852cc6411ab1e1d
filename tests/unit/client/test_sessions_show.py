"""`portal sessions show`."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from portal.cli import app
from tests.unit.fake_portal import fake_portal

GPU = {"index": 0, "utilization": 87.0, "memory_used_mib": 22_098, "name": "NVIDIA H100"}
SESSION: dict[str, Any] = {
    "id": "abcdefghijkm", "name": "bert", "app_title": "JupyterLab", "owner": "alice", "state": "ready",
    "node": "node001", "reason": None, "ends_at": None, "idle": None, "resources": {"cpus": 8, "memory_mib": 49_152},
    "usage": {
        "cpu_percent": 150.0, "memory_mib": 2048, "gpu_problems": ["GPU 0: Xid 79, the GPU has fallen off the bus."],
        "gpus": [{**GPU, "processes": [{"pid": 4711, "name": "Jupyter kernel", "memory_mib": 21_504}]}],
    },
}  # fmt: skip


def test_show_says_what_it_uses_and_which_process_holds_the_gpus_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/sessions/abcdefghijkm", SESSION)
        result = CliRunner().invoke(app, ["sessions", "show", "abcdefghijkm"])
        portal.says("/sessions/abcdefghijkm", {**SESSION, "state": "queued", "usage": None})
        waiting = CliRunner().invoke(app, ["sessions", "show", "abcdefghijkm"])
    assert result.exit_code == waiting.exit_code == 0, result.output
    assert "bert (JupyterLab) of alice: ready on node001" in result.output
    assert "CPU: 1.5 of 8 cores" in result.output
    assert "GPU 0: 87 %, 21.6 GB of memory, NVIDIA H100" in result.output
    assert "Xid 79" in result.output
    assert ["0", "4711", "Jupyter", "kernel", "21", "GB"] in [line.split() for line in result.output.splitlines()]
    assert "queued" in waiting.output
