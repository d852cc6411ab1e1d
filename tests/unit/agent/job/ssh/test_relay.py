"""A client that sends nothing: pinged, kept while it answers, and no use of the session."""

from __future__ import annotations

import io
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.job.ssh import relay
from agent.job.ssh.frames import BINARY, PING, PONG, Frames, message


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "used"


@pytest.fixture
def client(mark: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    monkeypatch.setattr(relay, "PING_S", 1)
    monkeypatch.setattr(relay, "MOST_PINGS", 1)
    ours, theirs = socket.socketpair()
    holder, _held = socket.socketpair()
    sshd, _sshd = socket.socketpair()
    with ours, theirs, holder, _held, sshd, _sshd:
        ours.settimeout(10)
        relayed = relay.Relay(theirs, holder, sshd, accept="", host_key="", mark=str(mark))
        work = threading.Thread(target=lambda: (relayed._up(), theirs.shutdown(socket.SHUT_RDWR)))  # noqa: SLF001
        work.start()
        yield ours
        ours.close()
        work.join(10)


def kinds(client: socket.socket) -> list[int]:
    return [kind for kind, _ in Frames(masked=False).feed(memoryview(client.recv(4096)))]


def test_a_client_that_answers_stays_and_one_that_does_not_is_lost(client: socket.socket, mark: Path) -> None:
    for _ in range(3):
        assert kinds(client) == [PING]
        client.sendall(message(PONG, masked=True))
    assert kinds(client) == [PING]
    assert kinds(client) == [PING]
    assert client.recv(1) == b"", "Two pings in vain."
    assert not mark.exists(), "Nobody has used the session."


def test_what_a_client_sends_is_use(client: socket.socket, mark: Path) -> None:
    client.sendall(message(BINARY, b"typed", masked=True))
    assert kinds(client) == [PING]
    assert mark.exists()


def test_sshds_connection_ends_with_the_clients(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    client, _client = socket.socketpair()
    holder, _held = socket.socketpair()
    sshd, sshds_end = socket.socketpair()
    with client, _client, holder, _held, sshd, sshds_end:
        sshds_end.settimeout(10)
        relay.Relay(client, holder, sshd, accept="", host_key="", mark=str(mark)).run()
        assert sshds_end.recv(1) == b"", "An sshd that missed SIGTERM ends, too."
