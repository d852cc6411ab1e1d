"""`portal reservations …` and `portal announcements maintenance` take nothing that was not asked for."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from portal.cli import app
from portal.errors import InvalidRequest
from tests.unit.fake_portal import fake_portal

CREATE = ["reservations", "create", "class", "--hours", "1", "--user", "eva"]


@pytest.mark.parametrize("nodes", [[], ["--node", "node001", "--gpus", "2"], ["--all-nodes", "--node", "node001"]])
def test_reservation_says_in_one_way_which_nodes_it_takes(monkeypatch: pytest.MonkeyPatch, nodes: list[str]) -> None:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/admin/reservations", {"items": []})
        refused = CliRunner().invoke(app, [*CREATE, *nodes]).exception
        assert isinstance(refused, InvalidRequest)
        assert "--all-nodes" in str(refused.hint)
        assert portal.asked == []
        assert CliRunner().invoke(app, [*CREATE, "--all-nodes"]).exit_code == 0
        assert [path for path, _ in portal.asked] == ["/admin/reservations"]


def test_editing_a_reservation_sends_only_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/admin/reservations/class", {"items": []})
        assert isinstance(CliRunner().invoke(app, ["reservations", "edit", "class"]).exception, InvalidRequest)
        edit = ["reservations", "edit", "class", "--user", "bob", "--no-accounts"]
        assert CliRunner().invoke(app, edit).exit_code == 0
        assert portal.asked == [("/admin/reservations/class", {"users": ["bob"], "accounts": []})]


def test_maintenance_names_sessions_and_jobs_and_asks_before_it_closes_partitions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = ["announcements", "maintenance", "New switches", "--from", "2031-01-01T08:00", "--until", "2031-01-01T12:00"]
    item = {"id": "7", "name": "train", "owner": "bob", "partition": "sxm2", "ends_at": None}
    affected = {"items": [item | {"id": "abcdefghijkl"}], "jobs": [item | {"running": True}], "jobs_total": 3}
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        portal.says("/admin/announcements/affected", affected)
        portal.says("/admin/announcements", {"id": 1, "state": "planned"})
        refused = CliRunner().invoke(app, plan, input="n\n")
        assert refused.exit_code == 1
        assert "affected: session abcdefghijkl of bob (train) on sxm2" in refused.output
        assert "affected: running job 7 of bob (train) on sxm2" in refused.output
        assert "affected: 2 more batch jobs" in refused.output
        assert "Close all partitions from 2031-01-01 08:00" in refused.output
        assert [path for path, _ in portal.asked] == ["/admin/announcements/affected"]
        assert CliRunner().invoke(app, [*plan, "--yes"]).exit_code == 0
        assert [path for path, _ in portal.asked][-1] == "/admin/announcements"
