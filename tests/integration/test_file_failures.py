"""Uploads, downloads and edits on file systems that are full, at their quota, read-only, hang or go away.

Each is said in words, and nothing half written is left under the final name. The file systems are mounted in the demo's
own namespace alone.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.demo_site import API, INSIDE, DemoSite
from tests.integration.test_file_operations import begin, ended, names, small
from tests.integration.test_files import arrived, error_of, piece, tus
from tests.person import Person

__all__ = ["small"]

HANGING = "/srv/portal-hanging"
LIMITED = "/srv/portal-limited"
#: Mounts a file system on which whatever is below `home` may take 8 MiB.
LIMIT = """
set -e
mkdir -p "$0"
truncate -s 128M "$0.img"
mkfs.btrfs -q "$0.img" >&2
mount -o loop "$0.img" "$0"
btrfs quota enable "$0"
btrfs -q subvolume create "$0/home"
btrfs qgroup limit 8M "$0/home"
chmod 777 "$0/home"
"""
#: Mounts a file system whose server never answers, and prints the server's process.
HANG = """
import ctypes, os, sys, time
fuse = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={fuse},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
if ctypes.CDLL(None).mount(b"hanging", sys.argv[1].encode(), b"fuse", 0, options):
    sys.exit("failed")
server = os.fork()
if server:
    print(server, flush=True)
    os._exit(0)
