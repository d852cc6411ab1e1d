"""The desktop with real Xvnc, Openbox and xterm, in Chromium: typing, size, clipboard, coming back, idle, guests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from demo.site import INSIDE
from tests.apps.conftest import SMALL
from tests.apps.real import DESK
from tests.apps.test_shared import ENDED_MS, end, open_shared, share_with_bob
from tests.demo_site import RESULTS, DemoSite
from tests.e2e.conftest import OpenPage
from tests.images import write_desktop
from tests.person import Live, Person

HOME = INSIDE / "home" / "alice"
QUIET_S = 45  # longer than the time between two reports of the agent
DRAWN_MS = 500


@pytest.fixture
def desktop(opened: Callable[..., Live], kept_site: DemoSite) -> Live:
    live = opened("desktop")
    shell = 'pgrep -P "$(pgrep -n -x -u alice xterm)"'
    kept_site.wait_for(lambda: kept_site.process("sh", "-c", shell).returncode == 0, "the desktop's terminal")
    return live


def visit(open_page: OpenPage, live: Live) -> Page:
    """Open the desktop, and give its terminal the keyboard."""
    page = open_page("alice")
    page.goto(live.url)
    expect(page.get_by_role("status")).to_be_hidden()
    page.locator("main canvas").click()
    page.wait_for_timeout(DRAWN_MS)
    return page


def ask(page: Page, site: DemoSite, command: str) -> str:
    """Type a command into the desktop's terminal and return what it writes."""
    file = HOME / "from-the-desktop"
    site.run("rm", "-f", str(file))
    page.keyboard.type(f"clear; ({command}) > ~/.asked; mv ~/.asked ~/{file.name}\n", delay=5)
    site.wait_for(lambda: site.process("test", "-e", str(file)).returncode == 0, f"the answer to {command}")
    return site.run("cat", str(file))


def test_a_terminal_runs_what_is_typed_and_is_still_there_for_a_page_that_comes_back(
    desktop: Live, open_page: OpenPage, kept_site: DemoSite
) -> None:
    page = visit(open_page, desktop)
    assert ask(page, kept_site, "echo $SLURM_JOB_ID").strip() == str(desktop.now()["job_id"])
    page.keyboard.type("kept=here\n")
    page.wait_for_timeout(DRAWN_MS)
    page.close()
    assert ask(visit(open_page, desktop), kept_site, "echo $kept").strip() == "here"


