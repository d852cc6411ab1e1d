"""TensorBoards as processes on their own sockets: one per folder, reused, ended with the server that started them."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from agent.lab import serve_tensorboard, tensorboards
from agent.lab.relay import relay
from agent.lab.tensorboards import Board, CannotOpen, TensorBoards


async def ask(board: Board, path: str = "/", **request: Any) -> tuple[Any, Any]:
    """Ask a board through the relay, as a browser does; return the response and what the board saw."""

    class Handler(RequestHandler):
        async def get(self) -> None:
            await relay(self.request, board.socket, self)

        post = get

    listening, port = bind_unused_port()
    server = HTTPServer(Application([(".*", Handler)]))
    server.add_socket(listening)
    try:
        response = await AsyncHTTPClient(force_instance=True).fetch(
            HTTPRequest(f"http://127.0.0.1:{port}{board.prefix}{path}", **request)
        )
    finally:
        server.stop()
    return response, json.loads(response.body)


async def test_a_folder_has_one_board_however_often_it_is_opened(boards: TensorBoards) -> None:
    first, second = await asyncio.gather(boards.open("/data/runs"), boards.open("/data/runs"))
    assert first is second
    assert await boards.open("/data/runs") is first
    other = await boards.open("/data/other")
    assert {board.id for board in boards.running()} == {first.id, other.id}
    assert first.process.pid != other.process.pid


async def test_a_board_listens_where_its_owner_alone_can_reach_it(boards: TensorBoards) -> None:
    board = await boards.open("/data/runs")
    assert stat.S_IMODE(os.stat(os.path.dirname(board.socket)).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(board.socket).st_mode) & 0o077 == 0
    files = Path(f"/proc/{board.process.pid}/fd")
    mine = {os.readlink(link) for link in files.iterdir()}
    tcp = (
        Path(f"/proc/{board.process.pid}/net/tcp").read_text() + Path(f"/proc/{board.process.pid}/net/tcp6").read_text()
    )
    inodes = {line.split()[9] for line in tcp.splitlines() if "local_address" not in line}
    assert not {f"socket:[{inode}]" for inode in inodes} & mine
    _, seen = await ask(board)
    assert seen["argv"][1:5] == ["--logdir", "/data/runs", "--path_prefix", board.prefix]


async def test_a_board_is_not_told_who_asks(boards: TensorBoards) -> None:
    board = await boards.open("/data/runs")
    secret = {"Cookie": "jupyterhub-user-alice=1", "Authorization": "token t", "X-XSRFToken": "x", "X-Mine": "kept"}
    response, seen = await ask(board, "/data/x?y=%20z", method="POST", body="a=b", headers=secret)
    assert seen["seen"]["HTTP_X_MINE"] == "kept"
    assert not {"HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_X_XSRFTOKEN"} & seen["seen"].keys()
    assert (seen["method"], seen["path"], seen["body"]) == ("POST", f"{board.prefix}/data/x", "a=b")
    assert seen["token"] is None
    assert response.headers["X-Theirs"] == "1"
    assert "Set-Cookie" not in response.headers


async def test_a_closed_board_is_gone_and_its_folder_can_be_opened_again(boards: TensorBoards) -> None:
    first = await boards.open("/data/runs")
    await boards.close(first.id)
    assert not first.alive
    assert boards.running() == []
    await boards.close(first.id)
    assert (await boards.open("/data/runs")).process.pid != first.process.pid


async def test_a_board_that_died_is_started_again(boards: TensorBoards) -> None:
    first = await boards.open("/data/runs")
    first.process.kill()
    await first.process.wait()
    assert (await boards.open("/data/runs")).alive


async def test_a_board_ends_when_the_server_is_gone(tmp_path: Path, boards: TensorBoards) -> None:
    argv = [sys.executable, serve_tensorboard.__file__, str(tmp_path / "socket"), "/data", "/x"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.stdin.close()  # as the kernel does when the server dies
        assert process.wait(20) == 0


async def test_why_it_does_not_start_is_said_in_its_own_words(
    boards: TensorBoards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARD", "broken")
    with pytest.raises(CannotOpen, match="no module named protobuf"):
        await boards.open("/data/runs")
    assert boards.running() == []


async def test_a_board_that_says_nothing_is_given_up(boards: TensorBoards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARD", "silent")
    monkeypatch.setattr(tensorboards, "START_TIMEOUT_S", 0.2)
    with pytest.raises(CannotOpen, match="did not start within"):
        await boards.open("/data/runs")


async def test_there_are_not_more_than_a_session_can_bear(
    boards: TensorBoards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensorboards, "MOST", 1)
    await boards.open("/data/runs")
    with pytest.raises(CannotOpen, match="Shut one down"):
        await boards.open("/data/other")


async def test_an_environment_without_tensorboard_is_told(
    boards: TensorBoards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CannotOpen, match="not installed in this session's environment"):
        await boards.open("/data/runs")