os.setsid()
os.closerange(0, 3)
time.sleep(600)
"""


def text(person: Person, path: str, **fields: Any) -> Any:
    asked = {"path": path, "text": "x" * 100_000, "version": None, "encoding": "utf-8", "line_end": "lf"}
    return person.api("PUT", "/files/text", json=asked | fields)


def test_full_disk_in_the_middle_of_an_upload(site: DemoSite, person: Callable[[str], Person], small: str) -> None:
    alice, data = person("alice"), os.urandom(6 << 20)
    upload = tus(alice, f"{small}/up", len(data))
    assert piece(alice, upload, 0, data[: 1 << 20]).status_code == 204
    site.run("dd", "if=/dev/zero", f"of={small}/theirs", "bs=1M", "count=5")
    full = piece(alice, upload, 1 << 20, data[1 << 20 :])
    assert error_of(full) == (422, "disk_full")
    assert small in full.json()["error"]["message"]
    assert "up" not in names(site, small)
    saved = text(alice, f"{small}/text")
    assert error_of(saved) == (422, "disk_full")
    assert [name for name in names(site, small) if not name.endswith(".part")] == ["theirs"]

    site.run("rm", f"{small}/theirs")  # what has arrived is kept, and goes on
    offset = arrived(alice, upload)
    assert offset >= 1 << 20
    assert piece(alice, upload, offset, data[offset:]).status_code == 204
    assert names(site, small) == ["up"]
    assert alice.api("GET", "/files/content", params={"path": f"{small}/up"}).content == data


@pytest.fixture
def limited(site: DemoSite) -> Iterator[str]:
    """A folder with a quota of 8 MiB, which the file system itself enforces."""
    done = site.process("sh", "-c", LIMIT, LIMITED)
    try:
        if done.returncode:
            pytest.skip(f"a file system with a quota cannot be mounted here: {done.stderr}")
        assert LIMITED not in Path("/proc/self/mounts").read_text()
        yield f"{LIMITED}/home"
    finally:
        site.run("sh", "-c", 'umount -l "$0"; rm -f "$0.img"', LIMITED, check=False)


def test_quota_that_is_reached_in_the_middle(site: DemoSite, person: Callable[[str], Person], limited: str) -> None:
    alice, data = person("alice"), os.urandom(12 << 20)
    upload = tus(alice, f"{limited}/up", len(data))
    reached = piece(alice, upload, 0, data)
    assert error_of(reached) == (422, "quota")
    assert f"You have reached your quota on the file system of {limited}" in reached.json()["error"]["message"]
    assert error_of(text(alice, f"{limited}/text", text="x" * 400_000)) == (422, "quota")
    assert [name for name in names(site, limited) if not name.endswith(".part")] == []

    site.run("btrfs", "qgroup", "limit", "32M", limited)
    offset = arrived(alice, upload)
    assert offset >= 4 << 20
    assert piece(alice, upload, offset, data[offset:]).status_code == 204
    assert names(site, limited) == ["up"]
    assert alice.api("GET", "/files/content", params={"path": f"{limited}/up"}).content == data

    copied = begin(alice, "/files/copies", paths=[f"{limited}/up"], target=limited, conflict="rename")
    assert ended(site, alice, copied)["state"] == "done"
    copied = begin(alice, "/files/copies", paths=[f"{limited}/up"], target=limited, conflict="rename")
    full = ended(site, alice, copied)
    assert (full["state"], full["failed"][0]["code"]) == ("failed", "quota")
    assert alice.api("GET", "/files", params={"path": limited}).json()["total"] == 2


def test_read_only_file_system(site: DemoSite, person: Callable[[str], Person], small: str) -> None:
    alice = person("alice")
    upload = tus(alice, f"{small}/up", 10)
    site.run("mount", "-o", "remount,ro", small)
    metadata = f"path {base64.b64encode(f'{small}/new'.encode()).decode()}"
    headers = {"Upload-Length": "5", "Upload-Metadata": metadata}
    asked = [
        piece(alice, upload, 0, b"0123456789"),
        alice.api("POST", "/files/uploads", headers=headers),
        alice.api("POST", "/files/folders", json={"path": f"{small}/folder"}),
        text(alice, f"{small}/text"),
    ]
    for answer in asked:
        assert error_of(answer) == (403, "read_only"), answer.text
        assert "is read-only" in answer.json()["error"]["message"]
    deleted = ended(site, alice, begin(alice, "/files/delete", paths=[f"{small}/.up"]))
    assert deleted["state"] == "failed"


def test_share_that_is_unmounted_in_the_middle_of_an_upload(
    site: DemoSite, person: Callable[[str], Person], small: str
) -> None:
    alice = person("alice")
    upload = tus(alice, f"{small}/up", 10)
    assert piece(alice, upload, 0, b"01234").status_code == 204
    site.run("umount", small)
    gone = piece(alice, upload, 5, b"56789")
    assert gone.status_code == 404
    assert "does not exist" in gone.json()["error"]["message"]
    assert "is not there any more" in alice.api("DELETE", upload).text or alice.api("HEAD", upload).status_code == 404
    assert names(site, small) == []


@pytest.fixture
def hanging(site: DemoSite) -> Iterator[str]:
    """A file system that hangs; its server's process."""
    site.run("mkdir", "-p", HANGING)
    done = site.process("python3", "-c", HANG, HANGING)
    if done.returncode:
        pytest.skip("FUSE cannot be mounted here")
    assert HANGING not in Path("/proc/self/mounts").read_text()
    try:
        yield done.stdout.strip()
    finally:
        site.run("kill", "-9", done.stdout.strip(), check=False)
        site.run("umount", "-l", HANGING, check=False)


def test_share_that_hangs_answers_in_words_and_in_time(
    site: DemoSite, person: Callable[[str], Person], hanging: str
) -> None:
    alice, bob = person("alice"), person("bob")
    where = {"path": f"{HANGING}/a"}
    metadata = f"path {base64.b64encode(where['path'].encode()).decode()}"
    asks: dict[str, Callable[[], Any]] = {
        "list": lambda: alice.api("GET", "/files", params={"path": HANGING}),
        "download": lambda: alice.api("GET", "/files/content", params=where),
        "archive": lambda: alice.api("GET", "/files/archive", params={"path": HANGING}),
        "folder": lambda: alice.api("POST", "/files/folders", json=where),
        "save": lambda: text(alice, where["path"]),
        "upload": lambda: alice.api(
            "POST", "/files/uploads", headers={"Upload-Length": "5", "Upload-Metadata": metadata}
        ),
    }
    for name, ask in asks.items():
        began = time.monotonic()
        answer = ask()
        took_s = time.monotonic() - began
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (503, "files_unavailable"), f"{name}: {answer.text}"
        assert "slow or unavailable" in error["message"], name
        assert took_s < 25, name
    began = time.monotonic()  # nobody waits meanwhile
    assert bob.api("GET", "/files", params={"path": "~"}).status_code == 200
    assert time.monotonic() - began < 5

    copy = begin(alice, "/files/copies", paths=["/etc/hostname"], target=HANGING)
    alice.api("DELETE", f"/files/operations/{copy}")
    assert ended(site, alice, copy)["state"] in ("cancelled", "unknown")

    site.run("kill", "-9", hanging)
    away = alice.api("GET", "/files", params={"path": HANGING})
    assert error_of(away) == (503, "files_unavailable")
    assert "does not answer" in away.json()["error"]["message"]
    assert error_of(alice.api("GET", "/files/content", params=where)) == (503, "files_unavailable")


