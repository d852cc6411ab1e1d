"""Idempotency keys, for routes that create something."""

from __future__ import annotations

from typing import Annotated

from portal.idempotency.service import IdempotencyKeys
from portal.provided import provided

Idempotency = Annotated[IdempotencyKeys, provided(IdempotencyKeys)]
