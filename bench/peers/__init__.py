"""The ways to start a notebook server that `./dev bench spawn` compares; each starts one and removes it again."""

from __future__ import annotations

from typing import Protocol


class Peer(Protocol):
    name: str
    title: str

    def start(self) -> float:
        """Start one server; return the seconds from the request until it is known to be ready."""
        ...

    def stop(self) -> None:
        """End the server that was started; return once its job has been signalled to end."""
        ...
