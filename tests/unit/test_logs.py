"""Log lines that cannot be written are dropped, and the writer continues."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog

from portal import loops
from portal.logs import configure
from portal.loops import Loops
from portal.settings import Settings


async def test_loop_goes_on_when_neither_its_work_nor_its_log_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    done = asyncio.Event()
    turns = 0

    async def run() -> None:
        nonlocal turns
        while True:
            with loops.turn("work.failed"):
                turns += 1
                if turns == 3:
                    done.set()
                raise OSError("No space left on device")
            await asyncio.sleep(0)

    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        before = structlog.get_config()
        configure(Settings())
        monkeypatch.setattr(loops, "log", structlog.get_logger())
        kept = Loops(lambda: datetime.now(UTC))
        try:
            kept.start("work", run)
            async with asyncio.timeout(10):
                await done.wait()
        finally:
            await kept.close()
            structlog.configure(**before)
            monkeypatch.undo()
            full.buffer.raw.close()  # type: ignore[attr-defined]  # what it still holds cannot be written
