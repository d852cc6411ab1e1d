"""`portal check --browser` with browsers that hang; what real ones read is in tests/deployment/test_check_hosts.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from portal.check import browser as check
from portal.check.findings import Mark
from portal.settings import Settings

MakeBrowser = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> MakeBrowser:
    """A pretended Chromium: a shell script."""

    def make(script: str) -> str:
        path = tmp_path / "chromium"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A site whose hosts all answer."""

    @asynccontextmanager
    async def fake_session(_: Settings) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(username="alice", page="")

    async def ask(_: str) -> SimpleNamespace:
        return SimpleNamespace(status=200, wrong="")

    monkeypatch.setattr(check, "fake_session", fake_session)
    monkeypatch.setattr(check, "ask", ask)
    monkeypatch.setattr(check, "WITHIN_S", 0.5)
    hub = {"public_url": "https://hub.example", "subdomains": True}
    return Settings.model_validate({"hub": hub, "server": {"public_url": "https://portal.example"}})


async def test_page_that_hangs_is_given_up_and_no_process_of_the_browser_stays(
    settings: Settings, program: MakeBrowser, tmp_path: Path
) -> None:
    """A renderer holds the browser's output open, so the end of the browser alone is not the end of it."""
    chromium = program(f"sleep 60 & echo $! $$ > {tmp_path}/pids; wait")
    began = time.monotonic()
    [finding] = await check.browser(settings, program=chromium)
    assert time.monotonic() - began < 10
    assert finding.mark is Mark.WARNING
    assert finding.text == f"not tried: {chromium} did not show the page within 0.5 s"
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    async with asyncio.timeout(5):
        while any(map(runs, pids)):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("script", ["exit 1", "echo '<body>not what was asked for</body>'"])
async def test_browser_that_shows_something_else_is_no_answer(
    settings: Settings, program: MakeBrowser, script: str
) -> None:
    [finding] = await check.browser(settings, program=program(script))
    assert finding.mark is Mark.WARNING


async def test_what_the_page_reads_of_others_is_bad(settings: Settings, program: MakeBrowser) -> None:
    read = '{"its own session": 200, "the portal": 200, "the Hub": 0, "another user\'s session": 0}'
    chromium = program(f"cat <<'END'\n<html><body>{read}</body></html>\nEND")
    [finding] = await check.browser(settings, program=chromium)
    assert (finding.mark, finding.text) == (
        Mark.BAD,
        f"in {chromium}, a page of one user's session can read the portal",
    )


def runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
