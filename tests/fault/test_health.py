"""When a part of the site is down, Health shows which and since when, users see what is missing, the rest works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from demo.namespace import DOOR
from tests.demo_site import DemoSite
from tests.person import Person

PAGES = ("/me", "/site", "/options", "/sessions", "/jobs", "/templates", "/environments", "/cluster", "/cluster/jobs")
ADMIN_PAGES = ("/admin/health", "/admin/nodes", "/admin/jobs", "/admin/limits", "/audit", "/announcements")
WITHIN_S = 120


def states(admin: Person) -> dict[str, Any]:
    return {part["name"]: part for part in admin.api("GET", "/admin/health").json()["parts"]}


def missing(anybody: Person) -> set[str]:
    return {value["part"] for value in anybody.api("GET", "/site").json()["missing"]}


@pytest.mark.slow  # the checks go round every quarter and every half minute
@pytest.mark.parametrize(("service", "part"), [("slurmdbd", "slurmdbd"), ("slapd", "directory"), ("hub", "hub")])
def test_a_part_that_is_down_is_named_with_since_when_and_the_rest_works(
    site: DemoSite, person: Callable[[str], Person], service: str, part: str
) -> None:
    admin, alice = person("admin"), person("alice")
    site.wait_for(lambda: states(admin)[part]["state"] == "ok", f"{part} to be well", timeout_s=WITHIN_S)
    before = states(admin)[part]["since"]
    site.kill(service)
    site.wait_for(lambda: states(admin)[part]["state"] == "down", f"{part} to be seen down", timeout_s=WITHIN_S)
    result = states(admin)[part]
    assert result["since"] > before
    assert result["message"]
    assert result["do"]
    assert missing(alice) == {part}
    for who, pages in ((alice, PAGES), (admin, ADMIN_PAGES)):
        assert {page: who.api("GET", page).status_code for page in pages} == dict.fromkeys(pages, 200)
    site.start(service)
    site.wait_for(lambda: states(admin)[part]["state"] == "ok", f"{part} to be well again", timeout_s=WITHIN_S)
    site.wait_for(lambda: missing(alice) == set(), "nothing to be missing", timeout_s=WITHIN_S)


@pytest.mark.slow  # Health looks at the door once a minute
def test_door_that_cannot_be_executed_is_named_by_health_and_by_how_a_session_ended(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    admin, alice = person("admin"), person("alice")
    site.wait_for(lambda: states(admin)["door"]["state"] == "ok", "the door to be well", timeout_s=WITHIN_S)
    site.run("chmod", "a-x", str(DOOR))
    try:
        refused = alice.ask("Without a door")
        assert refused.status_code == 503
        assert refused.json()["error"]["message"].startswith("The portal's door could not be used: sudo: ")
        ended = next(each for each in alice.sessions("all") if each["name"] == "Without a door")
        assert ended["end"]["text"].startswith("It could not be submitted. The portal's door could not be used: sudo: ")
        site.wait_for(lambda: states(admin)["door"]["state"] == "down", "Health to see it", timeout_s=WITHIN_S)
        assert states(admin)["door"]["message"].startswith("The portal's door could not be used: sudo: ")
        assert missing(alice) == {"door"}
    finally:
        site.run("chmod", "a+x", str(DOOR))
    site.wait_for(lambda: states(admin)["door"]["state"] == "ok", "the door to be well again", timeout_s=WITHIN_S)
    live = alice.ready("With a door", gpus=0)
    live.stop()
    assert live.ended()["end"]["code"] == "stopped"
