"""Files that the laptop's program sends and fetches over connections that break."""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent.laptop import transfers
from agent.laptop.device import Device
from agent.laptop.errors import Failure, NoAnswer

CONTENT = os.urandom(3 << 20)
CUT = 1 << 20


class Portal(ThreadingHTTPServer):
    """One file and one upload. `cuts`: how many more answers or pieces break off after 1 MiB."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.version, self.cuts = CONTENT, "1-2-3", 0
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.arrived = b""
        self.full = False

    @property
    def device(self) -> Device:
        return Device(f"http://127.0.0.1:{self.server_port}", "alice", "secret")


class Handler(BaseHTTPRequestHandler):
    server: Portal

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.server.cuts and body:
            self.server.cuts -= 1
            body = body[:CUT]
        self.wfile.write(body)

    def note(self) -> None:
        assert self.headers["Authorization"] == "token secret"
        self.server.asked.append((self.command, {name.lower(): value for name, value in self.headers.items()}))

    def do_GET(self) -> None:
        self.note()
        content, version = self.server.content, self.server.version
        if self.headers["If-Range"] == f'"{version}"':
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            where = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self.answer(206, content[start:], ETag=f'"{version}"', Content_Range=where)
        else:
            self.answer(200, content, ETag=f'"{version}"')

    def do_POST(self) -> None:
        self.note()
        self.answer(201, Location="/services/portal/api/files/uploads/token")

    def do_HEAD(self) -> None:
        self.note()
        self.answer(200, Upload_Offset=str(len(self.server.arrived)))

    def do_PATCH(self) -> None:
        self.note()
        if self.server.full:
            self.rfile.read(1000)
            self.answer(422, b'{"error": {"message": "There is no space left.", "hint": "Free some."}}')
            return
        assert int(self.headers["Upload-Offset"]) == len(self.server.arrived)
        if self.server.cuts:
            self.server.cuts -= 1
            self.server.arrived += self.rfile.read(CUT)
            return
        self.server.arrived += self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(204, Upload_Offset=str(len(self.server.arrived)))

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def portal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Portal]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(transfers, "PAUSES_S", (0,))
    with Portal() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_download_continues_after_lost_connections(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    portal.cuts = 2
    assert transfers.fetch(portal.device, "~/a", tmp_path / "a") == len(CONTENT)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert [headers.get("range") for _, headers in portal.asked] == [None, f"bytes={CUT - 1}-", f"bytes={2 * CUT - 2}-"]
    assert "Continuing at 1.0 MB." in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["a"]


def test_download_begins_again_if_the_file_has_changed(portal: Portal, tmp_path: Path) -> None:
    (tmp_path / ".a.0-0-0.part").write_bytes(b"of an older version")
    (tmp_path / ".ab.1-2-3.part").write_bytes(b"of another file")
    transfers.fetch(portal.device, "~/a", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert sorted(os.listdir(tmp_path)) == [".ab.1-2-3.part", "a"]


def test_download_gives_up_and_keeps_what_came(portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "PAUSES_S", ())
    portal.cuts = 1
    with pytest.raises(NoAnswer, match="was lost"):
        transfers.fetch(portal.device, "~/a", tmp_path / "a")
    assert (tmp_path / ".a.1-2-3.part").read_bytes() == CONTENT[:CUT]
    assert not (tmp_path / "a").exists()


def test_full_disk_of_ones_own_is_no_lost_connection(
    portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfers, "_write", full)
    with pytest.raises(Failure, match="No space left on device") as raised:
        transfers.fetch(portal.device, "~/a", tmp_path / "a")
    assert not isinstance(raised.value, NoAnswer)
    assert len(portal.asked) == 1


def test_upload_continues_after_a_lost_connection_and_in_the_next_run(
    portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(CONTENT)
    with monkeypatch.context() as at_once:
        at_once.setattr(transfers, "PAUSES_S", ())
        portal.cuts = 1
        with pytest.raises(NoAnswer):
            transfers.send(portal.device, tmp_path / "a", "~/a", replace=False)
    kept = tmp_path / "config/portal/uploads.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert portal.arrived == CONTENT[:CUT]
    portal.cuts = 1
    assert transfers.send(portal.device, tmp_path / "a", "~/a", replace=False) == len(CONTENT)
    assert portal.arrived == CONTENT
    [made] = [headers for method, headers in portal.asked if method == "POST"]
    metadata = dict(pair.split() for pair in made["upload-metadata"].split(","))
    assert base64.b64decode(metadata["sha256"]).decode() == hashlib.sha256(CONTENT).hexdigest()
    assert base64.b64decode(metadata["path"]) == b"~/a"
    assert kept.read_text() == "{}"


def test_changed_file_is_another_upload(portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "PAUSES_S", ())
    for content in (CONTENT, CONTENT[1:]):
        (tmp_path / "a").write_bytes(content)
        portal.cuts, portal.arrived = 1, b""
        with pytest.raises(NoAnswer):
            transfers.send(portal.device, tmp_path / "a", "~/a", replace=False)
    assert [method for method, _ in portal.asked].count("POST") == 2


def test_refusal_in_the_middle_of_a_piece_is_reported(portal: Portal, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(CONTENT)
    portal.full = True
    with pytest.raises(Failure, match=r"There is no space left\. Free some\."):
        transfers.send(portal.device, tmp_path / "a", "~/a", replace=False)
