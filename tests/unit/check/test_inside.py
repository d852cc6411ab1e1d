"""`portal check` from the portal's own process: its findings, and the messages if none or only some arrive."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from portal.check import inside
from portal.check.findings import Titled, bad, good
from portal.settings import Server, Settings
from tests.demo_site import free_port

FOUND = [Titled("Door", bad("it does not open", "Mend sudoers.")), Titled("Hub", good("it answers"))]
LINES = "".join(f"{inside.line(titled)}\n" for titled in FOUND)

Portal = Callable[[str], AbstractAsyncContextManager[Settings]]


@pytest.fixture
def portal(tmp_path: Path) -> Portal:
    (tmp_path / "hub_key").write_text("k" * 64)
    (tmp_path / "hub_key").chmod(0o600)

    @asynccontextmanager
    async def answering(answer: str) -> AsyncIterator[Settings]:
        asked: list[bytes] = []
        site: list[Settings] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await reader.readuntil(b"\r\n\r\n")
            asked.append(head + await reader.readexactly(len(b'{"user":"alice"}')))
            writer.write(answer.replace("DIGEST", inside.digest(site[0])).encode())
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            site.append(Settings(server=Server(port=port), secrets_dir=tmp_path))
            yield site[0]
        assert b"Bearer " + b"k" * 64 in asked[0]
        assert json.loads(asked[0].partition(b"\r\n\r\n")[2]) == {"user": "alice"}

    return answering


def whole(lines: str) -> str:
    text = f"DIGEST\n{lines}"
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(text) - len('DIGEST') + 64}\r\nConnection: close\r\n\r\n{text}"


async def found(settings: Settings) -> list[Titled]:
    return [titled async for titled in inside.findings(settings, "alice")]


async def test_findings_come_as_they_were_made(portal: Portal) -> None:
    async with portal(whole(f"{LINES}\n")) as settings:
        assert await found(settings) == FOUND


@pytest.mark.parametrize("answer", [whole(LINES), whole(f"{LINES}\n")[:-5]], ids=["child ended", "connection ended"])
async def test_checks_that_end_early_are_a_finding(portal: Portal, answer: bytes) -> None:
    async with portal(answer) as settings:
        assert (await found(settings))[-1] == Titled("Portal", bad("the checks did not finish", inside.CUT))


async def test_portal_of_another_kind_is_not_believed(portal: Portal) -> None:
    async with portal("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") as settings:
        with pytest.raises(inside.NotInside, match="404"):
            await found(settings)


async def test_portal_with_other_settings_is_not_asked(portal: Portal) -> None:
    async with portal(whole(f"{LINES}\n").replace("DIGEST", "0" * 64)) as settings:
        with pytest.raises(inside.NotInside, match="other settings"):
            await found(settings)


async def test_portal_that_does_not_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "hub_key").write_text("k" * 64)
    (tmp_path / "hub_key").chmod(0o600)
    with pytest.raises(inside.NotInside, match="does not run"):
        await found(Settings(server=Server(port=free_port()), secrets_dir=tmp_path))
