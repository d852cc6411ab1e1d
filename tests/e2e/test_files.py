"""The page Files on a real site: browse, change, undo, edit, and look at files that would like to do harm."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_accessible import AXE, violations

FOLDER = "~/files-page"
ATTACK = "document.documentElement.dataset.attacked = 1"
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "markdown", "source": f"# Result\n<img src=x onerror='{ATTACK}'>\n[click](javascript:{ATTACK})"},
        {
            "cell_type": "code",
            "source": "print('seen')",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["seen\n"]},
                {"output_type": "display_data", "data": {"text/html": f"<script>{ATTACK}</script>"}},
            ],
        },
    ],
}
FILES = {
    "note.txt": "first\r\nsecond\r\n",
    "scores.csv": 'name,score\n"Doe, Jane",3\n',
    "results.ipynb": json.dumps(NOTEBOOK),
    "page.html": f"<script>{ATTACK}</script>",
    "picture.svg": f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' onload='{ATTACK}'/>",
    "count.sh": "#!/bin/bash\n#SBATCH --partition=sxm2 --mem=200M\necho counted\n",
    "run.log": "\x1b[31mfailed\x1b[0m\n",
    "sub/inner.txt": "inner\n",
    "rows.parquet": Path("tests/recorded/files/two-rows.parquet").read_bytes().decode("latin-1"),
}


WRITE = """
import json, pathlib, sys
for name, text in json.loads(sys.argv[1]).items():
    path = pathlib.Path.home() / "files-page" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("latin-1"))
