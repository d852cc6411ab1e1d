"""The notifications page on a real site, with a real receiver: choose, test, read how each message went."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.demo_site import INSIDE, DemoSite, setting
from tests.e2e.conftest import OpenPage
from tests.e2e.test_accessible import AXE, violations
from tests.person import Person
from tests.receivers import Receiver, certificate, receiver

CA = INSIDE / "portal" / "hooks-ca.pem"


@pytest.fixture
def hook(site: DemoSite, tmp_path: Path) -> Iterator[Receiver]:
    """A receiver of webhooks that the site allows."""
    own = certificate(tmp_path)
    site.run("tee", str(CA), stdin=own.ca.read_text())
    with (
        receiver(own.context()) as result,
        setting(site, f'[notifications.webhooks]\nprivate_hosts = ["{result.host}"]\nca_file = "{CA}"'),
    ):
        yield result


def test_a_webhook_is_added_tested_and_told_and_the_log_says_how_each_message_went(
    site: DemoSite, open_page: OpenPage, hook: Receiver, person: Callable[[str], Person]
) -> None:
    page = open_page("dave")
    page.goto("/services/portal/notifications")
    url = page.get_by_label("Webhook URL")
    url.fill("https://elsewhere.example/hooks/1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(re.compile("elsewhere.example"))).to_be_visible()
    page.get_by_label("Format").select_option(label="JSON")
    url.fill(hook.url())
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"Goes to {hook.host} (JSON).")).to_be_visible()
    assert "a-secret-path" not in page.content()

    events = page.get_by_role("group", name="Webhook: tell me when")
    idle = events.get_by_role("switch", name="are idle")
    expect(idle).to_be_checked()
    idle.focus()
    page.keyboard.press("Space")
    expect(idle).not_to_be_checked()

    lines = page.get_by_role("listitem")
    page.get_by_role("button", name="Send a test").click()
    expect(lines.first).to_contain_text("Sent")
    assert len(hook.posts) == 1
    hook.status = 500
    page.get_by_role("button", name="Send a test").click()
    expect(lines.first).to_contain_text("HTTP 500")
    expect(lines).to_have_count(2)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(page, AXE) == [], scheme

    hook.status = 200
    live = person("dave").ready("Told of", gpus=0)
    site.wait_for(lambda: any("Told of" in str(post) for post in hook.posts), "the receiver to be told")
    page.reload()
    told = lines.filter(has_text="Told of").first
    expect(told).to_contain_text("Sent")
    expect(told.get_by_role("link")).to_have_attribute("href", re.compile(live.id))

    page.reload()
    expect(events.get_by_role("switch", name="are idle")).not_to_be_checked()
    page.get_by_role("button", name="Remove").click()
    expect(url).to_be_visible()
