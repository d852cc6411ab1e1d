"""The Cluster page's benchmark in parts: one that fails is named, and the others keep their figures. A small year."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import click, dashboard, ssh, year
from bench.testbed.lab_page import MARKS, Traffic, Visit
from bench.testbed.portal_pages import PageLoad

SMALL = ("--nodes", "30", "--jobs", "60")


def test_a_part_that_fails_is_named_and_the_others_figures_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path, slurm: object) -> None:
        raise RuntimeError("The portal did not come up")

    monkeypatch.setattr(dashboard, "serving", broken)
    path = tmp_path / "told.json"
    assert dashboard.main([*SMALL, "--json", str(path), "--part", "drawn", "--part", "snapshot"]) == 1
    result = json.loads(path.read_text())
    assert result["failed"] == {"drawn": "RuntimeError: The portal did not come up"}
    assert "snapshot_cpu_s" in result
    assert "calls_per_min_1_viewer" not in result


def test_one_part_is_measured_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    assert dashboard.main([*SMALL, "--json", str(path), "--part", "snapshot"]) == 0
    assert json.loads(path.read_text())["failed"] == {}


def test_a_small_year_is_written_read_and_deleted(tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    small = ("--days", "5", "--sessions", "80", "--keep", "3", "--keep-events", "2", "-n", "1")
    assert year.main([*small, "--json", str(path)]) == 0
    result = json.loads(path.read_text())
    assert {name: result["rows"][name] for name in ("sessions", "session_events", "audit", "jobs", "usage_jobs")} == {
        "sessions": 400,
        "session_events": 2400,
        "audit": 2400,
        "jobs": 400,
        "usage_jobs": 800,
    }
    assert result["retention"]["rows"] == {"events": 1440, "sessions": 160, "audit": 960}
    assert set(result["lists_ms"]) == set(result["lists_after_ms"])


def visits(*outputs: float, kb: float = 100.0) -> dict[str, list[Visit]]:
    """Return sessions whose first output took so long; the first of a browser takes a second longer."""
    return {
        kind: [Visit(marks=dict.fromkeys(MARKS, output + more), kb=kb, requests=20) for output in outputs]
        for kind, more in (("first", 1.0), ("second", 0.0))
    }


def test_click_compares_the_medians_of_second_sessions_on_each_line() -> None:
    on_loopback = {"portal": visits(2.0, 3.0, 9.0), "batchspawner": visits(6.0), "limit": visits(1.5)}
    result = click.result_of({"loopback": on_loopback, "line": {"portal": visits(4.0, kb=300.0), "limit": visits(2.0)}})
    assert result["output_ratio_batchspawner"] == 0.5
    assert (result["output_ratio_limit"], result["output_ratio_limit_line"]) == (2.0, 2.0)
    assert "output_ratio_batchspawner_line" not in result
    assert (result["second_session_kb"], result["second_session_kb_line"]) == (100.0, 300.0)
    assert result["second_session_requests"] == 20
    assert result["loopback"]["portal"]["first"]["output"]["samples"] == [3.0, 4.0, 10.0]


def test_click_reports_the_sessions_page_on_each_line_and_every_page_beside_it() -> None:
    loads = {"sessions": [PageLoad(1.0, 240.0, 13), PageLoad(3.0, 240.0, 13)], "jobs": [PageLoad(1.5, 290.0, 35)]}
    result = click.pages_of({"line": loads})
    assert (result["first_page_seconds_line"], result["first_page_kb_line"]) == (2.0, 240.0)
    assert "first_page_seconds" not in result
    assert result["pages"]["line"]["jobs"]["requests"]["median"] == 35


class FakePage:
    """A page whose browser reports what the test says; it is its own context and its own devtools."""

    def __init__(self) -> None:
        self.context = self
        self.listeners: dict[str, Callable[[dict[str, Any]], None]] = {}

    def new_cdp_session(self, page: FakePage) -> FakePage:
        return page

    def on(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        self.listeners[event] = listener

    def send(self, method: str) -> None:
        assert method == "Network.enable"

    def tells(self, event: str, details: dict[str, Any]) -> None:
        self.listeners[f"Network.{event}"](details)


def test_click_counts_only_what_left_the_browser() -> None:
    page = FakePage()
    traffic = Traffic(page, None)  # type: ignore[arg-type]  # as much of a page as it needs
    for number, url, from_disk in (("1", "http://a/x", False), ("2", "http://a/y", True), ("3", "data:,", False)):
        page.tells("responseReceived", {"requestId": number, "response": {"url": url, "fromDiskCache": from_disk}})
        page.tells("loadingFinished", {"requestId": number, "encodedDataLength": 1000})
    assert (traffic.bytes, traffic.requests) == (1000, 1)


def test_ssh_compares_medians_with_plain_ssh() -> None:
    samples = {
        "up": {"portal": [60.0, 1.0, 70.0], "plain": [100.0, 100.0, 400.0]},
        "down": {"portal": [80.0], "plain": [100.0]},
        "echo": {"portal": [0.5, 9.0, 0.4], "plain": [0.2]},
    }
    assert ssh.result_of(samples) == {"up_ratio_plain": 0.6, "down_ratio_plain": 0.8, "added_ms": 0.3}
