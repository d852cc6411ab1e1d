"""The administrators' pages while the directory, Slurm's accounting or its controller is away: the rest works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.demo_site import DemoSite
from tests.person import Person

PAGES = ("/admin/sessions", "/admin/nodes", "/admin/jobs", "/admin/people", "/admin/groups", "/admin/limits", "/audit")


@pytest.fixture
def admin(person: Callable[[str], Person]) -> Person:
    return person("admin")


@pytest.fixture(autouse=True)
def back(site: DemoSite) -> Iterator[None]:
    yield
    site.tidy()


def answers(admin: Person) -> dict[str, httpx2.Response]:
    return {path: admin.api("GET", path) for path in PAGES}


def all_work(admin: Person) -> bool:
    return all(answer.status_code == 200 for answer in answers(admin).values())


def people(admin: Person) -> dict[str, Any]:
    return dict(admin.api("GET", "/admin/people", params={"query": "dave"}).json())


def missing(admin: Person) -> dict[str, str]:
    """Since when which part is away, as the banner above every page says it."""
    return {value["part"]: value["since"] for value in admin.api("GET", "/site").json()["missing"]}


def test_people_say_since_when_the_directory_is_silent_and_limits_are_set_all_the_same(
    site: DemoSite, admin: Person
) -> None:
    assert people(admin)["directory"]["silent_since"] is None
    assert [item["admin"] for item in people(admin)["items"]] == [False]
    site.kill("slapd")
    result = site.wait_for(
        lambda: (now := people(admin))["directory"]["silent_since"] and now, "it to be noticed", 120, 2
    )
    assert result["directory"]["as_of"] < result["directory"]["silent_since"]
    banner = site.wait_for(lambda: missing(admin).get("directory"), "it to be said above every page", 60, 1)
    assert people(admin)["directory"]["silent_since"] == banner, "one outage began at one time"
    assert [item["username"] for item in result["items"]] == ["dave"], "what was read stays"
    assert result["items"][0]["admin"] is None, "who is an administrator only the directory says"
    assert all_work(admin)
    limit = admin.api("PUT", "/admin/limits/user/dave", json={"max_gpus": 2})
    assert limit.status_code == 200
    assert admin.api("DELETE", "/admin/limits/user/dave").status_code == 200
    site.start("slapd")
    site.wait_for(lambda: people(admin)["directory"]["silent_since"] is None, "the directory to be heard again", 90, 2)


def test_pages_work_while_slurms_accounting_is_away(site: DemoSite, admin: Person) -> None:
    site.kill("slurmdbd")
    assert all_work(admin)
    assert admin.api("GET", "/admin/reservations").status_code == 200
    node = site.nodes[0]
    drained = admin.api("POST", "/admin/nodes/drain", json={"nodes": [node], "reason": "New fans"})
    assert drained.status_code == 200, drained.text
    assert admin.api("POST", "/admin/nodes/resume", json={"nodes": [node]}).status_code == 200


def test_pages_show_the_last_snapshot_and_say_what_fails_while_slurmctld_is_away(
    site: DemoSite, admin: Person, person: Callable[[str], Person]
) -> None:
    live = person("alice").ready(gpus=1)
    live.saved()
    site.kill("slurmctld")
    slurm = site.wait_for(
        lambda: (now := admin.api("GET", "/site").json()["slurm"])["state"] == "down" and now, "it to be noticed", 60, 1
    )
    assert slurm["since"]
    assert all_work(admin)
    assert live.id in {item["id"] for item in admin.api("GET", "/admin/sessions").json()["items"]}
    reservations = admin.api("GET", "/admin/reservations")
    assert (reservations.status_code, reservations.json()["error"]["code"]) == (503, "slurm_unavailable")
    body = {"sessions": [live.id], "seconds": 3600}
    (result,) = admin.api("POST", "/admin/sessions/extend", json=body).json()["results"]
    assert not result["ok"]
    assert "Slurm does not answer" in result["message"]
    response = admin.api("POST", "/admin/sessions/message", json={"sessions": [live.id], "text": "Slurm is away."})
    assert response.json()["results"][0]["ok"]
    site.start("slurmctld")
    (message,) = person("alice").api("GET", "/messages").json()["items"]
    person("alice").api("DELETE", f"/messages/{message['id']}")


def test_a_portal_that_starts_while_slurmctld_is_away_calls_nothing_empty_and_nothing_else_silent(
    site: DemoSite, admin: Person
) -> None:
    site.kill("slurmctld")
    site.restart("portal")
    site.wait_for(lambda: admin.api("GET", "/site").json()["slurm"]["state"] == "down", "it to be noticed", 60, 1)
    jobs = admin.api("GET", "/admin/jobs").json()
    assert (jobs["items"], jobs["as_of"]) == ([], None), "not known, which is another thing than none"
    assert admin.api("GET", "/cluster").json()["as_of"] is None
    site.wait_for(lambda: part(admin, "slurmdbd")["message"] != "Not checked yet.", "a round of Health", 90, 1)
    assert (part(admin, "slurmdbd")["state"], "slurmdbd" in missing(admin)) == ("unknown", False)
    row = admin.api("POST", "/admin/announcements", json={"kind": "notice", "text": "Slurm is away."})
    assert row.status_code == 201
    assert admin.api("DELETE", f"/admin/announcements/{row.json()['id']}").status_code == 200
    assert admin.api("GET", "/audit", params={"limit": 1}).json()["items"][0]["action"].startswith("announcement.")
    hold = admin.api("POST", "/admin/jobs/actions", json={"jobs": ["1"], "action": "hold"})
    message = hold.json()["error"]["message"] if hold.status_code == 503 else hold.json()["results"][0]["message"]
    assert message.startswith("Slurm does not answer")
    site.start("slurmctld")
    site.wait_for(lambda: admin.api("GET", "/admin/jobs").json()["as_of"], "the queue to be read", 90, 1)


def part(admin: Person, name: str) -> dict[str, Any]:
    parts = admin.api("GET", "/admin/health").json()["parts"]
    return next(part for part in parts if part["name"] == name)
