"""The desktop app with a stand-in for the X server: its socket, its pages, what ends it, and rude pages."""

from __future__ import annotations

import asyncio
import os
import stat
import struct
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from agent.job import desktop
from agent.job.desktop import CannotStart, Desktop
from agent.job.websocket import MAX_MESSAGE

# Echoes what a page sends; `flood` makes it send without end, `bye` closes, `die` ends it.
XVNC = """
import asyncio, sys
path = sys.argv[sys.argv.index("-rfbunixpath") + 1]

async def come(reader, writer):
    while piece := await reader.read(65536):
        if piece == b"flood":
            while True:
                writer.write(bytes(65536))
                await writer.drain()
        if piece == b"bye":
            break
        if piece == b"die":
            sys.exit(3)
        writer.write(piece)
    writer.close()

async def main():
    server = await asyncio.start_unix_server(come, path)
    print(7, flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
GUEST = {"X-Portal-Guest": "bob"}
WINDOW_MANAGER = 'echo "$DISPLAY $XAUTHORITY" > {seen}; while [ ! -e {leave} ]; do sleep 0.02; done; exit 0'


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of stand-ins on the PATH, and of what they leave."""
    manager = WINDOW_MANAGER.format(seen=tmp_path / "seen", leave=tmp_path / "leave")
    for name, text in (("Xvnc", f"#!{sys.executable}{XVNC}"), ("manager", f"#!/bin/sh\n{manager}\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("PORTAL_DESKTOP", "manager")
    return tmp_path


async def start(folder: Path) -> asyncio.Task[int]:
    """Serve a desktop at `app.sock` in the folder, and wait until it listens."""
    path = folder / "app.sock"
    serving = asyncio.ensure_future(Desktop(["Xvnc"], folder, b"start();").serve(str(path)))
    while not path.exists():
        assert not serving.done(), await serving
        await asyncio.sleep(0.01)
    return serving


@pytest.fixture
async def running(programs: Path) -> AsyncIterator[asyncio.Task[int]]:
    serving = await start(programs)
    yield serving
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest.fixture
async def client(programs: Path, running: asyncio.Task[int]) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(programs / "app.sock"))) as session:
        yield session


async def test_the_page_loads_its_script_and_nothing_else(client: aiohttp.ClientSession) -> None:
    async with client.get("http://x/") as answer:
        text = await answer.text()
        assert 'src="desktop.js"' in text
        assert "<title>Desktop" in text
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    async with client.get("http://x/desktop.js") as answer:
        assert await answer.text() == "start();"
    async with client.get("http://x/terminal.js") as answer:
        assert answer.status == 404
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await client.ws_connect("http://x/elsewhere")


