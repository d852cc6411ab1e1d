"""`portal idle report` and `portal sessions snooze`."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from portal.cli import app
from tests.unit.fake_portal import fake_portal

REPORT: dict[str, Any] = {
    "rule": {"action": "end", "after_minutes": 120, "grace_minutes": 30, "while_others_wait": False, "text": "Idle …"},
    "since": "2026-11-18T08:00:00+00:00",
    "recorded_days": 7,
    "sessions": 12,
    "exempt": 1,
    "warned": 3,
    "cleared": 1,
    "ended": 1,
    "came_back": 0,
    "gpu_hours": 120.0,
    "gpu_hours_unknown": 0.0,
    "gpu_hours_back": 7.5,
    "owners": [
        {"owner": "alice", "sessions": 2, "warned": 1, "ended": 1, "gpu_hours_back": 7.5, "came_back": 0},
    ],
    "ends": [
        {
            "id": "abcdefghijkm", "name": "bert", "owner": "alice", "gpus": 1, "gpu_hours_back": 7.5,
            "warned_at": "2026-11-20T08:00:00+00:00", "ended_at": "2026-11-20T08:30:00+00:00", "worked_at": None,
        },
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")


def test_the_report_says_what_would_have_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/admin/idle/report", REPORT)
        result = CliRunner().invoke(app, ["idle", "report", "--after-minutes", "60", "--others-wait"])
    assert result.exit_code == 0, result.output
    ((path, _),) = portal.asked
    assert path.startswith("/admin/idle/report")
    assert "3 would have been warned and 1 ended, giving back 7.5 GPU-hours." in result.output
    assert "abcdefghijkm" in result.output
    assert "never" in result.output


def test_a_snooze_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/sessions/abcdefghijkm/snooze", {})
        result = CliRunner().invoke(app, ["sessions", "snooze", "abcdefghijkm"])
    assert result.exit_code == 0, result.output
    assert "snoozed" in result.output
