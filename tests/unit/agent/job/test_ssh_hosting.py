"""Which requests get SSH and which an error; what ends a connection.

The relay is real. sshd, which as root would need a folder of the machine, is replaced by a program that only greets.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.job import ssh_hosting
from agent.job.ssh.frames import BINARY, CLOSE, TEXT, Frames, close_reason
from agent.job.ssh.relay import APP_ENDED, LOGIN_ENDED
from agent.job.ssh_hosting import NO_SSHD, SWITCHED_OFF, Hosting
from tests.unit.agent.conftest import until

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGcbM2dDnA9hPqmtTZ5qjkxQ8O5Yl9C5u1yHf0d7dQ5T"
ORDERS: Any = {"owner": "alice", "words": [], "env": {}, "image": False}
SSHD = "#!/bin/sh\nprintf 'SSH-2.0-OpenSSH_greets\\r\\n'\nexec cat >/dev/null\n"


@pytest.fixture
def hosting(tmp_path: Path, agent_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosting]:
    monkeypatch.setattr(ssh_hosting, "agent_path", lambda: str(agent_file))
    monkeypatch.setattr(ssh_hosting, "home", lambda: str(tmp_path))
    sshd = tmp_path / "sshd"
    sshd.write_text(SSHD)
    sshd.chmod(0o755)
    monkeypatch.setattr(ssh_hosting, "SSHD", str(sshd))
    place: Any = SimpleNamespace(folder=str(tmp_path), environment={"PATH": os.environ["PATH"]}, values={})
    hosting = Hosting(ORDERS, place, lambda text: None)
    yield hosting
    hosting.close("The test is over.")
    hosting.wait(10)


class Client:
    """The client's end, and that of the process that checked the login."""

    def __init__(self, hosting: Hosting, key: str = KEY) -> None:
        self.connection, theirs = socket.socketpair()
        self.connection.settimeout(15)
        self.holder, held = socket.socketpair()
        with theirs, held:
            hosting.serve(theirs, held, key=key, accept="dGhlIHNhbXBsZSBub25jZQ==")
        self._frames = Frames(masked=False)
        head, _, self._rest = self._until(b"\r\n\r\n").partition(b"\r\n\r\n")
        self.head = head.decode()

    def _until(self, end: bytes) -> bytes:
        data = b""
        while end not in data and (piece := self.connection.recv(4096)):
            data += piece
        return data

    def refusal(self) -> str:
        assert self.head.startswith("HTTP/1.1 503")
        return str(json.loads(self._rest)["error"]["message"])

    def pieces(self) -> Iterator[tuple[int, bytes]]:
        data = self._rest or self.connection.recv(4096)
        while data:
            for kind, view in self._frames.feed(memoryview(data)):
                yield kind, bytes(view)
            data = self.connection.recv(4096)

    def reason(self) -> str:
        return next(close_reason(memoryview(data)) for kind, data in self.pieces() if kind == CLOSE)

    def close(self) -> None:
        self.connection.close()
        self.holder.close()


@pytest.mark.parametrize("key", ["", "nonsense", f'command="id" {KEY}', f"{KEY}\nssh-rsa AAAA", f"{KEY} comment"])
def test_only_a_plain_key_is_taken(hosting: Hosting, key: str) -> None:
    client = Client(hosting, key)
    assert "has no SSH key" in client.refusal()
    client.close()


def test_a_site_or_group_without_ssh_gets_a_sentence(tmp_path: Path) -> None:
    place: Any = SimpleNamespace(folder=str(tmp_path), environment={}, values={})
    hosting = Hosting(None, place, lambda text: None)
    client = Client(hosting)
    assert client.refusal() == SWITCHED_OFF
    assert hosting.owner is None
    client.close()
    hosting.close("")


def test_a_node_without_sshd_gets_a_sentence(hosting: Hosting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_hosting, "SSHD", "/nowhere/sshd")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    client = Client(hosting)
    assert client.refusal() == NO_SSHD
    client.close()


def test_a_connection_reaches_an_sshd_of_its_own(hosting: Hosting, tmp_path: Path) -> None:
    assert hosting.last_used() is None
    client = Client(hosting)
    assert client.head.startswith("HTTP/1.1 101")
    assert "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in client.head  # RFC 6455, 1.3
    assert "Portal-Ssh-Host-Key: ssh-ed25519 AAAA" in client.head
    assert next(data for kind, data in client.pieces() if kind == BINARY).startswith(b"SSH-2.0-OpenSSH")
    [folder] = (tmp_path / "ssh").glob("connection-*")
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert files == {"keys": 0o600, "sshd_config": 0o600, "environment.json": 0o600}
    assert stat.S_IMODE((tmp_path / "ssh" / "host_key").stat().st_mode) == 0o600
    assert (folder / "keys").read_text() == f"{KEY}\n"
    assert hosting.last_used() is not None
    client.close()
    until(lambda: not folder.exists(), "the connection's folder to go")


@pytest.mark.parametrize(("last", "sentence"), [(b"login", LOGIN_ENDED), (b"", APP_ENDED)])
def test_a_login_that_ends_takes_the_connection_with_it(hosting: Hosting, last: bytes, sentence: str) -> None:
    client = Client(hosting)
    client.holder.send(last or b".")
    client.holder.close()
    assert client.reason() == sentence
    client.close()


def test_the_user_is_told_what_the_agent_says(hosting: Hosting) -> None:
    client = Client(hosting)
    hosting.say("This session ends in 5 minutes. Save your work.")
    assert b"This session ends in 5 minutes. Save your work." in (
        data for kind, data in client.pieces() if kind == TEXT
    )
    hosting.close("The session has reached its time limit.")
    assert client.reason() == "The session has reached its time limit."
    client.close()
    late = Client(hosting)
    assert late.refusal() == "The session has ended."
    late.close()


def test_the_user_is_told_once_when_an_idle_session_ends(hosting: Hosting) -> None:
    client = Client(hosting)
    end = time.time() + 600
    for at in (None, end, None, end, end + 1200):
        hosting.ends_if_idle(at)
    told = (data.decode() for kind, data in client.pieces() if kind == TEXT and b"terminals" not in data)
    for minutes in (10, 30):
        assert next(told) == f"Nobody uses this session, so it ends in {minutes} minutes. Run something to keep it."
    client.close()


def test_connections_are_bounded(hosting: Hosting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_hosting, "MOST_CONNECTIONS", 1)
    first, second = Client(hosting), Client(hosting)
    assert "has 1 SSH connections already" in second.refusal()
    first.close()
    second.close()
