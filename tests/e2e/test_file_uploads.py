"""Uploads of the page Files on a real site: dropped, taken names, a page that was left, and by keyboard alone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, FilePayload, Page, Request, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_life_by_keyboard import press, tab_to

HOME = "/services/portal/files?path=~/uploads"
MIB = 1 << 20


@pytest.fixture(autouse=True)
def folder(site: DemoSite) -> Iterator[None]:
    site.run("sh", "-c", "mkdir ~/uploads && echo old > ~/uploads/taken.txt", user="alice")
    yield
    site.run("sh", "-c", "rm -rf ~/uploads", user="alice")


def inside(site: DemoSite, command: str) -> list[str]:
    return str(site.run("sh", "-c", f"cd ~/uploads && {command}", user="alice")).split()


def visit(page: Page) -> None:
    page.goto(HOME)
    expect(page.get_by_role("button", name="taken.txt")).to_be_visible()


def drag(page: Page, kind: str, *paths: Path) -> None:
    """Drag real files over the page's lower edge, outside of the list, or drop them there."""
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    page.context.new_cdp_session(page).send("Input.dispatchDragEvent", {"type": kind, "x": 640, "y": 820, "data": data})


def drag_over(page: Page, *paths: Path, says: str) -> None:
    """As a hand does: the browser reports it again and again."""
    drag(page, "dragEnter", *paths)
    note = page.get_by_text(says)
    for _ in range(100):
        drag(page, "dragOver", *paths)
        if note.is_visible():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{says} is not shown")


def slow(page: Page, mib_per_s: int) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": mib_per_s * MIB}
    network.send("Network.emulateNetworkConditions", limits)


def choose(page: Page, content: bytes, name: str = "taken.txt") -> None:
    taken: FilePayload = {"name": name, "mimeType": "", "buffer": content}
    page.get_by_label("Upload files", exact=True).first.set_input_files(taken)


def test_files_and_folders_are_dropped_anywhere_on_the_page(
    open_page: OpenPage, site: DemoSite, tmp_path: Path
) -> None:
    (tmp_path / "data/inner").mkdir(parents=True)
    (tmp_path / "data/inner/deep.txt").write_text("deep")
    (tmp_path / "data/top.txt").write_text("top")
    (tmp_path / "one.txt").write_text("one")
    page = open_page("alice")
    visit(page)
    dropped = (tmp_path / "one.txt", tmp_path / "data")
    drag_over(page, *dropped, says="Drop to upload to ~/uploads")
    drag(page, "drop", *dropped)
    expect(page.get_by_text("Done", exact=True)).to_have_count(3)
    expect(page.get_by_text("Drop to upload")).to_have_count(0)
    expect(page.get_by_role("button", name="Folder data", exact=True)).to_be_visible()
    assert inside(site, "cat one.txt data/top.txt data/inner/deep.txt") == ["onetopdeep"]
    # In a folder of somebody else a drop neither uploads nor opens the file in place of the page.
    page.goto("/services/portal/files?path=/etc")
    expect(page.get_by_text("You can read this folder, but not change it.")).to_be_visible()
    drag_over(page, *dropped, says="You cannot upload here")
    drag(page, "drop", *dropped)
    expect(page.get_by_role("heading", name="Files", exact=True)).to_be_visible()


def test_a_taken_name_is_replaced_kept_beside_or_skipped(open_page: OpenPage, site: DemoSite) -> None:
    page = open_page("alice")
    visit(page)
    choose(page, b"skipped")
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    choose(page, b"beside")
    page.get_by_role("button", name="Keep both").click()
    expect(page.get_by_text("Done", exact=True)).to_have_count(1)
    assert inside(site, "cat taken.txt; ls | wc -l") == ["old", "2"]
    choose(page, b"replaced")
    page.get_by_role("button", name="Replace").click()
    expect(page.get_by_text("Done", exact=True)).to_have_count(2)
    assert inside(site, "cat taken.txt; ls | wc -l") == ["replaced2"]