def test_door_killed_in_the_middle_of_an_upload(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, data = person("alice"), os.urandom(4 << 20)
    site.run("sh", "-c", "mkdir -p ~/k", user="alice")
    try:
        upload = tus(alice, "~/k/up", len(data))

        def body() -> Iterator[bytes]:
            yield data[: 2 << 20]
            time.sleep(1)
            site.run("sh", "-c", "pgrep -u alice -f [p]ortal-door | xargs kill -9", user="alice")
            yield data[2 << 20 :]

        killed = piece(alice, upload, 0, body())
        assert killed.status_code == 503, killed.text
        assert killed.json()["error"]["message"]
        assert [name for name in names(site, f"{INSIDE}/home/alice/k") if not name.endswith(".part")] == []
        offset = arrived(alice, upload)
        assert 0 < offset < len(data)
        assert piece(alice, upload, offset, data[offset:]).status_code == 204
        assert alice.api("GET", "/files/content", params={"path": "~/k/up"}).content == data
    finally:
        site.run("sh", "-c", "rm -rf ~/k", user="alice")


def test_disk_of_ones_own_that_is_full_or_read_only(
    site: DemoSite, person: Callable[[str], Person], small: str
) -> None:
    token = f"PORTAL_TOKEN={person('alice').token}"
    site.run("sh", "-c", "mkdir -p ~/k && truncate -s 16M ~/k/big", user="alice")

    def fails(*arguments: str) -> str:
        done = site.process("env", token, f"PORTAL_URL={site.url}", "portal", "files", *arguments, user="alice")
        assert done.returncode == 1, done.stderr
        assert "Traceback" not in done.stderr
        return " ".join(done.stderr.split())

    try:
        full = f"{small}/big: No space left on device. Free some space, then run the command again."
        assert fails("get", "~/k/big", small) == full
        assert "No space left on device" in fails("get", "-r", "~/k", small)
        assert [name for name in names(site, small) if not name.endswith(".part")] == []
        site.run("mount", "-o", "remount,ro", small)
        for arguments in (["~/k/big"], ["-r", "~/k"]):
            said = fails("get", *arguments, small)
            assert "Read-only file system. Check the path and its permissions on this machine" in said
    finally:
        site.run("sh", "-c", "rm -rf ~/k", user="alice")


@pytest.mark.parametrize("address", ["content?path=~/k/big", "archive?path=~/k&format=tar"])
def test_door_killed_in_the_middle_of_a_download(site: DemoSite, person: Callable[[str], Person], address: str) -> None:
    """What was cut off never looks complete."""
    site.run("sh", "-c", "mkdir -p ~/k && truncate -s 3G ~/k/big", user="alice")
    try:
        with pytest.raises(httpx2.RemoteProtocolError):
            taken(site, person("alice"), address)
    finally:
        site.run("sh", "-c", "rm -rf ~/k", user="alice")


def taken(site: DemoSite, person: Person, address: str) -> int:
    """Download, and kill the doors after the first bytes; return how much came."""
    size = 0
    with person.web.stream("GET", f"{API}/files/{address}") as response:
        for chunk in response.iter_raw(1 << 20):
            if not size:
                site.run("sh", "-c", "pgrep -u alice -f [p]ortal-door | xargs kill -9", user="alice")
            size += len(chunk)
    return size
