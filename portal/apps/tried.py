"""What a user's own sessions have missed in environments that this machine cannot see into.

It holds for that user alone, since a user's job may report anything, and until the environment has another version,
path or digest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from portal.settings import Environment

#: What an environment that serves Jupyter has.
JUPYTER = "jupyterhub-singleuser"


class Tried(NamedTuple):
    """An environment as a session was started in it, and the program that it did not find there."""

    name: str
    version: str | None
    image: Mapping[str, Any] | None
    program: str = JUPYTER


FoundOut = Callable[[str], Awaitable[list[Tried]]]
"""Returns what a user's sessions did not find."""


def still_missing(tried: Iterable[Tried], environments: Mapping[str, Environment]) -> frozenset[tuple[str, str]]:
    """Return the environments that have not changed since, each with the program that it lacks."""
    return frozenset((seen.name, seen.program) for seen in tried if _unchanged(seen, environments.get(seen.name)))


def _unchanged(seen: Tried, environment: Environment | None) -> bool:
    if environment is None or (environment.version or None) != seen.version:
        return False
    if environment.extends and seen.program == JUPYTER:
        return False  # it does not serve Jupyter anyway
    image = seen.image or {}
    if environment.kind != "image":
        return not image
    return (image.get("path"), image.get("digest") or "") == (str(environment.path), environment.digest)