async def test_bytes_pass_both_ways_and_two_pages_are_apart(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/rfb") as one, client.ws_connect("http://x/rfb") as two:
        await one.send_bytes(b"of one")
        await two.send_bytes(b"of two")
        assert (await one.receive(10)).data == b"of one"
        assert (await two.receive(10)).data == b"of two"


async def test_the_window_manager_finds_the_display_and_a_cookie_of_its_user_alone(
    programs: Path, running: asyncio.Task[int]
) -> None:
    while not (programs / "seen").exists() or not (programs / "seen").read_text():
        await asyncio.sleep(0.01)
    display, cookie = (programs / "seen").read_text().split()
    assert display == ":7"
    assert stat.S_IMODE(os.stat(cookie).st_mode) == 0o600
    content = Path(cookie).read_bytes()
    name = b"MIT-MAGIC-COOKIE-1"
    assert content[:-16] == struct.pack(">4H", 0xFFFF, 0, 0, len(name)) + name + struct.pack(">H", 16)


async def test_the_x_server_listens_on_no_port_and_asks_for_the_cookie() -> None:
    words = " ".join(desktop.OPTIONS)
    assert "-nolisten tcp" in words
    assert "-rfbport -1" in words
    assert "-rfbunixmode 0600" in words


async def test_leaving_the_window_manager_ends_the_session_well(programs: Path, running: asyncio.Task[int]) -> None:
    (programs / "leave").touch()
    assert await asyncio.wait_for(running, 10) == 0


async def test_the_end_of_the_x_server_ends_the_session_badly(
    client: aiohttp.ClientSession, running: asyncio.Task[int]
) -> None:
    async with client.ws_connect("http://x/rfb") as page:
        await page.send_bytes(b"die")
        assert await asyncio.wait_for(running, 10) == 3


async def test_a_missing_window_manager_is_said(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTAL_DESKTOP", "no-such-desktop")
    with pytest.raises(CannotStart, match="no window manager no-such-desktop"):
        await asyncio.wait_for(Desktop(["Xvnc"], programs, b"").serve(str(programs / "app.sock")), 10)


@pytest.mark.parametrize("script", ["exit 1", "echo unexpected; exec sleep 10"])
async def test_an_x_server_that_does_not_start_is_said(programs: Path, script: str) -> None:
    (programs / "Xvnc").write_text(f"#!/bin/sh\n{script}\n")
    with pytest.raises(CannotStart, match="ended before it was ready"):
        await asyncio.wait_for(Desktop(["Xvnc"], programs, b"").serve(str(programs / "app.sock")), 5)


async def test_a_missing_x_server_is_said(programs: Path) -> None:
    with pytest.raises(CannotStart, match="no-such-server cannot be started on this node"):
        await Desktop(["no-such-server"], programs, b"").serve(str(programs / "app.sock"))


async def test_an_x_server_that_hangs_is_given_up(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (programs / "Xvnc").write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(desktop, "START_S", 0.2)
    with pytest.raises(CannotStart, match="did not start within"):
        await asyncio.wait_for(Desktop(["Xvnc"], programs, b"").serve(str(programs / "app.sock")), 5)


async def test_a_page_that_takes_nothing_is_let_go_and_others_go_on(
    client: aiohttp.ClientSession, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "SLOW_S", 0.2)
    reader, writer = await asyncio.open_unix_connection(str(programs / "app.sock"))
    writer.write(
        b"GET /rfb HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        b"\x82\x85\0\0\0\0flood"
    )
    await reader.readuntil(b"\r\n\r\n")
    async with client.ws_connect("http://x/rfb") as page:
        await asyncio.sleep(0.5)
        await page.send_bytes(b"still here")
        assert (await page.receive(10)).data == b"still here"

    async def rest() -> int:
        size = 0
        while piece := await reader.read(1 << 20):
            size += len(piece)
        return size

    # What was under way is all that comes: the connection has been closed.
    assert await asyncio.wait_for(rest(), 10) < 50_000_000
    writer.close()


async def test_each_side_that_closes_closes_the_other(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/rfb") as page:
        await page.send_bytes(b"bye")
        assert (await page.receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def test_a_half_closed_page_is_let_go(client: aiohttp.ClientSession, programs: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(str(programs / "app.sock"))
    writer.write(
        b"GET /rfb HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write_eof()
    assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()


async def test_a_message_that_is_too_long_ends_its_page_alone(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/rfb") as page, client.ws_connect("http://x/rfb") as other:
        await page.send_bytes(bytes(MAX_MESSAGE + 1))
        assert (await page.receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        await other.send_bytes(b"fine")
        assert (await other.receive(10)).data == b"fine"


async def test_a_page_too_many_closes_the_oldest(client: aiohttp.ClientSession) -> None:
    pages = []
    for number in range(desktop.MAX_PAGES + 1):
        page = await client.ws_connect("http://x/rfb")
        pages.append(page)
        await page.send_bytes(f"page {number}".encode())
        assert (await page.receive(10)).data == f"page {number}".encode()
    assert (await pages[0].receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
    for page in pages[1:]:
        await page.send_bytes(b"open")
        assert (await page.receive(10)).data == b"open"
        await page.close()


async def test_a_guest_looks_and_does_nothing(client: aiohttp.ClientSession) -> None:
    """The stand-in for the X server echoes what reaches it."""
    async with client.get("http://x/", headers=GUEST) as answer:
        assert "data-onlooker" in await answer.text()
    async with client.get("http://x/") as answer:
        assert "data-onlooker" not in await answer.text()
    update = struct.pack(">BBHHHH", 3, 1, 0, 0, 1280, 800)
    key = struct.pack(">BBxxI", 4, 1, 0x61)
    async with client.ws_connect("http://x/rfb", headers=GUEST) as page:
        await page.send_bytes(b"RFB 003.008\n\1\1")
        assert (await page.receive(10)).data.startswith(b"RFB 003.008\n\1\1")
        await page.send_bytes(key + update + key)
        assert (await page.receive(10)).data == update
        await page.send_bytes(b"\x63")
        assert (await page.receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def test_a_guest_who_may_use_it_is_kept_from_nothing(client: aiohttp.ClientSession) -> None:
    headers = GUEST | {"X-Portal-Guest-Mode": "use"}
    async with client.get("http://x/", headers=headers) as answer:
        assert "data-onlooker" not in await answer.text()
    async with client.ws_connect("http://x/rfb", headers=headers) as page:
        await page.send_bytes(b"anything")
        assert (await page.receive(10)).data == b"anything"


async def test_guests_close_no_page_of_the_owners(client: aiohttp.ClientSession) -> None:
    async with client.ws_connect("http://x/rfb") as owners:
        guests = [await client.ws_connect("http://x/rfb", headers=GUEST) for _ in range(desktop.MAX_PAGES + 1)]
        assert (await guests[0].receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        await owners.send_bytes(b"still here")
        assert (await owners.receive(10)).data == b"still here"
        for guest in guests:
            await guest.close()
