"""Every exported metric is documented, and every metric on the dashboard is exported."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from portal.metrics import FAMILIES
from portal.slurm.timing import Timings

DASHBOARD = Path(__file__).parents[3] / "docs" / "grafana" / "portal.json"
SERIES = {series for family in FAMILIES for series in family.series}
LABELS = {series: set(family.labels) for family in FAMILIES for series in family.series}


def dashboard() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(DASHBOARD.read_text())
    return data


def expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def test_the_dashboard_shows_metrics_that_are_there_by_labels_that_they_have() -> None:
    shown = set()
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            names = re.findall(r"\bportal_\w+", target["expr"])
            assert names, target
            assert set(names) <= SERIES, target["expr"]
            labels = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
            labels += re.findall(r"\b(\w+)=\"", target["expr"])
            assert all(label in LABELS[name] for name in names for label in labels), target
            shown.update(names)
    assert shown >= SERIES, f"not shown: {SERIES - shown}"


def test_panels_have_their_own_numbers_and_a_data_source_to_choose() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert {panel["datasource"]["uid"] for panel in panels} == {"${source}"}
    assert [value["name"] for value in dashboard()["templating"]["list"]] == ["source"]


def test_programs_are_counted_in_time_and_the_failed_apart() -> None:
    now = [0.0]
    timings = Timings(lambda: now[0])
    for took in (0.1, 0.2, 0.6):
        with timings.of("squeue"):
            now[0] += took
    try:
        with timings.of("scontrol"):
            now[0] += 2
            raise OSError
    except OSError:
        pass
    now[0] = 120.0
    squeue, scontrol = timings.recent()
    assert (squeue.program, squeue.per_minute, squeue.median_ms, squeue.slowest_ms) == ("squeue", 1.5, 200.0, 600.0)
    assert (scontrol.failed, scontrol.median_ms) == (1, 2000.0)
    now[0] = 500.0
    assert timings.recent() == []
    assert (timings.totals["squeue"].count, round(timings.totals["squeue"].seconds, 3)) == (3, 0.9)
    assert timings.totals["scontrol"].failed == 1
