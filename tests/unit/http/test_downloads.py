"""Downloads and archives as their client sees them, and what is left when it leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.types import Send
from structlog.testing import capture_logs

from portal.app import attach
from portal.files import content_endpoints
from portal.files.transfers import Transfers
from portal.settings import Slurm
from portal.slurm.door_client import Door
from portal.wiring import Portal
from tests.unit.http.conftest import token

API = "/services/portal/api/files"
ABOUT = '{"size": 5, "modified": 1.5, "version": "1-2-3", "bytes": 0}'
BEGINS = '{"begins": true, "bytes": 0}'
BEGIN = f"echo '{BEGINS}'"
GOOD = """printf '{"bytes": 2}\\nPK{"bytes": 3}\\nzip{"ok": true, "bytes": 0}\\n'"""

Make = Callable[[str], Door]


@pytest.fixture
def door(app: FastAPI, portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Give the portal a door that reads its request and then runs a script."""
    monkeypatch.setattr(content_endpoints, "LOOK_S", 0.05)

    def door(script: str) -> Door:
        program = tmp_path / "door"
        program.write_text(f"#!/bin/sh\nread -r request\n{script}\n")
        program.chmod(0o755)
        made = Door(Slurm(door=[str(program)]))
        attach(app, replace(portal, transfers=Transfers(made)))
        return made

    return door


async def leave(app: FastAPI, path: str, query: str, after_s: float) -> float:
    """Ask, and hang up before the answer; return how long the request then lasted."""
    began = time.monotonic()
    await ask(app, path, query, after_s)
    return time.monotonic() - began - after_s


async def ask(app: FastAPI, path: str, query: str, after_s: float, taken: Send | None = None) -> list[Any]:
    """Ask as uvicorn does for a client that hangs up after a while; return what is sent."""
    began = time.monotonic()

    async def receive() -> dict[str, Any]:
        if asked:
            if (left_s := began + after_s - time.monotonic()) > 0:
                await asyncio.sleep(left_s)
            return {"type": "http.disconnect"}
        asked.append(True)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)
        if taken:
            await taken(message)

    sent: list[Any] = []
    asked: list[bool] = []
    headers = [(b"authorization", b"token alices-token"), (b"host", b"portal")]
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "root_path": "",
        "raw_path": path.encode(), "query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 9),
        "server": ("portal", 80), "asgi": {"version": "3.0", "spec_version": "2.3"},
    }  # fmt: skip
    async with asyncio.timeout(30):
        await app(scope, receive, send)
    return sent


@pytest.mark.parametrize(("path", "query"), [("content", "path=~/a"), ("archive", "path=~/a&format=tar")])
async def test_client_that_leaves_before_the_answer_frees_its_slot(
    app: FastAPI, door: Make, path: str, query: str
) -> None:
    used = door("while read -r more; do :; done")  # a file system that does not answer
    assert await leave(app, f"{API}/{path}", query, 0.3) < 3
    assert used.transfers.taken == 0


@pytest.mark.parametrize(("path", "query", "first"), [("content", "path=~/a", ABOUT), ("archive", "path=~/a", BEGINS)])
async def test_client_that_leaves_as_the_answer_begins_frees_its_slot(
    app: FastAPI, door: Make, path: str, query: str, first: str
) -> None:
    used = door(f"echo '{first}'; while read -r more; do :; done")
    assert await leave(app, f"{API}/{path}", query, 0.0) < 3
    assert await leave(app, f"{API}/{path}", query, 0.5) < 3
    assert used.transfers.taken == 0


async def test_archive_is_sent_as_it_is_packed(door: Make, http: httpx2.AsyncClient) -> None:
    used = door(f"echo '{BEGINS}'; {GOOD}")
    answer = await http.get(f"{API}/archive", params={"path": "~/grün"}, headers=token("alices-token"))
    assert (answer.status_code, answer.content) == (200, b"PKzip")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''gr%C3%BCn.zip"
    assert answer.headers["content-type"] == "application/zip"
    assert "sandbox" in answer.headers["content-security-policy"]
    many = await http.get(f"{API}/archive?path=~/a&path=~/b&format=tar", headers=token("alices-token"))
    assert many.headers["content-disposition"].endswith("files.tar")
    assert used.transfers.taken == 0


@pytest.mark.parametrize("end", ["", """echo '{"error": {"code": "unavailable", "message": "It is away."}}'"""])
@pytest.mark.parametrize(
    ("path", "query", "first"),
    [("content", "path=~/a", f"echo '{ABOUT}'; read -r offset; read -r length"), ("archive", "path=~/a", BEGIN)],
)
async def test_download_that_is_not_complete_never_looks_complete(
    door: Make, app: FastAPI, path: str, query: str, first: str, end: str
) -> None:
    used = door(f"""{first}; printf '{{"bytes": 2}}\\nPK'; {end}""")
    with capture_logs() as logs:
        sent = await ask(app, f"{API}/{path}", query, 20)
    assert [message.get("body") for message in sent] == [None, b"PK"]
    assert sent[-1]["more_body"]  # uvicorn then closes the connection
    assert [entry["event"] for entry in logs if entry["event"] != "audit"] == ["files.download.cut"]  # no traceback
    assert used.transfers.taken == 0


async def test_download_that_its_client_does_not_take_ends(
    door: Make, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_endpoints, "STALLED_S", 0.2)
    used = door(f"{BEGIN}; {GOOD}")

    async def never(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    with capture_logs() as logs:
        await ask(app, f"{API}/archive", "path=~/a", 20, never)
    assert [entry["event"] for entry in logs if entry["event"] != "audit"] == ["files.download.stalled"]
    assert used.transfers.taken == 0


async def test_refusal_of_an_archive_is_an_answer(door: Make, http: httpx2.AsyncClient) -> None:
    door("""echo '{"error": {"code": "too_large", "message": "Choose tar instead.", "field": "format"}}'""")
    answer = await http.get(f"{API}/archive", params={"path": "~/a"}, headers=token("alices-token"))
    assert (answer.status_code, answer.json()["error"]["message"]) == (413, "Choose tar instead.")
    for wrong in ("path=a", "path=~/a&format=rar", "", "&".join(["path=~/a"] * 101)):
        answer = await http.get(f"{API}/archive?{wrong}", headers=token("alices-token"))
        assert answer.status_code == 422, wrong
