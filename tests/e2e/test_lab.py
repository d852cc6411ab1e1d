"""JupyterLab inside a session, in Chromium: what it opens, and what it says of the session it runs in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import CLONE, INSIDE, DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live, Person

LAB_TIMEOUT_MS = 60_000
USE = re.compile(r"/portal/session/usage\?")  # JupyterLab adds the time, against caches


@pytest.fixture
def bob(site: DemoSite) -> Iterator[Person]:
    person = Person.of(site, "bob")
    yield person
    person.close()


def open_lab(page: Page, live: Live, path: str = "lab") -> None:
    page.goto(live.site.at(live.address + path))
    expect(page.get_by_role("menubar").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(page.locator("#jupyterlab-splash")).to_have_count(0, timeout=LAB_TIMEOUT_MS)


def test_a_session_opens_what_was_asked_for_and_not_what_another_session_has_open(
    bob: Person, open_page: OpenPage
) -> None:
    first, second = bob.ready(gpus=0), bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, first)
    page.locator(".jp-LauncherCard[data-category='Notebook']").first.click()
    notebook = page.get_by_role("tab", name="Untitled")
    expect(notebook.first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    with page.expect_response(
        lambda response: "/lab/api/workspaces/" in response.url and response.request.method == "PUT"
    ):
        pass  # what is open is saved half a second later

    open_lab(page, second)
    expect(page.locator(".jp-Launcher").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(page.locator(".jp-FileBrowser.jp-mod-restoring")).to_have_count(0)  # then JupyterLab opens a launcher, too
    expect(page.locator(".jp-Launcher")).to_have_count(1)
    expect(notebook).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)

    open_lab(page, first)  # a reload shows this session's own again
    expect(notebook.first).to_be_visible(timeout=LAB_TIMEOUT_MS)


def test_lab_says_what_the_session_has_and_extends_it_by_keyboard(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready("Digits", gpus=2, walltime_s=3600)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text(re.compile(r"5\d min left · 2 GPUs"))
    expect(item).to_contain_text(re.compile(r"MB of|GB of"), timeout=LAB_TIMEOUT_MS)  # the agent's first report

    item.focus()
    with page.expect_response(USE) as asked:
        page.keyboard.press("Enter")
    assert asked.value.ok
    panel = page.get_by_role("dialog", name="Session")
    for text in ("Digits", str(live.now()["node"]), "of 1 h used", "GPUs2", "cores", "Ends "):
        expect(panel).to_contain_text(text)
    expect(panel.get_by_role("link", name="Session page")).to_have_attribute(
        "href", live.site.url + f"/services/portal/sessions/{live.id}"
    )
    panel.get_by_role("button", name="Extend").press("Enter")
    panel.get_by_role("button", name="+ 30 min").press("Tab")
    panel.get_by_role("button", name="+ 1 h").press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Extended: 1 h 5")
    expect(item).to_contain_text(re.compile(r"1 h 5\d min left"))
    assert live.now()["resources"]["walltime_s"] == 7200
    panel.get_by_role("button", name="Extend").press("Escape")  # JupyterLab moves the focus by itself, too
    expect(panel).to_have_count(0)
    expect(item).to_be_focused()

    # The site's GPUs are stand-ins that report no use.
    now = datetime.now(UTC)
    samples = [{"at": (now - timedelta(minutes=n)).isoformat(), "gpu_percent": 20 * n} for n in (5, 4, 3, 2, 1, 0)]
    page.route(USE, lambda route: route.fulfill(json={"step_s": 60, "items": samples, "gpus": {}}))
    item.press("Enter")
    expect(panel.get_by_role("img", name="GPU use over the session: 50 % on average")).to_be_visible()
    expect(panel).to_contain_text("50 % on average since the start")


def test_a_phone_shows_how_much_time_is_left_and_the_panel_fits(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready("Pocket", gpus=1, walltime_s=3600)
    page = open_page("bob", phone=True)
    # An offer to open an earlier session's notebooks is as wide as a phone, and covers what is at the bottom.
    offer = page.get_by_role("alert").filter(has_text="Open in your last session")
    page.add_locator_handler(offer, lambda: page.get_by_role("button", name="Hide notification").first.click())
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text(re.compile("min left · 1 GPU"))
    item.click()
    panel = page.get_by_role("dialog", name="Session")
    panel.get_by_role("button", name="Extend").click()
    expect(panel.get_by_role("button", name="+ 1 h")).to_be_visible()
    for part in (item, panel, *panel.get_by_role("button").all(), *panel.get_by_role("link").all()):
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 390 - box["width"], (part, box)
    page.keyboard.press("Escape")
    page.locator(".jp-LauncherCard[data-category='Notebook']").first.click()  # its kernel is in the status bar, too
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_attached(timeout=LAB_TIMEOUT_MS)
    box = item.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= 390 - box["width"], box
    live.stop()


def test_lab_shows_a_change_made_elsewhere_and_stops_the_session_only_when_told_twice(
    bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready(gpus=0, walltime_s=7200)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("1 h 5")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 1800})
    assert changed.status_code == 200, changed.text
    expect(item).to_contain_text(re.compile(r"^2\d min left"))

    new_notebook(page, "x = 1")
    item.click()
    panel = page.get_by_role("dialog", name="Session")
    panel.get_by_role("button", name="Stop").click()
    question = page.get_by_role("dialog").filter(has_text="You lose kernels")
    expect(question).to_contain_text(re.compile(r"Unsaved: Untitled.*\.ipynb\. JupyterLab ends"))
    page.get_by_role("button", name="Keep running").click()
    assert live.now()["state"] == "ready"
    item.click()
    panel.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop session").click()
    assert live.ended()["end"]["code"] == "stopped"
    expect(panel).to_have_count(0)


def test_lab_stays_silent_while_the_portal_is_away_and_goes_on_after_it(
    site: DemoSite, bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready(gpus=0, walltime_s=7200)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("GB", timeout=LAB_TIMEOUT_MS)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    site.kill("portal")
    try:
        expect(item).to_have_text(re.compile(r"^1 h 5\d min left$"))  # no figures that may be old
        item.click()
        panel = page.get_by_role("dialog", name="Session")
        expect(panel).to_contain_text("The portal does not answer at the moment")
        panel.get_by_role("button", name="Extend").click()
        expect(panel.get_by_role("status")).to_have_text("The portal does not answer. Try again soon.")
        expect(page.locator(".Toastify__toast").filter(has_text="portal")).to_have_count(0)
        assert len(errors) <= 1, errors  # the browser's own, of the one request that was asked for
    finally:
        site.start("portal")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 1800})
    assert changed.status_code == 200, changed.text
    expect(item).to_contain_text(re.compile(r"^2\d min left"), timeout=LAB_TIMEOUT_MS)


def new_notebook(page: Page, code: str) -> None:
    """Open a notebook from the launcher and type into its first cell."""
    page.locator(".jp-LauncherCard[data-category='Notebook']").first.click()
    expect(page.get_by_role("tab", name="Untitled").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    cell = page.locator(".jp-Notebook .cm-content").first
    cell.click(timeout=LAB_TIMEOUT_MS)
    page.keyboard.insert_text(code)
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible(timeout=LAB_TIMEOUT_MS)


def test_lab_warns_before_the_end_names_what_is_unsaved_and_extends(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready(gpus=0, walltime_s=3600)
    page = open_page("bob")
    open_lab(page, live)
    new_notebook(page, "x = 1")
    expect(page.get_by_role("alert").filter(has_text="ends in")).to_have_count(0)
    page.evaluate("const now = Date.now; Date.now = () => now() + 46 * 60_000")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 3540})  # news of the session
    assert changed.status_code == 200, changed.text
    warning = page.get_by_role("alert").filter(has_text="This session ends in")
    expect(warning).to_contain_text(re.compile(r"This session ends in 1[23] min\. Unsaved: Untitled.*\.ipynb\."))
    expect(warning.get_by_role("button", name="Session page")).to_be_visible()
    warning.get_by_role("button", name="Extend by 1 h").click()
    expect(page.get_by_role("alert").filter(has_text="Extended: 1 h 1")).to_be_visible()
    expect(warning).to_have_count(0)
    assert live.now()["resources"]["walltime_s"] == 3540 + 3600


def test_lab_says_at_once_that_a_kernel_was_killed_for_memory_and_the_sessions_page_in_red(
    site: DemoSite, bob: Person, open_page: OpenPage
) -> None:
    if "proctrack/cgroup" not in site.run("scontrol", "show", "config"):
        pytest.skip("This machine's cgroups cannot confine memory.")
    live = bob.ready(gpus=0, memory_mib=1024)
    page = open_page("bob")
    open_lab(page, live)
    new_notebook(page, "x = bytearray(1500 * 2**20)")
    page.keyboard.press("Shift+Enter")
    element = page.get_by_role("alert").filter(has_text="Out of memory: 1 GB of 1 GB.")
    expect(element).to_contain_text(re.compile(r"The kernel of Untitled.*\.ipynb was killed\."))
    page.get_by_role("dialog", name="Kernel Restarting").get_by_role("button", name="Ok").click()
    with page.context.expect_page() as opened:
        element.get_by_role("button", name="Start again with 2 GB").click()
    expect(opened.value).to_have_url(re.compile(r"/sessions/new\?.*memory_mib=2048"))

    page.goto(f"/services/portal/sessions/{live.id}")
    note = page.get_by_role("region", name="Out of memory")
    expect(note.get_by_role("alert")).to_contain_text("killed, such as a notebook's kernel")
    expect(note.get_by_role("button", name="Start again with 2 GB")).to_be_visible()


def test_lab_shows_an_administrators_message_until_it_is_read(site: DemoSite, bob: Person, open_page: OpenPage) -> None:
    live = bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    expect(page.get_by_role("button", name="Session: time left and use")).to_be_visible()
    with closing(Person.of(site, "admin")) as admin:
        for text in ("Please free the GPUs by noon.", "All work must stop. " * 20):
            sent = admin.api("POST", "/admin/sessions/message", json={"sessions": [live.id], "text": text})
            assert sent.status_code == 200, sent.text
    element = page.get_by_role("alert").filter(has_text="admin: Please free the GPUs by noon.")
    element.get_by_role("button", name="Mark as read").click()
    long = page.get_by_role("alert").filter(has_text="admin: All work must stop.")
    long.get_by_role("button", name="Read all of it").click()
    dialog = page.get_by_role("dialog", name="Message from admin")
    expect(dialog).to_contain_text(("All work must stop. " * 20).strip())
    dialog.get_by_role("button", name="Close").click()
    site.wait_for(lambda: bob.api("GET", "/messages").json()["items"] == [], "both messages to be read")
    expect(page.get_by_role("alert").filter(has_text="admin: ")).to_have_count(0)


def test_an_open_tab_says_how_its_session_ended_and_the_next_one_opens_its_notebooks(
    bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready("Digits", gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    with page.expect_response(
        lambda response: "/portal/session/documents" in response.url and response.status == 204,
        timeout=3 * LAB_TIMEOUT_MS,
    ):
        new_notebook(page, "x = 1")
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Rename and Save").click()
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    live.stop()
    dialog = page.get_by_role("dialog").filter(has_text="Digits has ended")
    expect(dialog).to_contain_text("You stopped it.")
    expect(dialog).to_contain_text("Saved files are in your home folder.")
    expect(dialog.get_by_role("button", name="Start again")).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(page.get_by_text("Restart", exact=True)).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/sessions/new\?.*name=Digits"))

    after = bob.ready(gpus=0)
    open_lab(page, after)
    offer = page.get_by_role("alert").filter(has_text="Open in your last session: Untitled")
    offer.get_by_role("button", name="Open again").click()
    expect(page.get_by_role("tab", name="Untitled").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(page.locator(".jp-Notebook .cm-content").first).to_have_text("x = 1", timeout=LAB_TIMEOUT_MS)


def test_a_notebook_that_was_never_saved_opens_again_with_a_kernel(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    with page.expect_response(
        lambda response: "/portal/session/documents" in response.url and response.status == 204,
        timeout=3 * LAB_TIMEOUT_MS,
    ):
        new_notebook(page, "x = 1")
    live.stop()
    live.ended()

    page = open_page("bob")
    open_lab(page, bob.ready(gpus=0))
    offer = page.get_by_role("alert").filter(has_text="Open in your last session: Untitled")
    offer.get_by_role("button", name="Open again").click()
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_open_tab_with_unsaved_work_names_it_when_its_job_was_cancelled(
    site: DemoSite, bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready("Cut short", gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    new_notebook(page, "x = 1")
    site.run("scancel", str(live.now()["job_id"]))
    dialog = page.get_by_role("dialog").filter(has_text="Cut short has ended")
    expect(dialog).to_contain_text(re.compile(r"Not saved, but still in this tab: Untitled.*\.ipynb"))
    end = live.ended()["end"]
    expect(dialog).to_contain_text(end["text"])
    expect(dialog).to_contain_text(end["advice"])
    with page.context.expect_page() as opened:
        dialog.get_by_role("button", name="Session page").click()
    expect(opened.value.get_by_role("heading", name="Cut short")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)  # the tab stays, with what it holds


def test_a_save_on_a_full_disk_says_what_is_full_and_keeps_the_text(
    site: DemoSite, bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready(gpus=0)
    folder = f"{INSIDE}/home/bob/full"
    # The node's mounts are its own.
    server = site.run("pgrep", "--newest", "--uid", "bob", "--full", "serve-jupyter").strip()
    node = ("nsenter", f"--target={server}", "--mount", "--")
    site.run("install", "-d", "-o", "bob", folder)
    site.run(*node, "mount", "-t", "tmpfs", "-o", "size=64k,mode=0777", "tmpfs", folder)
    try:
        site.run(*node, "tee", f"{folder}/notes.txt", stdin="before")
        site.run(*node, "chown", "bob", f"{folder}/notes.txt")
        page = open_page("bob")
        open_lab(page, live, "lab/tree/full/notes.txt")
        editor = page.locator(".jp-FileEditor .cm-content")
        editor.click()
        site.run(*node, "dd", "if=/dev/zero", f"of={folder}/everything", check=False)
        page.keyboard.type("after ")
        page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(
            re.compile(r"notes\.txt was not saved\. The disk is full \(.*0 MB of 0 MB free\)")
        )
        expect(dialog).to_contain_text("your changes are still in this tab")
        expect(dialog).to_contain_text(re.compile(r"Your home folder holds \d+ MB"))
        assert site.run(*node, "cat", f"{folder}/notes.txt") == "before"
        expect(editor).to_contain_text("after")
    finally:
        site.run(*node, "umount", "--lazy", folder)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_what_lab_says_of_its_session(bob: Person, open_page: OpenPage, dark: bool) -> None:
    live = bob.ready("Seen by axe", gpus=1, walltime_s=3600)
    themes = f"{live.address}lab/api/settings/@jupyterlab/apputils-extension:themes"
    assert bob.web.put(themes, json={"raw": '{"theme": "JupyterLab Dark"}' if dark else "{}"}).status_code == 204
    page = open_page("bob")
    open_lab(page, live)
    expect(page.locator(f"body[data-jp-theme-light='{str(not dark).lower()}']")).to_be_attached()
    assert bob.web.put(themes, json={"raw": "{}"}).status_code == 204  # for the next session
    page.evaluate((CLONE / "frontend/node_modules/axe-core/axe.min.js").read_text())
    page.get_by_role("button", name="Session: time left and use").click()
    panel = page.get_by_role("dialog", name="Session")
    panel.get_by_role("button", name="Extend").click()
    expect(panel.get_by_role("button", name="+ 1 h")).to_be_visible()
    assert axe(page, ".portal-session-panel", ".portal-session-bar") == []

    page.keyboard.press("Escape")
    page.evaluate("const now = Date.now; Date.now = () => now() + 55 * 60_000")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 3540})  # news of the session
    assert changed.status_code == 200, changed.text
    expect(page.get_by_role("alert").filter(has_text="This session ends in")).to_be_visible()
    expect(page.locator(".portal-soon")).to_be_visible()
    assert axe(page, ".Toastify__toast-body", ".portal-session-bar") == []

    live.stop()
    expect(page.get_by_role("dialog").filter(has_text="Seen by axe has ended")).to_be_visible()
    assert axe(page, ".jp-Dialog-content") == []


def axe(page: Page, *selectors: str) -> list[object]:
    """What axe, which the page has, finds in these parts."""
    ready = "document.getAnimations().every((one) => one.playState !== 'running')"
    page.wait_for_function(f"() => {ready} || document.querySelector('.Toastify__progress-bar')")
    found = page.evaluate("include => axe.run({include}, {resultTypes: ['violations']})", list(selectors))
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]]


def test_a_session_lives_its_whole_life_by_keyboard_alone(bob: Person, open_page: OpenPage) -> None:
    page = open_page()
    tab_to(page, page.get_by_label("User name"))
    page.keyboard.type("bob")
    tab_to(page, page.get_by_label("Password", exact=True))
    page.keyboard.type(bob.site.accounts["bob"].password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New session")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Start session"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/user/bob/**/lab**", timeout=3 * LAB_TIMEOUT_MS)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("left", timeout=LAB_TIMEOUT_MS)
    expect(page.locator("#jupyterlab-splash")).to_have_count(0, timeout=LAB_TIMEOUT_MS)
    [session] = [one for one in bob.sessions() if one["state"] == "ready" and one["url"] and one["url"] in page.url]
    before = session["resources"]["walltime_s"]

    tab_to(page, page.locator(".jp-LauncherCard[data-category='Notebook']").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible(timeout=LAB_TIMEOUT_MS)
    page.keyboard.press("Enter")  # from command mode into the first cell
    page.keyboard.type("print(6 * 7)")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-OutputArea-output").first).to_have_text("42")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Rename and Save")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)

    tab_to(page, item, back=True)  # the status bar is the last thing on the page
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Session")
    expect(panel.get_by_role("button", name="Extend")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.get_by_role("button", name="+ 30 min")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Extended")
    assert bob.api("GET", f"/sessions/{session['id']}").json()["resources"]["walltime_s"] == before + 1800

    tab_to(page, panel.get_by_role("button", name="Stop"))
    page.keyboard.press("Enter")
    sure = page.get_by_role("button", name="Stop session")
    tab_to(page, sure)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog").filter(has_text="has ended")
    expect(dialog.get_by_role("button", name="Start again")).to_be_focused(timeout=LAB_TIMEOUT_MS)
    page.keyboard.press("Enter")
    page.wait_for_url("**/sessions/new?**")
    tab_to(page, page.get_by_role("button", name="Start session"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/user/bob/**/lab**", timeout=3 * LAB_TIMEOUT_MS)
    expect(item).to_contain_text("left", timeout=LAB_TIMEOUT_MS)


def tab_to(page: Page, wanted: Locator, *, back: bool = False, most: int = 150) -> None:
    """Press Tab until the focus is on it, as somebody without a mouse does."""
    expect(wanted).to_be_visible()
    for _ in range(most):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


def test_labs_commands_lead_to_the_portal_and_a_notebook_becomes_a_job(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    expect(page.get_by_role("button", name="Session: time left and use")).to_be_visible()

    with page.context.expect_page() as searched:
        page.keyboard.press("Control+k")
    expect(searched.value.get_by_role("dialog").get_by_role("textbox")).to_be_focused()

    new_notebook(page, "x = 1")
    with page.context.expect_page() as asked:
        command(page, "New Job from This Notebook")
    expect(asked.value.get_by_label("Value").first).to_have_value(re.compile(r"^/.*/bob/Untitled.*\.ipynb$"))
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)

    command(page, "Extend Session")
    panel = page.get_by_role("dialog", name="Session")
    expect(panel.get_by_role("button", name="+ 30 min")).to_be_focused()
    page.keyboard.press("Escape")
    with page.context.expect_page() as opened:
        command(page, "Session Page")
    expect(opened.value).to_have_url(re.compile(live.id))
    command(page, "Stop Session")
    page.get_by_role("button", name="Stop session").click()
    assert live.ended()["end"]["code"] == "stopped"


def command(page: Page, name: str) -> None:
    """Run one of the session's commands from JupyterLab's command palette."""
    page.keyboard.press("Control+Shift+c")
    page.get_by_role("textbox", name="SEARCH").fill(name)
    page.get_by_role("menuitem", name=name).click()
