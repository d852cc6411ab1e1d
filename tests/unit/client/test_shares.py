"""`portal sessions share`, `unshare` and `shares`."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from portal.cli import app
from tests.unit.fake_portal import FakePortal, fake_portal

LINK = "https://portal.example/services/portal/shared/7"
SHARE: dict[str, Any] = {"id": 7, "port": 8501, "mode": "use", "ends_at": "2026-11-27T12:00:00+00:00", "link": LINK}
ONE = "/sessions/abcdefghijkm/shares"


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PORTAL_TOKEN", "hush")
    with fake_portal() as portal:
        monkeypatch.setenv("PORTAL_URL", portal.url)
        yield portal


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["sessions", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_share_sends_whom_what_and_how_long_and_prints_the_link(portal: FakePortal) -> None:
    portal.says(ONE, {"items": [SHARE | {"user": "bob", "group": None}]})
    words = "--with bob --group ml --port 8501 --mode use --hours 24"
    printed = run("share", "abcdefghijkm", *words.split())
    assert portal.asked == [(ONE, {"users": ["bob"], "groups": ["ml"], "port": 8501, "mode": "use", "hours": 24})]
    assert LINK in printed
    assert "port 8501" in printed
    assert "to look" not in printed


def test_share_with_a_key_prints_it_once(portal: FakePortal) -> None:
    made = SHARE | {"user": None, "group": None, "key_name": "evaluation", "key": "dsp-secret"}
    portal.says(ONE, {"items": [made]})
    printed = run("share", "abcdefghijkm", "--key", "evaluation")
    assert portal.asked[0][1]["key"] == "evaluation"
    assert "key evaluation" in printed
    assert "dsp-secret" in printed
    portal.says(ONE, {"items": [made | {"key": ""}]})
    assert "dsp-" not in run("shares", "abcdefghijkm")


def test_shares_lists_ones_own_and_what_others_share(portal: FakePortal) -> None:
    portal.says(ONE, {"items": [SHARE | {"user": None, "group": "ml"}]})
    portal.says("/shares", {"items": [SHARE | {"owner": "carol", "session": "runs", "port": None, "mode": "look"}]})
    assert "group ml" in run("shares", "abcdefghijkm")
    theirs = run("shares")
    assert "carol's runs" in theirs
    assert "app, to look" in theirs
    portal.says("/shares", {"items": []})
    assert "Nobody shares anything with you." in run("shares")
