"""A session that nobody uses, as its owner sees it: the warning in JupyterLab and on the portal's pages, and snoozing.

NVML is a stand-in that plays a recording with work in it, so here a GPU below 100 % is idle.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.demo_site import INSIDE, DemoSite, setting
from tests.e2e.conftest import CLOCK, OpenPage, card
from tests.e2e.test_lab import open_lab
from tests.person import Live, Person
from tests.standins.nvml import reporting_gpus

OFTEN = ("[agent]\n", "[agent]\nreport_interval_s = 2\n")
#: An open page asks the server now and then; measures far above that keep a slow machine from being work.
IDLE = """\
[idle]
action = "end"
after_minutes = 10
snooze_minutes = 90
snoozes = 2
gpu_percent = 100
cpu_percent = 10000
disk_kib_s = 1e9
network_kib_s = 1e9
"""


def test_idle_session_is_warned_of_and_snoozed_in_lab_and_on_its_page(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    with reporting_gpus(site, "notebook"), setting(site, IDLE, replace=OFTEN):
        live = person("bob").ready("Forgotten", gpus=1)
        lab, page = open_page("bob"), open_page("bob")
        open_lab(lab, live)
        site.wait_for(lambda: is_quiet(live), "reports of an unused session", 60)

        is_idle_for_ten_minutes(site, live)
        warning = lab.get_by_role("alert").filter(has_text=re.compile(r"^Idle for 10 min: no GPU, kernel, terminal"))
        expect(warning).to_contain_text(re.compile(r"The session will be ended in (29|30) min\."))
        shows_the_end(page, live, left="2 snoozes left.")
        warning.get_by_role("button", name="Snooze for 1 h 30 min").click()
        expect(warning).to_have_count(0)
        expect(page.get_by_role("heading", name=re.compile("Idle"))).to_have_count(0)
        assert [event["message"] for event in live.events()][-1] == "Snoozed for 1 h 30 min; 1 snooze left."

        is_idle_for_ten_minutes(site, live)
        expect(warning).to_be_visible()
        shows_the_end(page, live, left="1 snooze left.")
        page.get_by_role("button", name="Snooze for 1 h 30 min").click()
        expect(page.get_by_role("heading", name=re.compile("Idle"))).to_have_count(0)
        expect(warning).to_have_count(0)
        page.goto("/services/portal/")
        expect(card(page, "Forgotten")).to_contain_text("left")
        expect(card(page, "Forgotten")).not_to_contain_text("idle")


def is_quiet(live: Live) -> bool:
    """Whether the last report has every measure that the policy judges."""
    usage = live.now()["usage"]
    if usage is None or usage["activity"] is None or not usage["gpus"]:
        return False
    known = [usage["gpus"][0]["utilization_peak"], usage["activity"]["kernel_busy_percent"]]
    return None not in [*known, usage["activity"]["network_kib_s"]] and usage["activity"]["quiet_s"] > 5


def is_idle_for_ten_minutes(site: DemoSite, live: Live) -> None:
    """Let the portal find in its database that the session has been idle since ten minutes ago, not snoozed."""
    write = (
        "import sqlite3, sys, time; _, file, id = sys.argv; base = sqlite3.connect(file, timeout=30);"
        " base.execute('insert into idle_warnings (session_id, since_s, snoozed_to_s, snoozes) values (?, ?, 0, 0)"
        " on conflict do update set since_s = excluded.since_s, snoozed_to_s = 0', [id, time.time() - 600]);"
        " base.commit()"
    )
    site.run("python3", "-c", write, str(INSIDE / "portal/data/portal.sqlite"), live.id)
    site.restart("portal")


def shows_the_end(page: Page, live: Live, *, left: str) -> None:
    """Follow the warning from Sessions to the session's page."""
    page.goto("/services/portal/")
    expect(card(page, "Forgotten")).to_contain_text(re.compile(rf"idle, ends at {CLOCK}"))
    page.goto(f"/services/portal/sessions/{live.id}")
    expect(page.get_by_role("heading", name=re.compile(rf"^◔?\s*Idle: it will be ended at {CLOCK}"))).to_be_visible()
    expect(page.get_by_text(left, exact=True)).to_be_visible()
