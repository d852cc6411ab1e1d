"""A port of a session's own program, opened from the session's menu."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage, card, type_in_terminal
from tests.e2e.test_accessible import looks

PORT = 8521
#: A page with a button, which asks over a websocket what the program counts.
PROGRAM = """
import asyncio, sys
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler
PAGE = '''<!doctype html><title>Counter</title><button disabled>Count</button><output></output><script>
const socket = new WebSocket(location.href.replace("http", "ws") + "counts");
socket.onopen = () => document.querySelector("button").disabled = false;
socket.onmessage = (message) => document.querySelector("output").textContent = message.data;
document.querySelector("button").onclick = () => socket.send("one more");
</script>'''
class Counter(RequestHandler):
    def get(self):
        self.write(PAGE)
class Counts(WebSocketHandler):
    count = 0
    def on_message(self, message):
        Counts.count += 1
        self.write_message(f"counted {Counts.count}")
async def main():
    Application([("/", Counter), ("/counts", Counts)]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()
asyncio.run(main())
"""


def test_a_port_opens_from_the_menu_and_its_page_works_with_its_websocket(site: DemoSite, open_page: OpenPage) -> None:
    site.run("sh", "-c", "cat >~/counter.py", user="dave", stdin=PROGRAM)
    page = open_page("dave")
    page.goto("/services/portal/sessions/new?app=terminal&name=counting&gpus=0&partition=sxm2")
    page.get_by_role("button", name="Start session").click()
    type_in_terminal(page, f"python counter.py {PORT}")
    page.goto("/services/portal/")

    open_dialog(page)
    dialog = page.get_by_role("dialog", name="Open a port of counting")
    expect(dialog.get_by_text("counter.py")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("dialog")).to_have_css("opacity", "1")
    looks(page, "port")
    with page.expect_popup() as popup:
        dialog.get_by_role("button", name=f"Open port {PORT}").click()
    counter = popup.value
    assert urlsplit(counter.url).path.endswith(f"/proxy-port/{PORT}/")
    count(counter, 1)

    # The same by keyboard alone, by its number.
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    open_dialog(page, by_keyboard=True)
    field = dialog.get_by_label("Port", exact=True)
    # A dialog takes the focus as it opens, away from who is faster.
    expect(dialog).to_have_css("opacity", "1")
    expect(dialog.locator(":focus")).to_be_visible()
    for _ in range(6):
        if field.evaluate("field => field === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.type(str(PORT))
    expect(field).to_have_value(str(PORT))
    with page.expect_popup() as popup:
        page.keyboard.press("Enter")
    count(popup.value, 2)


def open_dialog(page: Page, *, by_keyboard: bool = False) -> None:
    more = card(page, "counting").get_by_role("button", name=re.compile("^More for"))
    if not by_keyboard:
        more.click()
        page.get_by_role("menuitem", name="Open a port…").click()
        return
    more.focus()
    page.keyboard.press("Enter")
    item = page.get_by_role("menuitem", name="Open a port…")
    expect(item).to_be_visible()
    for _ in range(6):
        page.keyboard.press("ArrowDown")
        if item.evaluate("item => item === document.activeElement"):
            break
    page.keyboard.press("Enter")


def count(page: Page, expected: int) -> None:
    page.get_by_role("button", name="Count").click()
    expect(page.get_by_role("status")).to_have_text(f"counted {expected}")
