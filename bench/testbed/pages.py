"""Open pages: one stream of server-sent events each, as the web app holds it, with its own user's token."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx2

from tests.demo_site import API

OPEN_WITHIN_S = 60.0
UNBOUNDED = httpx2.Limits(max_connections=None, max_keepalive_connections=None)


class Pages:
    """Streams held open from a thread.

    `events` counts what they received, by kind, `reconnects` how often one was lost.
    """

    def __init__(self, url: str, tokens: Sequence[str]) -> None:
        self._url = f"{url}{API}/events"
        self._tokens = tokens
        self.open = 0
        self.reconnects = 0
        self.events: Counter[str] = Counter()

    async def hold(self, closing: asyncio.Event) -> None:
        async with httpx2.AsyncClient(
            limits=UNBOUNDED, timeout=httpx2.Timeout(30, read=None, pool=None), trust_env=False
        ) as client:
            pages = [asyncio.create_task(self._page(client, token)) for token in self._tokens]
            await closing.wait()
            for page in pages:
                page.cancel()
            await asyncio.gather(*pages, return_exceptions=True)

    async def _page(self, client: httpx2.AsyncClient, token: str) -> None:
        while True:
            try:
                async with client.stream("GET", self._url, headers={"Authorization": f"token {token}"}) as stream:
                    stream.raise_for_status()
                    self.open += 1
                    try:
                        async for line in stream.aiter_lines():
                            if line.startswith("event: "):
                                self.events[line.removeprefix("event: ")] += 1
                    finally:
                        self.open -= 1
            except httpx2.HTTPError:
                pass
            self.reconnects += 1
            await asyncio.sleep(1)


@contextmanager
def open_pages(url: str, tokens: Sequence[str]) -> Iterator[Pages]:
    """Hold one page open for each token while the block runs. Raises RuntimeError if they do not open."""
    pages = Pages(url, tokens)
    loop = asyncio.new_event_loop()
    closing = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(pages.hold(closing),), daemon=True)
    thread.start()
    try:
        pause = threading.Event()
        for _ in range(int(OPEN_WITHIN_S * 10)):
            if pages.open == len(tokens):
                break
            pause.wait(0.1)
        else:
            raise RuntimeError(f"Only {pages.open} of {len(tokens)} event streams opened in {OPEN_WITHIN_S:.0f} s.")
        yield pages
    finally:
        loop.call_soon_threadsafe(closing.set)
        thread.join(timeout=10)
