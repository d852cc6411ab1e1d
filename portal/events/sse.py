"""Server-sent events: a reader of the bus as a streaming response."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable

from starlette.responses import StreamingResponse

from portal.events.bus import Event, Reader

# The web app counts 25 s of silence as a lost connection: a proxy may keep one open after its server is gone.
PING_S = 10.0
RETRY_MS = 2000
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def encode(event: Event) -> str:
    """Return the event in the wire format, its data as JSON on one line. A session's step uses its own number as id."""
    identity = f"id: {event.seq or event.position}\n" if event.seq or event.position else ""
    return f"{identity}event: {event.kind}\ndata: {event.data}\n\n"


def stream(frames: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(frames, media_type="text/event-stream", headers=HEADERS)


def as_it_is(event: Event) -> Iterable[Event]:
    return (event,)


async def frames_of(reader: Reader, shown: Callable[[Event], Iterable[Event]] = as_it_is) -> AsyncIterator[str]:
    """Yield the reader's events as `shown` renders them, and a comment when there are none for a while."""
    yield f"retry: {RETRY_MS}\n\n"
    while True:
        try:
            event = await reader.next(PING_S)
        except TimeoutError:
            yield ": ping\n\n"
            continue
        if event is None:
            return
        for shown_event in shown(event):
            yield encode(shown_event)
