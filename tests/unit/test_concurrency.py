"""Of one user only so much is done at once; others are not held up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.responses import StreamingResponse

from portal import concurrency
from portal.concurrency import ConcurrencyLimit
from portal.errors import TooManyRequests


async def test_three_hundred_requests_of_one_user_take_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "PATIENCE_S", 0.05)
    limit, release, working, most = ConcurrencyLimit(), asyncio.Event(), 0, 0

    async def request(who: str) -> str:
        nonlocal working, most
        try:
            async with limit.of(who):
                working += 1
                most = max(most, working)
                await release.wait()
                working -= 1
        except TooManyRequests as error:
            return f"refused for {error.retry_after_s}"
        return "done"

    asked = [asyncio.create_task(request("alice")) for _ in range(300)]
    done, rest = await asyncio.wait(asked, timeout=5, return_when=asyncio.ALL_COMPLETED)
    assert (len(done), len(rest), most) == (300 - concurrency.AT_ONCE, concurrency.AT_ONCE, concurrency.AT_ONCE)
    async with asyncio.timeout(5), limit.of("bob"):
        release.set()
    assert sorted({task.result() for task in done}) == [f"refused for {concurrency.RETRY_S}"]
    assert await asyncio.gather(*rest) == ["done"] * concurrency.AT_ONCE
    assert not limit.people


async def test_streams_of_one_user_are_counted_until_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "STREAMS", 2)
    limit = ConcurrencyLimit()

    async def endless() -> AsyncIterator[str]:
        while True:
            yield "x"

    opened = []
    for _ in range(2):
        response = limit.counted("alice", StreamingResponse(endless()))
        assert isinstance(response, StreamingResponse)
        iterator = response.body_iterator
        assert await anext(aiter(iterator)) == "x"
        opened.append(iterator)
    with pytest.raises(TooManyRequests):
        limit.counted("alice", StreamingResponse(endless()))
    limit.counted("bob", StreamingResponse(endless()))
    await opened[0].aclose()  # type: ignore[union-attr]
    limit.counted("alice", StreamingResponse(endless()))
    await opened[1].aclose()  # type: ignore[union-attr]
