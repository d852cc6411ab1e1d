"""What GPUs did, as their users and administrators see it: charts over a session's life, processes, errors in words.

NVML is a stand-in that plays what an H100 once reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_accessible import AXE, violations
from tests.integration.jobs.batch import script, submit
from tests.person import Person
from tests.standins.nvml import fail, reporting_gpus

#: A report comes every 30 s, and a sample of the reports every minute.
DRAWN_MS = 150_000
CHARTS = ("GPUs, mean", "Multiprocessors busy", "Memory bandwidth", "PCIe", "Kernel busy", "GPU memory", "GPU power")


@pytest.mark.slow  # samples are a minute apart
def test_gpus_are_drawn_and_their_errors_told_on_the_pages_of_session_job_and_node(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    with reporting_gpus(site, "notebook"):
        live = alice.ready("Charted", gpus=2)
        live.kernel()
        job_id = submit(alice, script("sleep 600", "--gres=gpu:2", "--time=15", "--job-name=metered"))
        site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}/gpus").json()["items"], "the job's meter", 60)
        fail(site, 79)
        for dark, phone in product((False, True), repeat=2):
            page = open_page("alice", dark=dark, phone=phone)
            session_page(page, f"/services/portal/sessions/{live.id}")
            job_page(page, f"/services/portal/jobs/{job_id}")
        session = live.now()
        admin = open_page("admin")
        admin.goto(f"/services/portal/admin/nodes?node={session['node']}")
        finding = admin.get_by_role("listitem").filter(has_text=f"job {session['job_id']} of alice").first
        expect(finding).to_contain_text(
            "Xid 79, the GPU has fallen off the bus. The hardware is at fault: drain the node"
        )


def session_page(page: Page, url: str) -> None:
    page.goto(url)
    for name in CHARTS:
        expect(page.get_by_text(re.compile(f"^{name}: .* on average, .* at most"))).to_be_visible(timeout=DRAWN_MS)
    processes = page.get_by_role("table", name="Processes on the GPUs")
    for gpu in (0, 1):
        expect(processes.get_by_role("row").filter(has_text=f"GPU {gpu}")).to_contain_text("Jupyter kernel")
    expect(page.get_by_role("alert")).to_contain_text("GPU 0: Xid 79, the GPU has fallen off the bus.")
    totals = page.get_by_role("table", name="GPUs so far")
    expect(totals.get_by_role("row").filter(has_text="NVIDIA H100")).to_have_count(2)
    fits(page)
    assert violations(page, AXE) == []


def job_page(page: Page, url: str) -> None:
    page.goto(url)
    totals = page.get_by_role("region", name="GPUs", exact=True)
    expect(totals.get_by_role("row").filter(has_text="NVIDIA H100")).to_have_count(2)
    expect(totals.get_by_text("GPU 0: Xid 79, the GPU has fallen off the bus.")).to_be_visible(timeout=DRAWN_MS)
    fits(page)


def fits(page: Page) -> None:
    """Neither the page nor a table on it must be scrolled sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(
        "[...document.querySelectorAll('table')].every(t => t.scrollWidth <= t.parentElement.clientWidth)"
    )
