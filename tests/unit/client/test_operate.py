"""`portal reservations …`: the whole cluster is reserved only if that is asked for."""

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
