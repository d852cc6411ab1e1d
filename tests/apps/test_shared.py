"""A real Streamlit, at a port of its user's session and as an app, used by its owner and by a colleague."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, WebSocket, expect

from demo.site import INSIDE
from tests.apps.real import OPTIONS
from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live

Opened = Callable[..., Live]
PORT = 18501
SLOW_MS = 120_000  # the first start reads hundreds of megabytes
ENDED_MS = 60_000
STREAMLIT = f"{INSIDE}/environments/apps/bin/streamlit run ~/apps/streamlit_app.py --server.headless=true"


def add_up(page: Page) -> None:
    """Click in the app's page; what the script answers comes through its websocket."""
    page.get_by_role("button", name="Add up").click(timeout=SLOW_MS)
    expect(page.get_by_text("The sum is 42")).to_be_visible()


def share_with_bob(live: Live, port: int | None, mode: str | None = None) -> int:
    ask = {"users": ["bob"], "port": port, "mode": mode}
    answer = live.owner.api("POST", f"/sessions/{live.id}/shares", json=ask)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["items"][-1]["id"])


def open_shared(context: BrowserContext, share: int, use: Callable[[Page], None]) -> tuple[Page, list[WebSocket]]:
    """Open the share's link and use it; return the page and its websockets so far."""
    page = context.new_page()
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.goto(f"/services/portal/shared/{share}")
    use(page)
    return page, [socket for socket in sockets if not socket.is_closed()]


def end(live: Live, share: int, guests: Page, sockets: list[WebSocket]) -> None:
    """End the share: the guest's websockets close by themselves, and nothing opens any more."""
    assert sockets
    assert live.owner.api("DELETE", f"/sessions/{live.id}/shares/{share}").status_code == 204
    for socket in sockets:
        if not socket.is_closed():
            socket.wait_for_event("close", timeout=ENDED_MS)
    guests.reload()
    expect(guests.get_by_text("You no longer have access here")).to_be_visible()


def test_streamlit_at_a_port_works_for_its_owner_and_a_colleague(opened: Opened, open_page: OpenPage) -> None:
    live = opened("terminal", environment="apps")
    page = open_page("alice")
    page.goto(live.url)
    page.locator(".xterm-helper-textarea").wait_for(state="attached")
    page.locator(".xterm").first.click()
    page.keyboard.type(f"{STREAMLIT} --server.address=127.0.0.1 --server.port={PORT}\n")
    expect(page.get_by_text("You can now view your Streamlit app").first).to_be_visible(timeout=SLOW_MS)
    page.goto(f"{live.url}proxy-port/{PORT}/")
    add_up(page)

    share = share_with_bob(live, PORT)
    guests, sockets = open_shared(open_page("bob").context, share, add_up)
    assert urlsplit(guests.url).path.endswith(f"/proxy-port/{PORT}/")
    end(live, share, guests, sockets)


def test_streamlit_as_an_app_works_for_a_colleague_until_the_share_ends(
    opened: Opened, open_page: OpenPage, kept_site: DemoSite
) -> None:
    live = opened("streamlit", OPTIONS["streamlit"])
    share = share_with_bob(live, None)
    guests, sockets = open_shared(open_page("bob").context, share, add_up)
    # The session's line, which stops the session, is its owner's alone.
    expect(guests.locator("iframe[title='Session']")).to_have_count(0)
    end(live, share, guests, sockets)
