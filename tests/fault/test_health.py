"""When a part of the site is down, Health shows which and since when, users see what is missing, the rest works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
