"""Users' files through the real door: each with their own rights, groups included, and no others."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from demo.namespace import DOOR
from demo.people import PEOPLE, UNIX_GROUPS
from portal.cli import app
from tests.demo_site import API, INSIDE, DemoSite
from tests.integration.test_door import call
from tests.integration.test_file_operations import begin, ended
from tests.person import Person

HOME = f"{INSIDE}/home"


def ask(site: DemoSite, verb: str, path: str, user: str = "alice", **fields: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "look": {},
        "list": {"limit": 100},
        "read": {"offset": 0, "limit": 1000},
        "find": {"glob": "*", "depth": 3, "limit": 100},
    }[verb]
    return call(site, verb, user=user, path=path, deadline_s=10, **(defaults | fields))


def code(answer: dict[str, Any]) -> str:
    return str(answer["error"]["code"]) if "error" in answer else "ok"


@pytest.fixture(autouse=True)
def some_files(site: DemoSite) -> Any:
    site.run("sh", "-c", "mkdir -p ~/t/in && echo hello > ~/t/a.txt && chmod 755 ~/t", user="alice")
    yield
    site.run("rm", "-rf", f"{HOME}/alice/t", f"{HOME}/bob/t", "/tmp/portal-t")


def test_own_files_are_seen_and_others_are_not(site: DemoSite) -> None:
    assert ask(site, "look", "~/t/a.txt")["kind"] == "file"
    assert [entry["name"] for entry in ask(site, "list", "~/t")["entries"]] == ["in", "a.txt"]
    for verb in ("look", "list", "read", "find"):
        assert code(ask(site, verb, f"{HOME}/alice/t/a.txt", user="bob")) == "forbidden"
    for secret in ("/etc/shadow", f"{INSIDE}/portal/secrets/hub_key", "/proc/1/environ", "/proc/self/environ"):
        assert code(ask(site, "read", secret)) in ("forbidden", "not_found")


def test_links_and_dots_lead_no_further_than_the_users_rights(site: DemoSite) -> None:
    site.run("mkdir", "-p", f"{HOME}/bob/t", user="bob")
    site.run("ln", "-sfn", f"{HOME}/alice/t", f"{HOME}/bob/t/link", user="bob")
    site.run("ln", "-sfn", "/etc/shadow", f"{HOME}/bob/t/shadow", user="bob")
    assert code(ask(site, "read", "~/t/link/a.txt", user="bob")) == "forbidden"
    assert code(ask(site, "read", "~/t/shadow", user="bob")) == "forbidden"
    assert code(ask(site, "read", f"{HOME}/bob/../alice/t/a.txt", user="bob")) == "forbidden"
    assert code(ask(site, "read", "~/../alice/t/a.txt", user="bob")) == "forbidden"


def test_groups_of_the_user_count(site: DemoSite) -> None:
    person = next(person for person in PEOPLE if person.username == "alice")
    group = UNIX_GROUPS[person.groups[0]]
    outsider = next(
        value.username for value in PEOPLE if person.groups[0] not in value.groups and value.username != "root"
    )
    site.run("sh", "-c", "mkdir -p /tmp/portal-t && echo x > /tmp/portal-t/f && chmod 750 /tmp/portal-t")
    site.run("chgrp", "-R", str(group), "/tmp/portal-t")
    site.run("chmod", "640", "/tmp/portal-t/f")
    assert code(ask(site, "read", "/tmp/portal-t/f")) == "ok"
    assert code(ask(site, "read", "/tmp/portal-t/f", user=outsider)) in ("forbidden", "user_refused")


def test_fifo_and_device_hold_nobody_up(site: DemoSite) -> None:
    site.run("mkfifo", f"{HOME}/alice/t/fifo", user="alice")
    began = time.monotonic()
    assert code(ask(site, "read", "~/t/fifo")) == "not_a_file"
    assert code(ask(site, "read", "/dev/zero")) == "not_a_file"
    assert ask(site, "look", "~/t/fifo")["kind"] == "other"
    assert time.monotonic() - began < 8


def test_every_look_is_in_the_audit_log_on_one_line(site: DemoSite) -> None:
    ask(site, "look", "/x\ny z")
    begins, done = site.log("portal-door").splitlines()[-2:]
    assert begins.endswith('look user=alice path="/x\\ny z" uid=52001 begins')
    assert "done" in done


def test_folder_picker_lists_home_and_shared_storage(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    mine = alice.api("GET", "/files", params={"path": "~/t"}).json()
    assert (mine["path"], mine["kind"], mine["truncated"]) == ("~/t", "folder", False)
    assert [(entry["name"], entry["kind"], entry["size"]) for entry in mine["entries"]][1] == ("a.txt", "file", 6)
    assert alice.api("GET", "/files", params={"path": "~/t/a.txt"}).json()["kind"] == "file"
    assert alice.api("GET", "/files", params={"path": "~/none"}).json()["kind"] == "missing"
    refused = bob.api("GET", "/files", params={"path": f"{HOME}/alice/t"})
    assert (refused.status_code, refused.json()["error"]["fields"][0]["field"]) == (403, "path")
    assert alice.api("GET", "/files", params={"path": "relative"}).status_code == 422


def error_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_folders_are_changed_as_the_user(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    assert alice.api("POST", "/files/folders", json={"path": "~/t/new"}).status_code == 201
    assert error_of(alice.api("POST", "/files/folders", json={"path": "~/t/new"})) == (409, "exists")
    moved = alice.api("POST", "/files/move", json={"paths": ["~/t/a.txt", "~/t/none"], "target": "~/t/new"}).json()
    assert ([item["path"] for item in moved["done"]], moved["failed"][0]["code"]) == (["~/t/a.txt"], "not_found")
    assert alice.api("POST", "/files/rename", json={"path": "~/t/new/a.txt", "name": "b.txt"}).status_code == 204
    assert alice.api("POST", "/files/mode", json={"path": "~/t/new/b.txt", "mode": "640"}).status_code == 204
    entry = alice.api("GET", "/files", params={"path": "~/t/new"}).json()["entries"][0]
    assert (entry["name"], entry["mode"], entry["owner"]) == ("b.txt", "rw-r-----", "alice")
    removed = alice.api("POST", "/files/remove", json={"paths": ["~/t/new/b.txt"]}).json()["done"][0]["now"]
    assert removed in [item["id"] for item in alice.api("GET", "/files/bin").json()["items"]]
    alice.api("POST", "/files/restore", json={"ids": [removed]})
    assert alice.api("GET", "/files", params={"path": "~/t/new"}).json()["total"] == 1
    for path in (f"{HOME}/alice/t/of-bob", "/etc/of-bob"):
        assert error_of(bob.api("POST", "/files/folders", json={"path": path})) == (403, "forbidden")
    assert error_of(bob.api("POST", "/files/mode", json={"path": "/etc/passwd", "mode": "666"})) == (403, "forbidden")
    stolen = bob.api("POST", "/files/move", json={"paths": [f"{HOME}/alice/t/new/b.txt"], "target": "~"}).json()
    assert [item["code"] for item in stolen["failed"]] == ["forbidden"]


def test_second_of_two_editors_is_told(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    site.run("sh", "-c", r"printf 'gr\374n\r\n' > ~/t/a.txt && chmod 640 ~/t/a.txt", user="alice")
    read = alice.api("GET", "/files/text", params={"path": "~/t/a.txt"}).json()
    assert (read["text"], read["encoding"], read["line_end"]) == ("grün\r\n", "latin-1", "crlf")
    mine = {name: read[name] for name in ("path", "version", "encoding", "line_end")} | {"text": "blau\n"}
    saved = alice.api("PUT", "/files/text", json=mine)
    assert saved.status_code == 200
    theirs = alice.api("PUT", "/files/text", json=mine | {"text": "rot\n"})
    assert error_of(theirs) == (412, "changed_meanwhile")
    shown = site.run("sh", "-c", "od -An -c ~/t/a.txt; stat -c %a ~/t/a.txt; ls -A ~/t", user="alice")
    assert shown.split() == ["b", "l", "a", "u", r"\r", r"\n", "640", "a.txt", "in"]


def test_strangers_link_does_not_choose_what_is_changed(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    site.run("sh", "-c", "mkdir -m 777 /tmp/portal-t; chmod 777 /tmp/portal-t", user="bob")
    site.run("ln", "-sfn", f"{HOME}/alice/t", "/tmp/portal-t/trap", user="bob")
    refused = alice.api("POST", "/files/folders", json={"path": "/tmp/portal-t/trap/new"})
    assert refused.status_code == 403
    assert "link that another user made" in refused.json()["error"]["message"]


def test_read_only_folder_is_said(site: DemoSite, person: Callable[[str], Person]) -> None:
    assert error_of(person("alice").api("POST", "/files/folders", json={"path": "/proc/new"}))[1] in (
        "forbidden", "not_found", "read_only",
    )  # fmt: skip
    site.run("sh", "-c", "mkdir -p ~/t/ro && chmod 555 ~/t/ro", user="alice")
    made = person("alice").api("POST", "/files/folders", json={"path": "~/t/ro/new"})
    assert error_of(made) == (403, "forbidden")


def test_folder_of_200_000_entries_is_paged(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    make = "import os\nos.makedirs('/tmp/portal-t', exist_ok=True)\n"
    make += "for n in range(200_000): os.close(os.open(f'/tmp/portal-t/f{n}', os.O_CREAT | os.O_WRONLY))"
    site.run("python3", "-c", make)
    began = time.monotonic()
    page = alice.api("GET", "/files", params={"path": "/tmp/portal-t", "limit": 200}).json()
    print(f"first 200 of 200,000 entries after {time.monotonic() - began:.2f} s")
    assert (page["total"], page["truncated"], page["entries"][199]["name"]) == (200_000, True, "f199")
    found = alice.api("GET", "/files", params={"path": "/tmp/portal-t", "q": "99999"}).json()
    assert [entry["name"] for entry in found["entries"]] == ["f99999", "f199999"]


def tus(person: Person, path: str, length: int, **values: str) -> str:
    """Begin an upload; return its path below the API."""
    pairs = {"path": path} | values
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())
    made = person.api("POST", "/files/uploads", headers={"Upload-Length": str(length), "Upload-Metadata": metadata})
    assert made.status_code == 201, made.text
    return str(made.headers["location"]).split("/api", 1)[1]


def piece(person: Person, upload: str, offset: int, data: Any) -> Any:
    headers = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
    return person.api("PATCH", upload, headers=headers, content=data)


def cut_off(data: bytes) -> Iterator[bytes]:
    yield data
    raise ConnectionError("the laptop's lid is closed")


def has_more_than(person: Person, upload: str, offset: int) -> bool:
    return arrived(person, upload) > offset


def arrived(person: Person, upload: str) -> int:
    return int(person.api("HEAD", upload).headers["upload-offset"])


def test_upload_cut_three_times_and_across_a_restart(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    data = os.urandom(20 << 20)
    upload = tus(alice, "~/t/up", len(data), sha256=hashlib.sha256(data).hexdigest())
    for _ in range(3):
        offset = arrived(alice, upload)

        with pytest.raises(ConnectionError):
            piece(alice, upload, offset, cut_off(data[offset : offset + (3 << 20)]))
        site.wait_for(partial(has_more_than, alice, upload, offset), "what was sent to arrive")
        names = site.run("ls", "-A", f"{HOME}/alice/t").split()
        assert "up" not in names
    site.restart("portal")
    offset = arrived(alice, upload)
    assert 0 < offset < len(data)
    assert bob.api("HEAD", upload).status_code == 404
    assert error_of(piece(alice, upload, offset - 1, b"x")) == (409, "conflict")
    assert piece(alice, upload, offset, data[offset:]).status_code == 204
    assert arrived(alice, upload) == len(data)
    shown = site.run("sh", "-c", "sha256sum ~/t/up; stat -c '%U %a' ~/t/up; ls -A ~/t", user="alice")
    assert shown.split()[0] == hashlib.sha256(data).hexdigest()
    assert shown.split()[2:] == ["alice", "644", "a.txt", "in", "up"]


def test_download_goes_on_and_cannot_be_a_page(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    site.run("sh", "-c", "echo '<script>alert(1)</script>' > ~/t/page.html", user="alice")
    where = {"path": f"{HOME}/alice/t/page.html"}
    got = alice.api("GET", "/files/content", params=where)
    assert got.text == "<script>alert(1)</script>\n"
    assert got.headers["content-disposition"].startswith("attachment;")
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in got.headers["content-security-policy"]
    assert got.headers["content-type"] == "application/octet-stream"
    rest = alice.api(
        "GET", "/files/content", params=where, headers={"Range": "bytes=8-", "If-Range": got.headers["etag"]}
    )
    assert (rest.status_code, rest.text) == (206, got.text[8:])
    assert error_of(bob.api("GET", "/files/content", params=where)) == (403, "forbidden")
    assert error_of(alice.api("GET", "/files/content", params={"path": "/dev/zero"}))[0] == 422


SQUASHED = "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all"
SQUASH = f"""
set -e
mv "$0" "$0.real"
cp -p "$0.json" "$0.real.json"
printf '#!/bin/sh\nexec {SQUASHED} "%s" "$@"\n' "$0.real" > "$0"
chmod 755 "$0"
"""


@pytest.fixture
def squashed(site: DemoSite) -> Iterator[None]:
    """Take from the door's root the right to enter what others own, as an NFS server does that squashes root.

    It cannot show what a server does with files that root creates there: they would belong to nobody.
    """
    site.run("sh", "-c", SQUASH, str(DOOR))
    yield
    site.run("sh", "-c", 'mv "$0.real" "$0"; rm "$0.real.json"', str(DOOR))


def test_share_that_root_may_not_enter(site: DemoSite, person: Callable[[str], Person], squashed: None) -> None:
    alice, data = person("alice"), os.urandom(3 << 20)
    site.run("sh", "-c", "chmod 700 ~/t ~/t/in", user="alice")
    denied = site.process("sh", "-c", f"{SQUASHED} ls {HOME}/alice/t")
    assert "Permission denied" in denied.stderr

    def listed(path: str = "~/t") -> list[str]:
        answer = alice.api("GET", "/files", params={"path": path})
        assert answer.status_code == 200, answer.text
        return [entry["name"] for entry in answer.json()["entries"]]

    assert listed() == ["in", "a.txt"]
    upload = tus(alice, "~/t/in/up", len(data), sha256=hashlib.sha256(data).hexdigest())
    assert piece(alice, upload, 0, data).status_code == 204
    assert alice.api("GET", "/files/content", params={"path": "~/t/in/up"}).content == data
    archive = alice.api("GET", "/files/archive", params={"path": "~/t/in", "format": "zip"})
    assert zipfile.ZipFile(io.BytesIO(archive.content)).read("in/up") == data
    assert alice.api("POST", "/files/rename", json={"path": "~/t/in/up", "name": "down"}).status_code == 204
    assert alice.api("POST", "/files/mode", json={"path": "~/t/in/down", "mode": "600"}).status_code == 204
    saved = alice.api(
        "PUT",
        "/files/text",
        json={"path": "~/t/in/new", "text": "x", "version": None, "encoding": "utf-8", "line_end": "lf"},
    )
    assert saved.status_code == 200, saved.text
    assert alice.api("POST", "/files/folders", json={"path": "~/t/made"}).status_code == 201
    copied = begin(alice, "/files/copies", paths=["~/t/in"], target="~/t/made", conflict="refuse")
    assert ended(site, alice, copied)["state"] == "done"
    assert listed("~/t/made/in") == ["down", "new"]
    removed = alice.api("POST", "/files/remove", json={"paths": ["~/t/in/new"]}).json()
    assert (len(removed["done"]), removed["failed"]) == (1, [])
    assert listed("~/t/in") == ["down"]
    erased = begin(alice, "/files/delete", paths=["~/t/made"])
    assert ended(site, alice, erased)["state"] == "done"
    assert listed() == ["in", "a.txt"]
    owners = site.run("sh", "-c", f"stat -c %U {HOME}/alice/t {HOME}/alice/t/in {HOME}/alice/t/in/*")
    assert set(owners.split()) == {"alice"}


def test_what_can_never_fit_is_refused_before_it_is_sent(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    refused = alice.api(
        "POST",
        "/files/uploads",
        headers={"Upload-Length": str(1 << 49), "Upload-Metadata": f"path {base64.b64encode(b'~/t/big').decode()}"},
    )
    assert error_of(refused) == (422, "disk_full")
    assert site.run("sh", "-c", "ls -A ~/t", user="alice").split() == ["a.txt", "in"]


def test_files_come_and_go_by_the_command_line(
    site: DemoSite, person: Callable[[str], Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    site.run("sh", "-c", "mkdir ~/t/copies", user="alice")
    Path("data").write_bytes(os.urandom(3 << 20))
    env = {"PORTAL_URL": site.url, "PORTAL_TOKEN": person("alice").token, "XDG_STATE_HOME": str(tmp_path / "state")}

    def portal(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["files", *arguments], env=env)
        assert done.exit_code == 0, done.output
        return done.stdout

    portal("put", "data", "~/t/")
    assert portal("ls", "~/t") == "copies/\nin/\na.txt\ndata\n"
    portal("get", "~/t/data", "back")
    assert Path("back").read_bytes() == Path("data").read_bytes()
    Path(".again.1-2-3.part").write_bytes(b"an older version")
    portal("get", "~/t/data", "again")
    assert Path("again").read_bytes() == Path("data").read_bytes()
    portal("mv", "~/t/data", "~/t/in")
    portal("cp", "~/t/in", "~/t/a.txt", "~/t/copies")
    assert portal("ls", "~/t/copies") == "in/\na.txt\n"
    refused = CliRunner().invoke(app, ["files", "cp", "~/t/a.txt", "~/t/copies"], env=env)
    assert (refused.exit_code, "already has something called" in " ".join(refused.output.split())) == (1, True)
    portal("rm", "--forever", "~/t/copies")
    assert portal("ls", "~/t") == "in/\na.txt\n"
    portal("rm", "~/t/in/data")
    assert portal("ls", "~/t/in") == ""
    assert sorted(os.listdir()) == ["again", "back", "data", "state"]


@pytest.mark.slow
def test_ten_gigabytes_go_up_and_down_in_flat_memory(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    block, size = os.urandom(1 << 20), 10 << 30
    sent = hashlib.sha256()
    for _ in range(size >> 20):
        sent.update(block)
    pid = int(site.service("portal")["pid"])
    rest, most = memory_mib(site, pid), 0.0
    began = time.monotonic()
    upload = tus(alice, "~/t/big", size, sha256=sent.hexdigest())
    offset = 0
    for end in (3 << 30, 5 << 30, 7 << 30, size):
        body = blocks(block, offset, end) if end == size else cut_off_after(blocks(block, offset, end))
        try:
            assert piece(alice, upload, offset, body).status_code == 204
        except ConnectionError:
            site.wait_for(partial(is_free, alice, upload), "the upload to be free")
        offset, most = arrived(alice, upload), max(most, memory_mib(site, pid))
    up_s, began = time.monotonic() - began, time.monotonic()
    got, size_got = hashlib.sha256(), 0
    with alice.web.stream("GET", f"{API}/files/content", params={"path": "~/t/big"}) as response:
        for part in response.iter_raw(1 << 20):
            got.update(part)
            size_got += len(part)
            if size_got % (1 << 30) < len(part):
                most = max(most, memory_mib(site, pid))
    down_s = time.monotonic() - began
    print(f"10 GiB up in {up_s:.0f} s, down in {down_s:.0f} s; portal {rest:.0f} MiB at rest, {most:.0f} MiB at most")
    assert (size_got, got.hexdigest()) == (size, sent.hexdigest())
    assert most - rest < 30


def memory_mib(site: DemoSite, pid: int) -> float:
    """Return the resident memory of a process of the site."""
    fields = site.run("cat", f"/proc/{pid}/smaps_rollup").split()
    return int(fields[fields.index("Rss:") + 1]) / 1024


def blocks(block: bytes, offset: int, end: int) -> Iterator[bytes]:
    while offset < end:
        begin = offset % len(block)
        piece = block[begin : begin + end - offset]
        offset += len(piece)
        yield piece


def cut_off_after(pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield from pieces
    raise ConnectionError("the laptop's lid is closed")


def is_free(person: Person, upload: str) -> bool:
    """Return whether the request that was cut off has ended: until then, the next would be refused."""
    return piece(person, upload, arrived(person, upload), b"").status_code == 204
