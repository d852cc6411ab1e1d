"""The bus, for routes that read it."""

from __future__ import annotations

from typing import Annotated

from portal.events.bus import Bus
from portal.provided import provided

EventBus = Annotated[Bus, provided(Bus)]
