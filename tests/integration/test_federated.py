"""A site whose logins are another authenticator's of JupyterHub: the same main job, the same groups."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from demo import people
from tests.demo_site import API, DemoSite, Front, log_in
from tests.other_logins import main_job, other_logins

LOGIN = """
[login]
authenticator = "dummy"
"""


@pytest.fixture(scope="module")
def federated(kept_site: DemoSite) -> Iterator[DemoSite]:
    """The site while anybody's word is taken for who they are; groups are those of their Unix accounts."""
    with other_logins(kept_site, LOGIN, user_groups=people.MAIN_GROUP[0]):
        yield kept_site


def test_main_job_and_rights_follow_the_groups_of_another_authenticator(federated: DemoSite) -> None:
    with federated.browser("alice") as alice:
        main_job(federated, alice)
    with federated.browser("admin") as admin:
        admin.get("/services/portal/login").raise_for_status()
        assert admin.get(f"{API}/me").json()["admin"]


def test_somebody_outside_the_groups_does_not_get_in(federated: DemoSite) -> None:
    with Front(federated, follow_redirects=True, timeout=60) as browser:
        assert log_in(browser, "root", "any").status_code == 403
        assert browser.get(f"{API}/me").status_code == 401
