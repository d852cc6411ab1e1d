"""Every alarm asks for a metric that is there, with labels that it has, and leads to its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from portal.deploy.patterns import fill
from portal.gpus.problems import OF_HARDWARE
from portal.health.checks import PART_NAMES
from portal.metrics import FAMILIES
from portal.sessions.models import SessionState

ROOT = Path(__file__).parents[3]
SERIES = {series: family for family in FAMILIES for series in family.series}
KNOWN = {
    "part": {*PART_NAMES, "jobs", "nodes"},
    "state": {state.value for state in SessionState},
    "xid": set(map(str, OF_HARDWARE)),
}
ALARMS = re.findall(r"- alert: (\w+)\n(.*?)(?=\n      - alert|\Z)", fill("alerts.yml", {"docs": "docs"}), re.S)


def test_there_are_alarms() -> None:
    assert len(ALARMS) == len({name for name, _ in ALARMS}) == 9


@pytest.mark.parametrize(("name", "rule"), ALARMS, ids=[name for name, _ in ALARMS])
def test_alarm_asks_for_metrics_that_are_there(name: str, rule: str) -> None:
    expression = re.search(r"expr: (.*?)\n {8}\w", rule, re.S)
    assert expression is not None
    for metric, labels in re.findall(r"\b(portal_\w+)(?:\{([^}]*)\})?", expression[1]):
        assert metric in SERIES
        for label, value in re.findall(r'(\w+)[=!]~?"([^"]*)"', labels):
            assert label in SERIES[metric].labels
            assert set(value.split("|")) <= KNOWN[label]


@pytest.mark.parametrize(("name", "rule"), ALARMS, ids=[name for name, _ in ALARMS])
def test_alarm_leads_to_its_page(name: str, rule: str) -> None:
    page = re.search(r"runbook: (.*)", rule)
    assert page is not None
    assert (ROOT / page[1]).read_text().startswith(f"# {name}: ")


def test_alarm_of_gpus_rings_for_each_error_of_the_hardware() -> None:
    asked = re.findall(r'xid=~"([^"]*)"', dict(ALARMS)["PortalGpuFails"])
    assert [set(value.split("|")) for value in asked] == [KNOWN["xid"]] * 2
