"""A port of a session, shared with a colleague by click: the colleague uses it, and is out when it ends."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage, card, type_in_terminal
from tests.e2e.test_accessible import looks
from tests.e2e.test_ports import PROGRAM, count

PORT = 8541
LINK = "Open dave's showing"


def test_a_colleague_uses_a_shared_port_until_its_owner_ends_it(site: DemoSite, open_page: OpenPage) -> None:
    site.run("sh", "-c", "cat >~/counter.py", user="dave", stdin=PROGRAM)
    owner = open_page("dave")
    owner.goto("/services/portal/sessions/new?app=terminal&name=showing&gpus=0&partition=sxm2")
    owner.get_by_role("button", name="Start session").click()
    type_in_terminal(owner, f"python counter.py {PORT}")
    owner.goto("/services/portal/")

    dialog = share_by_keyboard(owner)
    looks(owner, "share")
    dialog.get_by_label("With", exact=True).select_option("key")
    dialog.get_by_label("Name of the key").fill("a script")
    dialog.get_by_role("button", name="Share", exact=True).click()
    expect(dialog.get_by_label("Key", exact=True)).to_have_value(re.compile("^dsp-"))
    looks(owner, "share-key")
    guest = open_page("bob")
    expect(guest.get_by_role("heading", name="Shared with you")).to_be_visible()
    looks(guest, "shared-with-me")
    with guest.expect_popup() as popup:
        guest.get_by_role("button", name=LINK).click()
    theirs = popup.value
    theirs.wait_for_url(f"**/proxy-port/{PORT}/")
    count(theirs, 1)

    # The terminal beside it stays closed.
    base = theirs.url.partition("proxy-port/")[0]
    refused = guest.context.new_page()
    answer = refused.goto(base)
    assert answer is not None
    assert (answer.status, urlsplit(refused.url).path) == (403, "/hub/api/oauth2/authorize")

    # Its end closes the open websocket, and the link says so.
    theirs.evaluate("void (socket.onclose = () => document.querySelector('output').textContent = 'closed')")
    dialog.get_by_role("button", name="End the share with bob").click()
    expect(theirs.get_by_role("status")).to_have_text("closed", timeout=60_000)
    theirs.reload()
    expect(theirs.get_by_text("You no longer have access here")).to_be_visible()
    looks(theirs, "no-longer")
    with guest.expect_popup() as popup:
        guest.get_by_role("button", name=LINK).click()
    expect(popup.value.get_by_text("This share has ended")).to_be_visible()
    looks(popup.value, "share-ended")


def share_by_keyboard(page: Page):  # type: ignore[no-untyped-def]  # a Locator
    """Share the port with bob without a mouse; return the dialog."""
    more = card(page, "showing").get_by_role("button", name=re.compile("^More for"))
    more.focus()
    page.keyboard.press("Enter")
    item = page.get_by_role("menuitem", name="Share…")
    expect(item).to_be_visible()
    for _ in range(8):
        page.keyboard.press("ArrowDown")
        if item.evaluate("item => item === document.activeElement"):
            break
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Share showing")
    what = dialog.get_by_label("What", exact=True)
    expect(what).to_contain_text(f"Port {PORT} (counter.py)", timeout=30_000)
    what.select_option(str(PORT))
    people = dialog.get_by_label("People", exact=True)
    people.focus()
    page.keyboard.type("bob")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("list", name="Shared now")).to_contain_text("bob")
    return dialog
