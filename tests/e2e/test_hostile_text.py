"""Markup in names of jobs, sessions and people, in reasons, texts and logs: no script runs, no layout breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from demo.directory import LDAPI
from demo.people import SUFFIX
from tests.demo_site import INSIDE, DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live, Person

MARKUP = "<img src=x onerror=window.hacked=1>"
LONG = "</script>" + MARKUP + "W" * 60
WIDTHS = (1280, 390)


@dataclass(frozen=True)
class Seeded:
    node: str
    live: Live
    batch: str

    @property
    def pages(self) -> list[str]:
        """Where something of it is shown in the page itself; the announcement stands above all of them."""
        return [
            "",
            f"sessions/{self.live.id}",
            "jobs",
            f"jobs/{self.batch}",
            f"cluster?node={self.node}",
            "cluster?view=table",
            "cluster?view=queue",
            f"cluster?job={self.batch}",
            f"admin/sessions?session={self.live.id}",
            f"admin/nodes?node={self.node}",
            "admin/jobs",
            "admin/people?person=dave",
            "admin/announcements",
            "admin/audit",
        ]


def rename(site: DemoSite, username: str, name: str) -> None:
    change = f"dn: uid={username},ou=people,{SUFFIX}\nchangetype: modify\nreplace: cn\ncn: {name}\n"
    site.run("ldapmodify", "-Q", "-Y", "EXTERNAL", "-H", LDAPI, stdin=change)


@pytest.fixture
def seeded(site: DemoSite, person: Callable[[str], Person]) -> Iterator[Seeded]:
    """Everything that people may write, written by somebody who means harm."""
    admin, node = person("admin"), site.nodes[-1]
    was = admin.api("GET", "/admin/people/dave").json()["display_name"]
    try:
        live = admin.ready(MARKUP + "W" * 24, gpus=0)
        log = f"{INSIDE}/home/admin/.portal/sessions/{live.id}.log"
        site.run("tee", "--append", log, user="admin", stdin=f"{LONG}\n")
        script = f"#!/bin/bash\n#SBATCH --partition=debug --time=5 --mem=50M\n#SBATCH --job-name='{LONG}'\nsleep 300\n"
        job = admin.api("POST", "/jobs", json={"script": script})
        assert job.status_code == 202, job.text
        site.run("scontrol", "update", f"nodename={node}", "state=drain", f"reason={LONG * 3}")
        admin.api("POST", "/admin/announcements", json={"kind": "notice", "text": LONG})
        admin.api("POST", "/admin/sessions/message", json={"sessions": [live.id], "text": LONG})
        admin.api("PUT", f"/admin/limits/group/{quote(MARKUP)}", json={"max_gpus": 1})
        rename(site, "dave", MARKUP)
        site.restart("portal")  # it remembers the directory for a minute
        yield Seeded(node, live, str(job.json()["id"]))
    finally:
        rename(site, "dave", was)
        site.run("scontrol", "update", f"nodename={node}", "state=resume", check=False)
        for item in admin.api("GET", "/admin/announcements").json()["items"]:
            if item["text"] == LONG:
                admin.api("DELETE", f"/admin/announcements/{item['id']}")
        admin.api("DELETE", f"/admin/limits/group/{quote(MARKUP)}")
        for message in admin.api("GET", "/messages").json()["items"]:
            admin.api("DELETE", f"/messages/{message['id']}")


def is_only_text(page: Page, path: str) -> None:
    assert page.locator("img[src=x]").count() == 0, path
    assert not page.evaluate("window.hacked"), path
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert overflow <= 0, f"{path} is {overflow} px too wide at {width}"


def test_what_people_write_is_text_and_breaks_no_layout(site: DemoSite, open_page: OpenPage, seeded: Seeded) -> None:
    page = open_page("admin")
    for path in seeded.pages:
        page.set_viewport_size({"width": WIDTHS[0], "height": 844})
        page.goto(f"/services/portal/{path}")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        expect(page.get_by_role("main").get_by_text("img src=x").first).to_be_attached()
        if path.startswith("sessions/"):
            page.get_by_role("button", name="Show log").click()
            expect(page.get_by_role("region", name="Log").get_by_text("img src=x").first).to_be_attached()
        is_only_text(page, path)
    page.context.clear_cookies()
    page.goto(site.at("/hub/login"))
    expect(page.get_by_text("img src=x")).to_be_visible()
    is_only_text(page, "the login page")
