"""Each app of the catalogue that comes as a package, opened in Chromium: a click, and its effect."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from demo.site import INSIDE
from tests.apps.real import OPTIONS
from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live

Opened = Callable[..., Live]
SLOW_MS = 120_000  # the first start of these apps reads hundreds of megabytes


def visit(open_page: OpenPage, live: Live, path: str = "") -> Page:
    page = open_page("alice")
    page.goto(live.url + path)
    return page


def test_streamlit_runs_a_script_again_at_a_click(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, opened("streamlit", OPTIONS["streamlit"]))
    page.get_by_role("button", name="Add up").click(timeout=SLOW_MS)
    expect(page.get_by_text("The sum is 42")).to_be_visible()
    # The session's line stands in its corner, as in TensorBoard.
    expect(page.locator("iframe[title='Session']")).to_be_attached()


def test_gradio_answers_what_was_typed(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, opened("gradio", OPTIONS["gradio"]))
    page.get_by_label("Name").fill("alice", timeout=SLOW_MS)
    page.get_by_role("button", name="Greet").click()
    expect(page.get_by_label("Greeting")).to_have_value("Hello ALICE")


def test_voila_runs_a_notebook_and_answers_a_click(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, opened("voila", OPTIONS["voila"]))
    page.get_by_role("button", name="Add up").click(timeout=SLOW_MS)
    expect(page.get_by_text("The sum is 42")).to_be_visible()


def test_mlflow_keeps_what_is_made_in_its_page(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    live = opened("mlflow", OPTIONS["mlflow"])
    page = visit(open_page, live, "#/experiments")
    page.get_by_role("button", name="Create", exact=True).first.click(timeout=SLOW_MS)
    page.get_by_label("Experiment name").fill("from-the-page")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(page.get_by_text("from-the-page").first).to_be_visible()
    found = live.owner.web.get(
        f"{live.now()['url']}api/2.0/mlflow/experiments/get-by-name?experiment_name=from-the-page"
    )
    assert found.status_code == 200, found.text


def test_vscode_saves_what_is_typed_into_a_file(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    page = visit(open_page, opened("vscode", OPTIONS["vscode"]))
    page.get_by_role("treeitem", name="notes.txt").dblclick(timeout=SLOW_MS)
    editor = page.get_by_role("code").first
    expect(editor.get_by_text("first line")).to_be_visible()
    editor.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("typed in the browser, ")
    page.keyboard.press("Control+s")
    notes = f"{INSIDE}/home/alice/apps/notes.txt"
    saved = "typed in the browser, first line"
    kept_site.wait_for(lambda: saved in kept_site.run("cat", notes, user="alice"), "the file to be saved")
    # A terminal in it is a shell of the session, which sees the same folder.
    page.keyboard.press("Control+Backquote")
    page.get_by_role("button", name="Trust Folder & Continue").click()
    page.locator(".terminal.xterm").click()
    page.keyboard.type("echo of-$((40+2)) >from-terminal.txt\n")
    expect(page.get_by_role("treeitem", name="from-terminal.txt")).to_be_visible(timeout=SLOW_MS)


def test_dasks_dashboard_opens_at_its_port(opened: Opened, open_page: OpenPage, kept_site: DemoSite) -> None:
    live = opened("terminal", environment="apps")
    page = visit(open_page, live)
    page.locator(".xterm-helper-textarea").wait_for(state="attached")
    page.locator(".xterm").first.click()
    page.keyboard.type(f"{INSIDE}/environments/apps/bin/python ~/apps/dask_app.py\n")
    expect(page.get_by_text("42", exact=True).first).to_be_visible(timeout=SLOW_MS)
    page.goto(f"{live.url}proxy-port/18787/status")
    page.get_by_role("link", name="Workers").first.click(timeout=SLOW_MS)
    expect(page.get_by_text("inproc://").first).to_be_visible()
