"""Which ports are listed and opened: those of the session's own processes, and of nobody else's."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.job import own_ports
from agent.job.own_ports import OwnPorts

SERVE = """
import socket, sys, time
listener = socket.create_server((sys.argv[1], 0), family=socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
print(listener.getsockname()[1], flush=True)
time.sleep(60)
"""


class Program:
    """A program that listens on a free port of an address."""

    def __init__(self, script: Path, ip: str) -> None:
        self.process = subprocess.Popen([sys.executable, str(script), ip], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "my_app.py"
    path.write_text(SERVE)
    return path


@pytest.fixture(params=["127.0.0.1", "0.0.0.0", "::1", "::"])  # noqa: S104
def program(request: pytest.FixtureRequest, script: Path) -> Iterator[Program]:
    if ":" in request.param and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    program = Program(script, request.param)
    yield program
    program.end()


@pytest.fixture
def neighbour(script: Path) -> Iterator[Program]:
    program = Program(script, "127.0.0.1")
    yield program
    program.end()


def own(tmp_path: Path, *programs: Program) -> OwnPorts:
    return OwnPorts(lambda: {program.process.pid for program in programs}, tmp_path)


def test_a_port_of_the_session_is_listed_with_its_program_and_opened(program: Program, tmp_path: Path) -> None:
    found = own(tmp_path, program)
    assert found.listed() == [{"port": program.port, "process": "my_app.py"}]
    with found.connect(program.port, 2) as connection:
        assert connection.getpeername()[1] == program.port


def test_a_neighbours_port_is_neither_listed_nor_connected_to(
    neighbour: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connected(*_: object) -> socket.socket:
        raise AssertionError("connected")

    monkeypatch.setattr(own_ports, "connected", connected)
    found = own(tmp_path)
    assert found.listed() == []
    with pytest.raises(PermissionError):
        found.connect(neighbour.port, 2)


def test_a_port_that_a_neighbour_takes_over_while_connecting_is_not_used(
    neighbour: Program, script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Program(script, "127.0.0.1")
    opened: list[socket.socket] = []

    def taken_over(connection: socket.socket, address: tuple[str, int], timeout_s: float) -> socket.socket:
        mine.end()
        with socket.create_server(address):  # the neighbour's
            opened.append(connection)
            connection.connect(address)
            return connection

    monkeypatch.setattr(own_ports, "connected", taken_over)
    with pytest.raises(PermissionError):
        own(tmp_path, mine).connect(mine.port, 2)
    assert opened[0].fileno() == -1


def test_a_socket_that_others_listen_on_beside_ours_is_not_used(script: Path, tmp_path: Path) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    mine = Program(script, "127.0.0.1")
    try:
        with socket.socket(socket.AF_INET6) as theirs:
            theirs.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            theirs.bind(("::1", mine.port))
            theirs.listen()
            with own(tmp_path, mine).connect(mine.port, 2) as connection:
                assert connection.getpeername() == ("127.0.0.1", mine.port)
    finally:
        mine.end()


def test_nothing_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(ConnectionRefusedError):
        own(tmp_path).connect(port, 2)


def test_without_a_timeout_it_is_left_to_a_thread(neighbour: Program, tmp_path: Path) -> None:
    with pytest.raises(BlockingIOError):
        own(tmp_path, neighbour).connect(neighbour.port, 0)


def test_kernels_and_jupyter_itself_are_left_out(neighbour: Program, tmp_path: Path) -> None:
    found = own(tmp_path, neighbour)
    (tmp_path / "kernel-1.json").write_text(json.dumps({"shell_port": neighbour.port, "ip": "127.0.0.1"}))
    (tmp_path / "kernel-2.json").write_text("[")
    assert found.listed() == []
    assert found.is_internal(neighbour.port)
    (tmp_path / "kernel-1.json").unlink()
    assert not found.is_internal(neighbour.port)
    found.reserved = lambda: neighbour.port
    assert found.is_internal(neighbour.port)
    assert found.listed() == []


def test_seen_changes_when_a_program_stops_listening(neighbour: Program, tmp_path: Path) -> None:
    found = own(tmp_path)
    before = found.seen()
    neighbour.end()
    assert len(before - found.seen()) >= 1
