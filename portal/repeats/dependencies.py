"""Idempotency keys, for routes that create something."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.repeats.service import Repeats

Repeated = Annotated[Repeats, provided(Repeats)]
