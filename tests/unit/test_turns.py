"""Of one user only so much is done at once; others are not held up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.responses import StreamingResponse

from portal import turns
from portal.errors import TooManyRequests
from portal.turns import Turns


async def test_three_hundred_requests_of_one_user_take_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_S", 0.05)
    all_turns, release, working, most = Turns(), asyncio.Event(), 0, 0

    async def request(who: str) -> str:
        nonlocal working, most
        try:
            async with all_turns.of(who):
                working += 1
                most = max(most, working)
                await release.wait()
                working -= 1
        except TooManyRequests as error:
            return f"refused for {error.retry_after_s}"
        return "done"

    asked = [asyncio.create_task(request("alice")) for _ in range(300)]
    done, rest = await asyncio.wait(asked, timeout=5, return_when=asyncio.ALL_COMPLETED)
    assert (len(done), len(rest), most) == (300 - turns.AT_ONCE, turns.AT_ONCE, turns.AT_ONCE)
    async with asyncio.timeout(5), all_turns.of("bob"):
        release.set()
    assert sorted({one.result() for one in done}) == [f"refused for {turns.RETRY_S}"]
    assert await asyncio.gather(*rest) == ["done"] * turns.AT_ONCE
    assert not all_turns._people


async def test_streams_of_one_user_are_counted_until_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "STREAMS", 2)
    all_turns = Turns()

    async def endless() -> AsyncIterator[str]:
        while True:
            yield "x"

    opened = []
    for _ in range(2):
        response = all_turns.counted("alice", StreamingResponse(endless()))
        assert isinstance(response, StreamingResponse)
        iterator = response.body_iterator
        assert await anext(aiter(iterator)) == "x"
        opened.append(iterator)
    with pytest.raises(TooManyRequests):
        all_turns.counted("alice", StreamingResponse(endless()))
    all_turns.counted("bob", StreamingResponse(endless()))
    await opened[0].aclose()  # type: ignore[union-attr]
    all_turns.counted("alice", StreamingResponse(endless()))
    await opened[1].aclose()  # type: ignore[union-attr]
