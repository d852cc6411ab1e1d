"""Administrators look after anybody's sessions: Slurm, the owner's page and the agent's clock agree on a new end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.fillers import fill
from tests.person import Person


@pytest.fixture
def admin(person: Callable[[str], Person]) -> Person:
    return person("admin")


def rows(admin: Person, **asked: str) -> dict[str, dict[str, Any]]:
    answer = admin.api("GET", "/admin/sessions", params=asked)
    assert answer.status_code == 200, answer.text
    return {item["id"]: item for item in answer.json()["items"]}


def act(admin: Person, action: str, *sessions: str, **asked: object) -> list[dict[str, Any]]:
    answer = admin.api("POST", f"/admin/sessions/{action}", json={"sessions": sessions, **asked})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["results"])


def test_session_of_somebody_is_seen_extended_told_of_and_stopped(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    live = alice.ready("Long training", gpus=1, partition="sxm2", walltime_s=3600)
    fill(site, nodes=len(site.nodes) - 1)
    waiting = person("bob").start(gpus=4, partition="debug", walltime_s=600)
    site.wait_for(lambda: rows(admin).get(live.id, {}).get("usage"), "its use to be seen by the administrator", 90)
    site.wait_for(lambda: rows(admin)[live.id]["used_at"], "the Hub to say when it was last used", 90)
    assert set(rows(admin)) == {live.id, waiting.id}
    assert set(rows(admin, query="long TRAIN")) == {live.id}

    before = datetime.fromisoformat(live.now()["ends_at"])
    assert live.job()["TimeLimit"] == "01:00:00"
    (result,) = act(admin, "extend", live.id, seconds=7200)
    assert result["ok"], result
    assert live.job()["TimeLimit"] == "03:00:00"
    assert abs(datetime.fromisoformat(live.now()["ends_at"]) - before - timedelta(hours=2)) < timedelta(seconds=90)
    assert live.now()["resources"]["walltime_s"] == 10_800
    assert any("admin, an administrator, extended it by 2 h" in event["message"] for event in live.events())
    servers = alice.hub("GET", "").json()["servers"]
    assert [server["ready"] for server in servers.values()] == [True], "the Hub goes on as before"

    (refused,) = act(admin, "extend", waiting.id, seconds=7200)
    assert refused == {"id": waiting.id, "ok": False, "message": "The partition “debug” allows 30 min at most."}
    (insisted,) = act(admin, "extend", waiting.id, seconds=7200, beyond_limits=True)
    assert insisted["ok"], insisted
    assert waiting.job()["TimeLimit"] == "02:10:00"

    results = act(admin, "message", live.id, waiting.id, text="Please save your work.")
    assert [value["ok"] for value in results] == [True, True]
    (message,) = alice.api("GET", "/messages").json()["items"]
    assert (message["text"], message["session_id"]) == ("Please save your work.", live.id)
    alice.api("DELETE", f"/messages/{message['id']}")
    for item in person("bob").api("GET", "/messages").json()["items"]:
        person("bob").api("DELETE", f"/messages/{item['id']}")

    assert [value["ok"] for value in act(admin, "stop", live.id, waiting.id)] == [True, True]
    assert live.ended()["end"]["code"] == "stopped_by_admin"
    audit = admin.api("GET", "/audit", params={"target": live.id}).json()["items"]
    assert {value["action"] for value in audit} >= {"session.extend", "session.message", "session.stop"}


def test_agent_hears_of_a_new_end_at_once(site: DemoSite, admin: Person, person: Callable[[str], Person]) -> None:
    """Its time would be up in two minutes; it lives on beyond them only if the agent itself knows better."""
    live = person("carol").ready(gpus=0, walltime_s=60)
    assert act(admin, "extend", live.id, seconds=3600)[0]["ok"]
    old_end = datetime.fromisoformat(live.now()["started_at"]) + timedelta(seconds=75)
    site.wait_for(
        lambda: datetime.now(old_end.tzinfo) > old_end or live.now()["state"] != "ready", "its old end to pass", 120, 1
    )
    assert live.now()["state"] == "ready"
    assert "time limit reached" not in live.log()["text"]
