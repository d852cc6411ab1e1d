"""What a user's own sessions have found out about environments that this machine cannot see into.

It holds for that user alone, since a user's job may report anything, and until the environment has another version,
path or digest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from portal.settings import Environment


class Tried(NamedTuple):
    """An environment as a session was started in it."""

    name: str
    version: str | None
    image: Mapping[str, Any] | None


FoundOut = Callable[[str], Awaitable[list[Tried]]]
"""Returns the environments in which a user's sessions found no Jupyter."""


def still_so(tried: Iterable[Tried], environments: Mapping[str, Environment]) -> frozenset[str]:
    """Return the names of those that have not changed since."""
    return frozenset(seen.name for seen in tried if _unchanged(seen, environments.get(seen.name)))


def _unchanged(seen: Tried, environment: Environment | None) -> bool:
    if environment is None or environment.extends or (environment.version or None) != seen.version:
        return False  # one that extends another does not serve Jupyter anyway
    image = seen.image or {}
    if environment.kind != "image":
        return not image
    return (image.get("path"), image.get("digest") or "") == (str(environment.path), environment.digest)
