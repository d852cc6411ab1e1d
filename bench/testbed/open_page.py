"""A page's stream as a browser holds it, and when each change arrived: stored as it arrives, parsed afterwards.

Parsing while a hundred streams are read would count as the portal's own delay.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Mapping
from datetime import datetime

import httpx2


class OpenPage:
    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self._pieces: list[tuple[float, bytes]] = []

    async def read(self, client: httpx2.AsyncClient, url: str, headers: Mapping[str, str]) -> None:
        """Follow the stream for ever; it is open once the snapshot starts to arrive."""
        async with client.stream("GET", url, headers=headers) as answer:
            answer.raise_for_status()
            async for piece in answer.aiter_raw():
                self._pieces.append((time.time(), piece))
                if len(self._pieces) > 1:  # the first is the head of the compressed stream
                    self.opened.set()

    def changes(self) -> list[tuple[float, float]]:
        """Return for each change when its reading of the queue began and when it arrived."""
        unpacked, text = zlib.decompressobj(zlib.MAX_WBITS | 16), b""
        results = []
        for at, piece in self._pieces:
            text += unpacked.decompress(piece)
            *events, text = text.split(b"\n\n")
            for event in events:
                kind, _, data = event.partition(b"\n")
                if kind == b"event: change":
                    as_of = json.loads(data.removeprefix(b"data: "))["as_of"]
                    results.append((datetime.fromisoformat(as_of).timestamp(), at))
        return results