"""


@pytest.fixture(autouse=True)
def some_files(site: DemoSite) -> Iterator[None]:
    site.run("python3", "-c", WRITE, json.dumps(FILES), user="alice")
    yield
    site.run("sh", "-c", "rm -rf ~/files-page ~/.local/share/Trash ~/.Trash", user="alice")


def content(site: DemoSite, name: str) -> str:
    script = "import pathlib, sys; print(ascii((pathlib.Path.home() / 'files-page' / sys.argv[1]).read_bytes()))"
    return str(site.run("python3", "-c", script, name, user="alice")).strip()


def visit(page: Page, file: str = "") -> None:
    page.goto(f"/services/portal/files?path={FOLDER}" + (f"&file={file}" if file else ""))
    expect(page.get_by_role("heading", name="Files", exact=True)).to_be_visible()


def test_a_file_is_renamed_moved_deleted_and_brought_back(open_page: OpenPage) -> None:
    page = open_page("alice")
    visit(page)
    page.get_by_role("button", name="note.txt").focus()
    page.keyboard.press("F2")
    page.get_by_role("dialog").get_by_label("Name").fill("renamed.txt")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="renamed.txt").focus()
    page.keyboard.press("Control+x")
    page.get_by_role("button", name="sub").click()
    expect(page.get_by_role("button", name="inner.txt")).to_be_visible()
    page.get_by_role("button", name="Move 1 item here").click()
    expect(page.get_by_text("1 item moved.")).to_be_visible()
    page.get_by_role("button", name="renamed.txt").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_text("1 item moved to the bin.")).to_be_visible()
    expect(page.get_by_role("button", name="renamed.txt")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="renamed.txt")).to_be_visible()
    page.get_by_role("button", name="inner.txt").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_text("1 item moved to the bin.")).to_be_visible()
    page.goto("/services/portal/files/bin")
    page.get_by_role("checkbox", name="Select inner.txt").check()
    page.get_by_role("button", name="Put back").click()
    expect(page.get_by_text("The bin is empty.")).to_be_visible()


def test_uploads_survive_a_lost_connection_and_arrive_whole(
    open_page: OpenPage, site: DemoSite, tmp_path: Path
) -> None:
    big = tmp_path / "upload" / "data" / "big.bin"
    big.parent.mkdir(parents=True)
    big.write_bytes(os.urandom(48 << 20))
    (big.parent / "inner").mkdir()
    (big.parent / "inner" / "small.txt").write_text("small\n")
    digest = hashlib.sha256(big.read_bytes()).hexdigest()
    page = open_page("alice")
    visit(page)
    # Slow enough to be cut in the middle.
    network = page.context.new_cdp_session(page)
    speed = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 12 << 20}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", speed)
    page.get_by_label("Upload a folder", exact=True).first.set_input_files(big.parent)
    bar = page.get_by_role("progressbar", name="Upload of big.bin")
    page.wait_for_function("bar => bar.value > 16 * 2 ** 20", arg=bar.element_handle())
    network.send("Network.emulateNetworkConditions", speed | {"offline": True})
    expect(page.get_by_text("Connection lost")).to_be_visible()
    network.send("Network.emulateNetworkConditions", speed | {"uploadThroughput": -1})
    expect(page.get_by_text("Done", exact=True)).to_have_count(2)
    look = "cd ~/files-page/data && sha256sum big.bin && cat inner/small.txt"
    sums = site.run("sh", "-c", look, user="alice")
    assert sums.split()[0] == digest
    assert sums.split()[-1] == "small"
    page.get_by_role("button", name="Clear finished uploads").click()
    # The same name again: asked, and kept beside it.
    taken: FilePayload = {"name": "note.txt", "mimeType": "", "buffer": b"new"}
    page.get_by_label("Upload files", exact=True).first.set_input_files(taken)
    page.get_by_role("button", name="Keep both").click()
    expect(page.get_by_text("Done", exact=True)).to_have_count(1)
    assert content(site, "note.txt") == r"b'first\r\nsecond\r\n'"
    page.get_by_role("button", name="Folder data", exact=True).click()
    page.get_by_role("button", name="big.bin").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert hashlib.sha256(download.value.path().read_bytes()).hexdigest() == digest


def test_a_piece_that_arrives_damaged_is_sent_again(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page)
    answers = []

    def damage_the_first(route: Route) -> None:
        if route.request.method == "PATCH" and not answers:
            route.continue_(post_data="damaged!")
        else:
            route.continue_()

    page.route("**/files/uploads/**", damage_the_first)
    page.on("response", lambda answer: answers.append(answer.status) if answer.request.method == "PATCH" else None)
    sent: FilePayload = {"name": "sent.txt", "mimeType": "", "buffer": b"as sent."}
    page.get_by_label("Upload files", exact=True).first.set_input_files(sent)
    expect(page.get_by_text("Done", exact=True)).to_have_count(1)
    assert answers == [460, 204]
    assert content(site, "sent.txt") == "b'as sent.'"


def test_a_piece_that_is_damaged_each_time_fails_in_words_and_leaves_nothing(
    open_page: OpenPage, site: DemoSite
) -> None:
    page = open_page("alice")
    visit(page)
    answers = []
    page.route(
        "**/files/uploads/**",
        lambda route: route.continue_(**({"post_data": "damaged!"} if route.request.method == "PATCH" else {})),
    )
    page.on("response", lambda answer: answers.append(answer.status) if answer.request.method == "PATCH" else None)
    sent: FilePayload = {"name": "hurt.txt", "mimeType": "", "buffer": b"as sent."}
    page.get_by_label("Upload files", exact=True).first.set_input_files(sent)
    expect(page.get_by_text("arrived damaged")).to_be_visible(timeout=60_000)
    tries = len(answers)
    assert set(answers) == {460}
    assert 2 <= tries <= 10
    page.wait_for_timeout(5_000)
    assert len(answers) == tries, "It goes on by itself."
    assert "hurt.txt" not in site.run("sh", "-c", "ls ~/files-page", user="alice").split()


def test_the_second_editor_of_a_file_is_told(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page, "note.txt")
    editor = page.get_by_role("textbox", name="Text of note.txt")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("mine")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert content(site, "note.txt") == r"b'first\r\nsecond\r\nmine'"
    site.run("sh", "-c", "echo theirs > ~/files-page/note.txt", user="alice")
    page.keyboard.type(" too")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("changed by somebody else")).to_be_visible()
    assert content(site, "note.txt") == r"b'theirs\n'"
    page.get_by_role("button", name="Show the newer version").click()
    expect(page.get_by_role("textbox", name="Newer version of note.txt")).to_contain_text("theirs")
    page.get_by_role("button", name="Save mine as a copy").click()
    expect(page.get_by_text("Saved as note copy.txt.")).to_be_visible()
    assert content(site, "note copy.txt") == r"b'first\r\nsecond\r\nmine too'"


def test_files_are_shown_and_nothing_in_them_runs(open_page: OpenPage) -> None:
    page = open_page("alice")

    def look(file: str, *shown: Locator) -> None:
        visit(page, file)
        for part in shown:
            expect(part).to_be_visible()
        # Each visit loads a new document, so each is asked.
        assert page.locator("html[data-attacked]").count() == 0, file

    look("scores.csv", page.get_by_role("cell", name="Doe, Jane"))
    look("rows.parquet", page.get_by_role("cell", name="Doe, Jane"), page.get_by_role("cell", name="<b>x</b>"))
    look("results.ipynb", page.get_by_text("seen", exact=True), page.get_by_text("[HTML output"))
    look("page.html", page.get_by_role("textbox", name="Text of page.html").filter(has_text="script"))
    look("run.log", page.get_by_role("region", name="Log run.log").get_by_text("failed"))
    look("picture.svg", page.get_by_role("img", name="Picture picture.svg"))
    page.get_by_role("button", name="Source").click()
    expect(page.get_by_role("textbox", name="Text of picture.svg")).to_contain_text("onload")


def test_unsaved_text_is_not_lost_by_a_click(open_page: OpenPage) -> None:
    page = open_page("alice")
    visit(page, "note.txt")
    page.get_by_role("textbox", name="Text of note.txt").click()
    page.keyboard.type("new ")
    page.get_by_role("button", name="scores.csv").click()
    page.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_role("textbox", name="Text of note.txt")).to_contain_text("new ")


def test_permissions_are_changed_in_words(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page, "note.txt")
    page.get_by_role("complementary").get_by_role("button", name="Permissions").click()
    page.get_by_label("Everybody else").select_option("No access")
    page.get_by_label("Owner", exact=True).select_option("Can read")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    mode = str(site.run("sh", "-c", "stat -c %a ~/files-page/note.txt", user="alice")).strip()
    assert (mode[0], mode[-1]) == ("4", "0")


def test_a_text_is_made_and_edited_by_keyboard_alone(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page)
    page.get_by_role("button", name="New file").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator(":focus")).to_be_visible()
    page.keyboard.type("made.sh")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="made.sh").focus()
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Text of made.sh").focus()
    page.keyboard.type("#!/bin/bash")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert content(site, "made.sh") == "b'#!/bin/bash'"
    page.get_by_role("button", name="Use as a job script").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New job")).to_be_visible()
    expect(page.get_by_text("made.sh").first).to_be_visible()


def test_a_script_is_run_as_a_job(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page, "count.sh")
    page.get_by_role("button", name="Use as a job script").click()
    expect(page.get_by_role("heading", name="New job")).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/jobs/*")
    expect(page.get_by_role("region", name="Output", exact=True).last).to_contain_text("counted", timeout=60_000)


@pytest.mark.parametrize(("dark", "phone"), [(False, False), (True, True)], ids=["light", "dark phone"])
def test_axe_finds_nothing_beside_an_open_file(open_page: OpenPage, dark: bool, phone: bool, tmp_path: Path) -> None:
    page = open_page("alice", dark=dark, phone=phone)
    for file in ("", "note.txt", "scores.csv", "results.ipynb", "run.log"):
        visit(page, file)
        expect(page.locator(".mantine-Skeleton-root")).to_have_count(0)
        page.screenshot(path=tmp_path / f"{file or 'folder'}.png")
        assert violations(page, AXE) == [], file
