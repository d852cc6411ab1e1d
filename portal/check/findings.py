"""The findings of `portal check`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from portal.settings import Settings


class Mark(Enum):
    GOOD = "[green]✓[/green]"
    WARNING = "[yellow]![/yellow]"
    BAD = "[red]✗[/red]"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: what was found, and what to do about it."""

    mark: Mark
    text: str
    do: str = ""


@dataclass(frozen=True, slots=True)
class Titled:
    """A finding, with the title of the check that it belongs to."""

    title: str
    finding: Finding


def good(text: str) -> Finding:
    return Finding(Mark.GOOD, text)


def bad(text: str, do: str) -> Finding:
    return Finding(Mark.BAD, text, do)


def warning(text: str, do: str) -> Finding:
    return Finding(Mark.WARNING, text, do)


Examination = Callable[[Settings], Awaitable[list[Finding]]]
