"""Alarms, dashboard and metrics, read by Prometheus itself."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from portal.deploy.patterns import fill
from portal.metrics import FAMILIES
from tests.demo_site import CLONE, DemoSite, free_port
from tests.deployment.programs import program, run

DASHBOARD = CLONE / "docs/grafana/portal.json"
GUIDE = CLONE / "docs/how-to/administer.md"
ALARMS = re.findall(r"- alert: (\w+)", fill("alerts.yml", {"docs": "docs"}))


@pytest.fixture
def alerts(tmp_path: Path) -> Path:
    file = tmp_path / "alerts.yml"
    file.write_text(fill("alerts.yml", {"docs": "docs"}))
    return file


def queries() -> list[str]:
    """Every expression of the dashboard for Grafana, wherever it stands."""

    def within(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if "expr" in value:
                yield value["expr"]
            value = list(value.values())
        for inner in value if isinstance(value, list) else ():
            yield from within(inner)

    return list(within(json.loads(DASHBOARD.read_text())))


def test_promtool_accepts_the_alarms(alerts: Path) -> None:
    assert f"{len(ALARMS)} rules found" in run("promtool", "check", "rules", "--lint-fatal", alerts)


def test_every_alarm_rings_when_it_should_and_only_then(alerts: Path) -> None:
    cases = (Path(__file__).parent / "alerts_test.yml").read_text()
    assert set(ALARMS) == set(re.findall(r"eval_time: \d+m\n\s+alertname: (\w+)\n\s+exp_alerts", cases))
    (alerts.parent / "test.yml").write_text(cases)
    assert "SUCCESS" in run("promtool", "test", "rules", "test.yml", cwd=alerts.parent)


def test_dashboard_asks_in_promql_for_metrics_that_exist(tmp_path: Path) -> None:
    asked = queries()
    assert len(asked) > 10
    rules = [{"record": f"panel:{number}", "expr": name} for number, name in enumerate(asked)]
    file = tmp_path / "panels.yml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    assert f"{len(asked)} rules found" in run("promtool", "check", "rules", "--lint=none", file)
    known = {series for family in FAMILIES for series in family.series}
    assert {name for value in asked for name in re.findall(r"\bportal_\w+", value)} <= known


@pytest.mark.slow
def test_prometheus_reads_a_site_as_the_guide_has_it(site: DemoSite, alerts: Path, tmp_path: Path) -> None:
    """The lines of docs/how-to/administer.md, with this site's port: scraped, alarms loaded, every panel answers."""
    result = run_with_input("promtool", "check", "metrics", text=site.metrics())
    assert result == "", result
    lines = re.search(r"```yaml\n(scrape_configs:.*?)```", GUIDE.read_text(), re.S)
    assert lines is not None
    ours = {"rule_files": [str(alerts)], "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}}
    head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in ours.items())
    file = tmp_path / "prometheus.yml"
    file.write_text(head + lines[1].replace("10.1.0.1:8001", f"127.0.0.1:{site.ports['portal']}"))
    assert f"{len(ALARMS)} rules found" in run("promtool", "check", "config", file)
    port = free_port()
    options = (f"--config.file={file}", f"--storage.tsdb.path={tmp_path / 'tsdb'}", "--log.level=error")
    with subprocess.Popen([program("prometheus"), *options, f"--web.listen-address=127.0.0.1:{port}"]) as server:
        try:
            prometheus = f"http://127.0.0.1:{port}/api/v1"
            for query in ("portal_slurm_up == 1", 'up{job="portal"} == 1', "sum(portal_gpus)"):
                site.wait_for(lambda query=query: ask(prometheus, query), f"Prometheus to know {query}", 60)
            for query in queries():
                assert ask(prometheus, query) is not None, query
            names = httpx2.get(f"{prometheus}/label/__name__/values").json()["data"]
            assert {"portal_part_up", "portal_slurm_command_seconds_count", "portal_event_readers"} <= set(names)
            rules = httpx2.get(f"{prometheus}/rules").json()["data"]["groups"][0]["rules"]
            assert {rule["name"] for rule in rules} == set(ALARMS)
            assert {rule["name"] for rule in rules if rule["state"] == "firing"} == set()
        finally:
            server.terminate()


def ask(prometheus: str, query: str) -> list[Any] | None:
    """Return the series that answer; None where Prometheus cannot be asked, or not so."""
    try:
        answer = httpx2.get(f"{prometheus}/query", params={"query": query})
    except httpx2.TransportError:
        return None
    return list(answer.json()["data"]["result"]) if answer.status_code == 200 else None


def run_with_input(name: str, *arguments: str, text: str) -> str:
    done = subprocess.run([program(name), *arguments], input=text, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
