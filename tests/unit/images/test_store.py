"""What open pages receive about an image when its row changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from portal.db.engine import make_engine, unit_of_work
from portal.events.bus import Bus
from portal.images.models import ImageRecord, ImageState, Scope
from portal.images.store import ImageStore

NOW = datetime(2026, 11, 2, tzinfo=UTC)
WORDS = 'Fetching: "3" of 24 MB'


async def test_news_of_a_pull_say_how_far_it_is_in_number_and_words_to_its_owner_alone(database: str) -> None:
    bus, engine = Bus(), make_engine(database)
    store = ImageStore(unit_of_work(engine), bus, lambda: NOW)
    fields = {"owner": "alice", "scope": Scope.USER, "title": "Tiny", "path": "/home/alice/images/tiny.sif"}
    state = {"state": ImageState.PULLING, "progress": 0, "message": "", "created_at": NOW}
    await store.put(ImageRecord(id="abcdefghijkm", **fields, **state))
    with bus.reader(lambda _: True) as reader:
        async with store.change("abcdefghijkm") as row:
            row.progress, row.message = 12, WORDS
        event = await reader.next(timeout_s=5)
    await engine.dispose()
    assert event is not None
    assert (event.kind, event.owner) == ("image", "alice")
    assert json.loads(event.data) == {"id": "abcdefghijkm", "state": "pulling", "progress": 12, "message": WORDS}
