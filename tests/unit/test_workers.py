"""Long work in its own process: it is bounded, and each user gets one process at a time."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from portal.errors import TooManyRequests, Unavailable
from portal.notebooks.copies import MOST_CELLS, TOO_LONG
from portal.workers import AT_ONCE, LimitExceeded, Workers, WorkRefused

COMPARE = "portal.notebooks.copies:compared"


def upper(data: bytes) -> bytes:
    return data.upper()


def refuse(data: bytes) -> bytes:
    raise WorkRefused("no: é")


def endless(data: bytes) -> bytes:
    while True:
        pass


def hungry(data: bytes) -> bytes:
    return b"x" * (4 << 30)


def talkative(data: bytes) -> bytes:
    return b"x" * (32 << 20)


async def test_work_is_done_and_its_no_is_told() -> None:
    assert await Workers().run(f"{__name__}:upper", b"abc") == b"ABC"
    with pytest.raises(WorkRefused, match="no: é"):
        await Workers().run(f"{__name__}:refuse", b"")


@pytest.mark.parametrize("function", ["endless", "hungry", "talkative"])
async def test_work_ends_at_its_bounds(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.workers.DEADLINE_S", 3.0 if function == "endless" else 60.0)
    with pytest.raises(LimitExceeded):
        await Workers().run(f"{__name__}:{function}", b"")


async def test_others_go_on_while_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.workers.DEADLINE_S", 2.0)
    work = asyncio.create_task(Workers().run(f"{__name__}:endless", b""))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 20
    with pytest.raises(LimitExceeded):
        await work


async def test_one_user_holds_one_place_and_all_hold_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.workers.PATIENCE_S", 0.05)
    workers = Workers()
    async with workers.place("alice"):
        with pytest.raises(TooManyRequests) as refused:
            async with workers.place("alice"):
                raise AssertionError
        assert refused.value.retry_after_s
        held = [workers.place(f"user{number}") for number in range(AT_ONCE - 1)]
        for value in held:
            await value.__aenter__()
        with pytest.raises(Unavailable) as full:
            async with workers.place("bob"):
                raise AssertionError
        assert full.value.retry_after_s
        for value in held:
            await value.__aexit__(None, None, None)
    async with workers.place("alice"), workers.place("bob"):
        pass


def notebook(cells: int) -> dict[str, Any]:
    made = [{"cell_type": "code", "source": f"x{n} = {n}", "outputs": [], "metadata": {}} for n in range(cells)]
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize(("cells", "why"), [(90_000, TOO_LONG), (MOST_CELLS + 1, TOO_LONG)])
async def test_notebook_of_too_many_cells_is_refused(cells: int, why: str, tmp_path: Path) -> None:
    (tmp_path / "site.ipynb").write_text(json.dumps(notebook(2)))
    asked = json.dumps({"id": "x", "path": str(tmp_path / "site.ipynb")}).encode()
    with pytest.raises(WorkRefused, match=why):
        await Workers().run(COMPARE, asked + b"\n" + json.dumps(notebook(cells)).encode())


async def test_notebook_is_compared_apart(tmp_path: Path) -> None:
    (tmp_path / "site.ipynb").write_text(json.dumps(notebook(2)))
    asked = json.dumps({"id": "x", "path": str(tmp_path / "site.ipynb")}).encode()
    data = json.loads(await Workers().run(COMPARE, asked + b"\n" + json.dumps(notebook(3)).encode()))
    assert [cell["change"] for cell in data["cells"]] == ["same", "same", "mine"]
    with pytest.raises(WorkRefused, match="incomplete"):
        await Workers().run(COMPARE, asked + b"\n" + b"[" * 100_000)
