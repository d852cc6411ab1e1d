"""The terminal app on its Unix socket: page, shell, what a page that comes back sees, and rude pages."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from agent.job.terminal import Terminal, _shell
from agent.job.websocket import MAX_MESSAGE


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    path = str(tmp_path / "app.sock")
    serving = asyncio.ensure_future(Terminal(["/bin/sh"], b"start();").serve(path))
    while not os.path.exists(path):
        await asyncio.sleep(0.01)
    async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(path)) as session:
        yield session
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def until(socket: aiohttp.ClientWebSocketResponse, wanted: bytes) -> bytes:
    text = b""
    while wanted not in text:
        message = await socket.receive(10)
        assert message.type is aiohttp.WSMsgType.BINARY, message
        text += message.data
    return text


async def test_the_page_loads_its_script_and_nothing_else(client: aiohttp.ClientSession) -> None:
    async with client.get("http://x/") as answer:
        assert 'src="terminal.js"' in await answer.text()
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    async with client.get("http://x/terminal.js") as answer:
        assert await answer.text() == "start();"
    async with client.get("http://x/etc/passwd") as answer:
        assert answer.status == 404


async def test_a_shell_takes_its_size_and_what_is_typed(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/shells/1") as socket:
        await socket.send_str("[123, 45]")
        await socket.send_bytes(b"stty size; echo $TERM; echo do''ne\n")
        text = await until(socket, b"done")
    assert b"45 123" in text
    assert b"xterm-256color" in text


async def test_two_pages_show_one_shell_and_another_name_is_another_shell(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/shells/1") as websocket:
        await websocket.send_bytes(b"mark=here; echo fi''rst\n")
        await until(websocket, b"first")
        async with client.ws_connect("http://x/shells/1") as two, client.ws_connect("http://x/shells/2") as other:
            await until(two, b"first")
            await two.send_bytes(b"echo $mark-again\n")
            assert b"here-again" in await until(websocket, b"here-again")
            await other.send_bytes(b"echo [$mark]\n")
            await until(other, b"[]")


async def test_the_end_of_a_shell_is_told_and_the_next_page_gets_a_new_one(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/shells/1") as socket:
        await socket.send_bytes(b"exit 7\n")
        while (message := await socket.receive(10)).type is not aiohttp.WSMsgType.TEXT:
            pass
        assert json.loads(message.data) == {"ended": 7}
    async with client.ws_connect("http://x/shells/1") as socket:
        await socket.send_bytes(b"echo ne''w\n")
        await until(socket, b"new")


async def test_much_output_comes_whole_and_much_input_goes_in(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/shells/1") as socket:
        await socket.send_bytes(b"stty -echo -icanon; echo rea''dy\n")
        await until(socket, b"ready")
        await socket.send_bytes(b"head -c 300000 /dev/zero | tr '\\0' x; echo e''nd\n")
        assert (await until(socket, b"end")).count(b"x") == 300_000
        # Once it says “go” the shell has read its line, and what comes is head's; before, it might read on itself.
        await socket.send_bytes(b"echo g''o; head -c 200000 | wc -c\n")
        await until(socket, b"go")
        await socket.send_bytes(b"y" * 200_000)
        await until(socket, b"200000")


async def test_two_pages_that_write_much_at_once_both_go_in(client: aiohttp.ClientSession, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    async with client.ws_connect("http://x/shells/1") as websocket, client.ws_connect("http://x/shells/1") as two:
        line = f"stty -echo -icanon; echo g''o; read x < {gate}; head -c 200000 | wc -c\n"
        await websocket.send_bytes(line.encode())
        await until(websocket, b"go")
        await asyncio.gather(websocket.send_bytes(b"y" * 100_000), two.send_bytes(b"z" * 100_000))
        await asyncio.to_thread(gate.write_text, "now\n")
        await until(websocket, b"200000")


@pytest.mark.parametrize("name", ["", "..", "A", "a" * 33, "a%20b"])
async def test_a_shell_has_a_plain_name(client: aiohttp.ClientSession, name: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await client.ws_connect(f"http://x/shells/{name}")


async def test_a_page_that_breaks_the_protocol_is_let_go_and_the_shell_stays(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/shells/1") as socket:
        await socket.send_bytes(b"kept=yes; echo o''k\n")
        await until(socket, b"ok")
        with suppress(ConnectionError, aiohttp.ClientError):  # it is let go while it still sends
            await socket.send_bytes(bytes(MAX_MESSAGE + 1))
        while (await socket.receive(10)).type is aiohttp.WSMsgType.BINARY:
            pass
    for nonsense in ("x", "[1]", '{"a": 1}', "[-1, 99999999]"):
        async with client.ws_connect("http://x/shells/1") as socket:
            await socket.send_str(nonsense)
            await socket.send_bytes(b"echo $kept-still\n")
            await until(socket, b"yes-still")


def test_inside_an_image_any_shell_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert _shell(["python3", "agent", "enter-modules", "--"]) == [
        "python3",
        "agent",
        "enter-modules",
        "--",
        "/usr/bin/zsh",
    ]
    assert _shell(["python3", "agent", "enter-image", "--"])[4:6] == ["/bin/sh", "-c"]
