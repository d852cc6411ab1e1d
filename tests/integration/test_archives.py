"""Folders as archives through the real door: as the user, streamed, and with nothing kept by who has gone."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from portal.cli import app
from tests.demo_site import API, INSIDE, DemoSite
from tests.integration.test_files import error_of, memory_mib
from tests.person import Person

HOME = f"{INSIDE}/home"


@pytest.fixture(autouse=True)
def some_files(site: DemoSite) -> Iterator[None]:
    script = "mkdir -p ~/z/in/none ~/z/mine && echo hello > ~/z/in/grün && ln -s /etc ~/z/in/etc && mkfifo ~/z/fifo"
    site.run("sh", "-c", f"{script} && chmod 700 ~/z/mine && chmod 755 ~ ~/z", user="alice")
    yield
    site.run("sh", "-c", "rm -rf ~/z; chmod 700 ~", user="alice")


def archive(person: Person, *paths: str, kind: str = "zip") -> Any:
    return person.api("GET", "/files/archive", params=[*(("path", path) for path in paths), ("format", kind)])


def test_folder_comes_as_an_archive_with_the_users_rights(site: DemoSite, person: Callable[[str], Person]) -> None:
    got = archive(person("alice"), "~/z")
    assert got.headers["content-disposition"] == "attachment; filename*=UTF-8''z.zip"
    found = zipfile.ZipFile(io.BytesIO(got.content))
    assert sorted(found.namelist()) == [
        "LEFT-OUT.txt", "z/", "z/in/", "z/in/etc", "z/in/grün", "z/in/none/", "z/mine/",
    ]  # fmt: skip
    assert (found.read("z/in/grün"), found.read("z/in/etc")) == (b"hello\n", b"/etc")
    assert "~/z/fifo: It is a device, FIFO or socket." in found.read("LEFT-OUT.txt").decode()

    theirs = archive(person("bob"), f"{HOME}/alice/z", "/etc/hostname", kind="tar")
    with tarfile.open(fileobj=io.BytesIO(theirs.content)) as tar:
        listing = tar.extractfile("LEFT-OUT.txt")
        assert listing is not None
        assert f"{HOME}/alice/z/mine: It cannot be read." in listing.read().decode()
        assert "hostname" in tar.getnames()
        assert "z/mine" not in tar.getnames()
    assert error_of(archive(person("bob"), f"{HOME}/alice/z/mine")) == (403, "forbidden")
    assert error_of(archive(person("alice"), "~/z", "~/none")) == (404, "not_found")
    line = [line for line in site.log("portal-door").splitlines() if "archive_send" in line][-1]
    assert "refused=not_found" in line


def test_archive_of_gigabytes_in_flat_memory(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    site.run("sh", "-c", "truncate -s 2200M ~/z/in/holes", user="alice")
    pid = int(site.service("portal")["pid"])
    rest, most, size, began = memory_mib(site, pid), 0.0, 0, time.monotonic()
    with alice.web.stream("GET", f"{API}/files/archive", params={"path": "~/z", "format": "tar"}) as response:
        for piece in response.iter_raw(1 << 20):
            size += len(piece)
            if size % (256 << 20) < len(piece):
                most = max(most, memory_mib(site, pid))
    print(f"{size >> 20} MiB of tar in {time.monotonic() - began:.1f} s; portal {rest:.0f} MiB, at most {most:.0f} MiB")
    assert size > 2200 << 20
    assert most - rest < 30


def test_client_that_leaves_gives_its_slot_back(site: DemoSite, person: Callable[[str], Person]) -> None:
    """A user has four slots: eight archives that are given up leave them free."""
    alice = person("alice")
    site.run("sh", "-c", "truncate -s 20G ~/z/in/holes", user="alice")
    for _ in range(8):
        with alice.web.stream("GET", f"{API}/files/archive", params={"path": "~/z", "format": "tar"}) as response:
            next(response.iter_raw(1 << 16))
    site.run("rm", f"{HOME}/alice/z/in/holes", user="alice")
    began = time.monotonic()
    assert archive(alice, "~/z").status_code == 200
    assert time.monotonic() - began < 8
    site.wait_for(lambda: not site.run("pgrep", "-u", "alice", "-f", "[p]ortal-door", check=False), "the doors to end")


def test_folders_come_and_go_by_the_command_line(
    site: DemoSite, person: Callable[[str], Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"PORTAL_URL": site.url, "PORTAL_TOKEN": person("alice").token, "XDG_STATE_HOME": str(tmp_path / "state")}

    def portal(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["files", *arguments], env=env)

    tree = Path("tree")
    (tree / "in" / "none").mkdir(parents=True)
    (tree / "big").write_bytes(os.urandom(2 << 20))
    (tree / "in" / "empty").write_text("")
    (tree / "in" / "run.sh").write_text("echo\n")
    os.utime(tree / "in" / "run.sh", (10**9, 10**9))
    assert "Add -r" in portal("put", "tree", "~/z/").output
    sent = portal("put", "-r", "tree", "~/z/")
    assert (sent.exit_code, "3 files sent, 0 there already" in sent.output) == (0, True), sent.output
    (tree / "in" / "run.sh").write_text("newer\n")
    (tree / "link").symlink_to("big")
    again = portal("put", "-r", "tree", "~/z/")
    assert again.exit_code == 1
    assert "0 files sent, 2 there already, 2 not sent" in " ".join(again.output.split())
    assert "is a link and was not sent" in " ".join(again.output.split())
    replaced = portal("put", "-r", "--replace", "tree", "~/z/")
    assert "1 file sent, 2 there already, 1 not sent" in " ".join(replaced.output.split())
    (tree / "link").unlink()

    got = portal("get", "-r", "~/z/tree", "back")
    assert got.exit_code == 0, got.output
    subprocess.run(["diff", "-r", "tree", "back"], check=True)
    assert Path("back/in/run.sh").stat().st_mtime == int((tree / "in/run.sh").stat().st_mtime)
    assert "exists already" in " ".join(portal("get", "-r", "~/z/tree", ".").output.split())
    some = portal("get", "-r", "~/z")
    assert (some.exit_code, "It is a device, FIFO or socket" in " ".join(some.output.split())) == (1, True)
    assert os.readlink("z/in/etc") == "/etc"
    assert "does not exist" in str(portal("get", "-r", "~/none").exception)
    assert sorted(os.listdir()) == ["back", "state", "tree", "z"]


def test_names_that_are_not_utf8_are_usable(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    make = (
        "import os; os.chdir(os.path.expanduser('~/z')); os.mkdir(b'gr\\xfcn'); open(b'gr\\xfcn/\\xff', 'w').write('x')"
    )
    site.run("python3", "-c", make, user="alice")
    folder, file = "~/z/gr\ufffdn", "~/z/gr\ufffdn/\ufffd"
    assert [one["name"] for one in alice.api("GET", "/files", params={"path": folder}).json()["entries"]] == ["\ufffd"]
    assert alice.api("GET", "/files/content", params={"path": file}).text == "x"
    assert alice.api("GET", "/files/text", params={"path": file}).json()["text"] == "x"
    assert b"gr%FCn/%FF" in archive(alice, folder).content
    moved = alice.api("POST", "/files/move", json={"paths": [file], "target": "~/z/mine"}).json()
    assert (moved["failed"], moved["done"][0]["now"]) == ([], "\ufffd")
    assert alice.api("POST", "/files/rename", json={"path": "~/z/mine/\ufffd", "name": "y"}).status_code == 204
    site.run("python3", "-c", make.replace("b'gr\\xfcn'", "b'gr\\xf6n'", 1).partition("; open")[0], user="alice")
    refused = alice.api("GET", "/files/content", params={"path": file})
    assert (refused.status_code, "Rename them in a session" in refused.json()["error"]["message"]) == (422, True)