def test_the_desktop_takes_the_size_of_its_page(desktop: Live, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, desktop)
    for width, height in ((1400, 900), (1000, 700)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(2000)  # noVNC waits until the size stays
        size = page.locator("main").bounding_box()
        assert size is not None
        shown = ask(page, kept_site, "xdpyinfo | grep dimensions").split()[1]
        assert shown == f"{int(size['width'])}x{int(size['height'])}"
        assert size["width"] == width


def test_a_phone_shows_the_whole_desktop_and_types_into_it(
    desktop: Live, open_page: OpenPage, kept_site: DemoSite
) -> None:
    before = ask(visit(open_page, desktop), kept_site, "xdpyinfo | grep dimensions")
    page = open_page("alice", phone=True)
    page.goto(desktop.url)
    expect(page.get_by_role("status")).to_be_hidden()
    canvas = page.locator("main canvas").bounding_box()
    assert canvas is not None
    assert canvas["width"] <= 390
    page.locator("main canvas").click()
    assert ask(page, kept_site, "xdpyinfo | grep dimensions") == before


def test_the_clipboard_goes_both_ways(desktop: Live, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, desktop)
    page.get_by_role("button", name="Clipboard").click()
    field = page.get_by_role("textbox", name="Clipboard of the desktop")
    field.fill("grün, pasted")
    page.keyboard.press("Escape")
    page.wait_for_timeout(DRAWN_MS)
    page.keyboard.type("clear; read line; echo $line > ~/pasted\n")
    page.wait_for_timeout(DRAWN_MS)
    page.keyboard.press("Shift+Insert")
    page.wait_for_timeout(DRAWN_MS)
    page.keyboard.press("Enter")
    pasted = HOME / "pasted"
    kept_site.wait_for(lambda: kept_site.process("test", "-s", str(pasted)).returncode == 0, "the text to be pasted")
    assert kept_site.run("cat", str(pasted)).strip() == "grün, pasted"
    # A double click in the terminal selects a word.
    page.keyboard.type("clear; yes copiedcopiedcopied copiedcopiedcopied copiedcopiedcopied | head -60\n")
    page.wait_for_timeout(1000)
    page.locator("main canvas").dblclick()
    page.get_by_role("button", name="Clipboard").click()
    expect(field).to_have_value("copiedcopiedcopied")


def test_software_renders_opengl(desktop: Live, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, desktop)
    assert "llvmpipe" in ask(page, kept_site, "glxinfo -B")
    assert "frames in" in ask(page, kept_site, "timeout 8 stdbuf -oL glxgears")


def test_a_page_is_kept_from_no_key_but_the_one_that_leads_out(desktop: Live, open_page: OpenPage) -> None:
    page = visit(open_page, desktop)
    page.keyboard.press("Tab")
    expect(page.locator("main canvas")).to_be_focused()
    page.keyboard.press("Control+Alt+Home")
    expect(page.get_by_role("button", name="Clipboard")).to_be_focused()


def test_the_programs_of_an_image_paint_on_its_desktop(
    opened: Callable[..., Live], open_page: OpenPage, kept_site: DemoSite
) -> None:
    """Every program of it is the image's: Xvnc, the window manager, the terminal, and what is started there."""
    image = write_desktop(kept_site.folder / "shared" / DESK.name)
    (image / "etc" / "made-for").write_text("the test of desktops\n")
    page = visit(open_page, opened("desktop", environment="desk"))
    page.keyboard.type("cat /etc/made-for > ~/from-the-image; xsetroot -solid '#ff0000'\n", delay=5)
    page.wait_for_function(
        """() => {
          const canvas = document.querySelector("main canvas");
          const { data } = canvas.getContext("2d").getImageData(20, canvas.height - 20, 1, 1);
          return data[0] === 255 && data[1] === 0;
        }"""
    )
    assert kept_site.run("cat", str(HOME / "from-the-image")) == "the test of desktops\n"


@pytest.mark.slow  # reports of an agent, which are half a minute apart
def test_an_open_desktop_that_nobody_uses_is_idle(desktop: Live, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, desktop)
    page.keyboard.type("clear\n")

    def quiet() -> bool:
        activity = (desktop.now()["usage"] or {}).get("activity") or {}
        return (activity.get("quiet_s") or 0) > QUIET_S

    kept_site.wait_for(quiet, "the open desktop to count as quiet", timeout_s=QUIET_S + 75)
    page.keyboard.type("clear\n")
    kept_site.wait_for(lambda: not quiet(), "typing to count as use", timeout_s=60)


def test_leaving_the_desktop_ends_its_session_well(alice: Person, open_page: OpenPage) -> None:
    live = alice.open("desktop", resources=SMALL)
    live.until("ready")
    page = visit(open_page, live)
    page.keyboard.type("openbox --exit\n")
    assert live.ended()["end"]["code"] == "finished"


def test_a_guest_watches_and_reaches_nothing_until_the_share_ends(
    desktop: Live, open_page: OpenPage, kept_site: DemoSite
) -> None:
    owners = visit(open_page, desktop)
    before = ask(owners, kept_site, "xdpyinfo | grep dimensions")
    share = share_with_bob(desktop, None)
    guests, sockets = open_shared(open_page("bob").context, share, watches)
    assert [button.inner_text() for button in guests.get_by_role("button").all()] in ([], ["Full screen"])

    # What the owner does, the guest sees.
    shown = picture(guests)
    owners.keyboard.type("clear; yes seen by both | head -40\n")
    guests.wait_for_function("before => document.querySelector('main canvas').toDataURL() !== before", arg=shown)
    # What the guest does, nobody sees: neither keys nor clicks, nor another size of the page.
    guests.set_viewport_size({"width": 700, "height": 500})
    guests.locator("main canvas").click()
    guests.keyboard.type("touch ~/by-the-guest\n", delay=5)
    assert ask(owners, kept_site, "ls ~/by-the-guest 2>&1").strip().endswith("No such file or directory")
    assert ask(owners, kept_site, "xdpyinfo | grep dimensions") == before
    RESULTS.mkdir(exist_ok=True)
    guests.screenshot(path=RESULTS / "desktop-guest.png")
    end(desktop, share, guests, sockets)


def test_a_guest_who_may_use_it_types_until_the_share_is_to_look(
    desktop: Live, open_page: OpenPage, kept_site: DemoSite
) -> None:
    share = share_with_bob(desktop, None, "use")
    guests, sockets = open_shared(open_page("bob").context, share, uses)
    guests.locator("main canvas").click()
    guests.wait_for_timeout(DRAWN_MS)
    assert ask(guests, kept_site, "echo typed by a guest").strip() == "typed by a guest"
    assert share_with_bob(desktop, None, "look") == share
    for socket in sockets:
        if not socket.is_closed():
            socket.wait_for_event("close", timeout=ENDED_MS)
    guests, sockets = open_shared(guests.context, share, watches)
    end(desktop, share, guests, sockets)


def uses(page: Page) -> None:
    expect(page.get_by_role("button", name="Clipboard")).to_be_visible()
    expect(page.get_by_text("View only")).to_have_count(0)
    expect(page.get_by_role("status")).to_be_hidden()


def watches(page: Page) -> None:
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("status")).to_be_hidden()


def picture(page: Page) -> str:
    return str(page.evaluate("document.querySelector('main canvas').toDataURL()"))
