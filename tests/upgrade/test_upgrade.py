"""A site is upgraded while its users are at work: their sessions and jobs continue, and the portal serves all of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.demo_site import CLONE
from tests.person import Live, Person
from tests.upgrade.conftest import SMALL, AtWork
from tests.upgrade.site_before import SiteBefore

INDEX = CLONE / "frontend" / "dist" / "index.html"
REPORTED_S = 120
LEFT_ALONE = ("id", "name", "owner", "app", "environment", "job_id", "node", "server_name", "created_at", "ready_at")


@pytest.fixture
def alice(person: Callable[[str], Person], at_work: AtWork) -> Person:
    return person("alice")


def test_site_runs_this_version(shared_site: SiteBefore, at_work: AtWork) -> None:
    """Otherwise the tests below would only show that a restart is harmless."""
    revisions = sorted(path.name[:4] for path in (CLONE / "alembic" / "versions").glob("[0-9]*.py"))
    assert shared_site.portal("db", "upgrade").split()[-1].startswith(revisions[-1])
    page = at_work.browser.get("/services/portal/").text
    assert re.findall(r"assets/[\w.-]+", page) == re.findall(r"assets/[\w.-]+", INDEX.read_text())


@pytest.mark.parametrize("name", ["lab", "terminal", "spare"])
def test_session_is_still_ready_with_its_job_and_its_address(name: str, at_work: AtWork) -> None:
    live: Live = getattr(at_work, name)
    session, then = live.now(), at_work.then[live.id]
    assert session["state"] == "ready"
    assert {key: session[key] for key in LEFT_ALONE} == {key: then[key] for key in LEFT_ALONE}
    assert session["resources"].items() >= then["resources"].items()
    assert live.address == at_work.addresses[live.id]
    assert live.owner.web.get(live.address, follow_redirects=True).status_code == 200


def test_notebook_keeps_its_variables(at_work: AtWork) -> None:
    assert at_work.kernel.value("kept") == 42


@pytest.mark.parametrize("name", ["lab", "terminal"])
def test_agent_of_the_earlier_version_reports_to_this_one(name: str, at_work: AtWork, shared_site: SiteBefore) -> None:
    live: Live = getattr(at_work, name)
    upgraded = datetime.now(UTC)

    def reported() -> bool:
        usage = live.now()["usage"]
        return usage is not None and datetime.fromisoformat(usage["at"]) > upgraded

    shared_site.wait_for(reported, "a report of use", REPORTED_S)


def test_batch_job_runs_on(at_work: AtWork, person: Callable[[str], Person]) -> None:
    job = person("bob").api("GET", f"/jobs/{at_work.batch_job}").json()
    assert job["state"] == "RUNNING"


def test_session_of_the_earlier_version_can_be_stopped(at_work: AtWork, shared_site: SiteBefore) -> None:
    at_work.spare.stop()
    assert at_work.spare.ended()["end"]["code"] == "stopped"
    assert f"dsp-{at_work.spare.id}" not in {job["name"] for job in shared_site.jobs()}


def test_waiting_session_of_the_earlier_version_starts_when_gpus_are_free(
    at_work: AtWork, shared_site: SiteBefore
) -> None:
    assert at_work.queued.now()["job_id"] == at_work.then[at_work.queued.id]["job_id"]
    shared_site.run("scancel", at_work.fillers[0])
    at_work.queued.until("ready")
    assert at_work.queued.kernel().value("1 + 1") == 2


def test_new_session_starts(alice: Person) -> None:
    live = alice.ready("New", **{**SMALL, "gpus": 0})
    assert live.kernel().value("1 + 1") == 2
    live.stop()
    assert live.ended()["end"]["code"] == "stopped"


def test_browser_stays_logged_in_over_the_upgrade(at_work: AtWork) -> None:
    """With the cookies of before, without a redirect to the login page."""
    page = at_work.browser.get(at_work.lab.url)
    assert page.status_code == 200
    assert "/hub/login" not in str(page.url)