def test_an_upload_continues_after_the_page_was_left(open_page: OpenPage, site: DemoSite, tmp_path: Path) -> None:
    big = tmp_path / "big.bin"
    big.write_bytes(os.urandom(64 * MIB))
    asked: list[str] = []
    answers = ["stay", "leave"]

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        if answers.pop(0) == "leave":
            dialog.accept()
        else:
            dialog.dismiss()

    page = open_page("alice")
    page.on("dialog", answer)
    visit(page)
    page.get_by_role("button", name="taken.txt").click()  # browsers warn only after a click
    slow(page, 8)
    page.get_by_label("Upload files", exact=True).first.set_input_files(big)
    bar = page.get_by_role("progressbar", name="Upload of big.bin")
    page.wait_for_function("bar => bar.value > 18 * 2 ** 20", arg=bar.element_handle())
    # The upload goes on below other pages, and leaving the app is warned of there, too.
    page.get_by_role("navigation").get_by_role("link", name="Sessions").first.click()
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    page.evaluate("setTimeout(() => location.reload())")
    page.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    page.reload()
    assert asked == ["beforeunload"] * 2
    visit(page)
    unfinished = page.get_by_role("region", name="Unfinished uploads")
    expect(unfinished).to_contain_text("big.bin")
    other: FilePayload = {"name": "big.bin", "mimeType": "", "buffer": b"other"}
    unfinished.get_by_label("Choose big.bin to continue").first.set_input_files(other)
    expect(unfinished.get_by_role("alert")).to_contain_text("That is another file.")
    offsets: list[int] = []

    def note(request: Request) -> None:
        if request.method == "PATCH":
            offsets.append(int(request.headers["upload-offset"]))

    page.on("request", note)
    unfinished.get_by_label("Choose big.bin to continue").first.set_input_files(big)
    expect(page.get_by_text("Done", exact=True)).to_have_count(1)
    assert offsets[0] >= 16 * MIB
    assert inside(site, "sha256sum big.bin")[0] == hashlib.sha256(big.read_bytes()).hexdigest()
    expect(unfinished).to_have_count(0)


def test_an_unfinished_upload_is_discarded_with_what_arrived(
    open_page: OpenPage, site: DemoSite, tmp_path: Path
) -> None:
    big = tmp_path / "big.bin"
    big.write_bytes(bytes(48 * MIB))
    page = open_page("alice")
    page.on("dialog", lambda dialog: dialog.accept())
    visit(page)
    slow(page, 8)
    page.get_by_label("Upload files", exact=True).first.set_input_files(big)
    bar = page.get_by_role("progressbar", name="Upload of big.bin")
    page.wait_for_function("bar => bar.value > 18 * 2 ** 20", arg=bar.element_handle())
    page.reload()
    assert len(inside(site, "ls -A")) == 2
    page.get_by_role("button", name="Discard the upload of big.bin").click()
    expect(page.get_by_role("region", name="Unfinished uploads")).to_have_count(0)
    site.wait_for(lambda: inside(site, "ls -A") == ["taken.txt"], "the arrived part to be deleted")


def test_login_upload_rename_edit_and_download_by_keyboard_alone(
    open_page: OpenPage, site: DemoSite, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("by keys\n")
    page = open_page()
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type("alice")
    tab_to(page, page.get_by_label("Password", exact=True))
    page.keyboard.type(site.accounts["alice"].password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    press(page, page.get_by_role("navigation").get_by_role("link", name="Files").first)
    expect(page.get_by_role("heading", name="Files", exact=True)).to_be_visible()
    press(page, page.get_by_role("button", name="Folder uploads", exact=True))
    expect(page.get_by_role("button", name="taken.txt")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        press(page, page.get_by_role("button", name="Upload files"))
    chooser.value.set_files(note)
    expect(page.get_by_role("button", name="File note.txt", exact=True)).to_be_visible()
    press(page, page.get_by_role("button", name="File note.txt", exact=True), "F2")
    name = page.get_by_role("dialog").get_by_label("Name")
    expect(name).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("renamed.txt")
    page.keyboard.press("Enter")
    press(page, page.get_by_role("button", name="File renamed.txt", exact=True))
    tab_to(page, page.get_by_role("textbox", name="Text of renamed.txt"))
    page.keyboard.press("Control+End")
    page.keyboard.type("and edited")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    with page.expect_download() as download:
        press(page, page.get_by_role("complementary").get_by_role("button", name="Download"))
    assert download.value.path().read_text() == "by keys\nand edited"
    assert inside(site, "ls") == ["renamed.txt", "taken.txt"]
