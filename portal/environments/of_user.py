"""The environments that a user's sessions can run in, for callers that need nothing else of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from portal.settings import Environment


class UserEnvironments(Protocol):
    async def of(self, username: str) -> Mapping[str, Environment]:
        """Return the user's environments by name."""
        ...

    async def missing(self, username: str, name: str, environment: Environment) -> str | None:
        """Return why the user's sessions cannot use an environment now; None if they can, or if only the nodes know."""
        ...
