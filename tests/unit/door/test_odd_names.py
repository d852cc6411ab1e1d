"""Names that are not UTF-8 are usable under the name that is shown, and never make an answer unreadable."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from tests.unit.door.files_asking import Do, refused
from tests.unit.door.test_bulk import Bulk, Portal, bulk, codes, portal

__all__ = ["bulk", "portal"]

ODD = b"gr\xfcn"
SHOWN = "gr\ufffdn"


@pytest.fixture
def odd(home: Path) -> bytes:
    """A folder with such a name, and in it a file with one."""
    folder = os.fsencode(home) + b"/" + ODD
    os.mkdir(folder)
    with open(folder + b"/" + ODD, "w") as file:
        file.write("hello")
    return folder


def test_such_names_are_listed_read_and_changed(act: Do, home: Path, odd: bytes) -> None:
    wanted = {"q": "", "sort": "name", "order": "asc", "hidden": True, "offset": 0, "limit": 10}
    page = act("folder", path=f"~/{SHOWN}", **wanted)
    assert [entry["name"] for entry in page["entries"]] == [SHOWN]
    read = act("read", path=f"~/{SHOWN}/{SHOWN}", offset=0, limit=10)
    assert base64.b64decode(read["data"]) == b"hello"
    assert act("look", path=f"~/{SHOWN}/{SHOWN}")["kind"] == "file"
    removed = act("bin_put", paths=[f"~/{SHOWN}/{SHOWN}"])["done"][0]["now"]
    assert act("bin_list", limit=5)["items"][0]["name"] == SHOWN
    assert act("bin_restore", paths=[removed])["failed"] == []
    assert os.listdir(odd) == [ODD]
    act("file_rename", path=f"~/{SHOWN}/{SHOWN}", name="grün")
    act("file_rename", path=f"~/{SHOWN}", name="better")
    assert (home / "better" / "grün").read_text() == "hello"


def test_such_names_are_copied_and_deleted_as_they_are(bulk: Bulk, portal: Portal, home: Path, odd: bytes) -> None:
    (home / "to").mkdir()
    assert bulk("bulk_copy", [f"~/{SHOWN}"], "~/to")["done"] == 1
    assert os.listdir(os.fsencode(home) + b"/to/" + ODD) == [ODD]
    bulk("bulk_copy", [f"~/{SHOWN}"], "~/to")
    assert codes(portal) == ["exists"]
    portal.buffer.getvalue().decode()
    assert "\\udc" not in json.dumps(portal.frames("failure"))
    assert bulk("bulk_delete", [f"~/{SHOWN}"])["done"] == 1
    assert os.listdir(home) == ["to"]


def test_two_that_look_the_same_are_refused_in_words(act: Do, home: Path, odd: bytes) -> None:
    os.mkdir(os.fsencode(home) + b"/gr\xf6n")
    assert refused(act, "read", path=f"~/{SHOWN}/{SHOWN}", offset=0, limit=10) == "invalid"
    assert refused(act, "file_rename", path=f"~/{SHOWN}", name="x") == "invalid"
    (home / SHOWN).mkdir()  # a name that is just so
    assert refused(act, "read", path=f"~/{SHOWN}/{SHOWN}", offset=0, limit=10) == "not_found"
