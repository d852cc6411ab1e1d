"""Shares, for routes."""

from __future__ import annotations

from typing import Annotated

from portal.provided import provided
from portal.sharing.service import Shares

SessionShares = Annotated[Shares, provided(Shares)]
