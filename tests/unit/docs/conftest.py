"""The documentation as data: its pages, and the pieces of code in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MADE_PAGES = {"settings.md", "api.md", "commands.md", "codes.md", "metrics.md", "limits.md"}

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
INLINE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced piece of code."""

    page: Path
    language: str
    text: str


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> Iterator[Block]:
    for language, text in FENCE.findall(page.read_text()):
        yield Block(page, language, text)


def prose(page: Path) -> str:
    """The page without its fenced code."""
    return FENCE.sub("", page.read_text())


def shell_lines(page: Path) -> Iterator[str]:
    """Every command line a reader could type: lines of shell blocks, and inline code."""
    for block in blocks(page):
        joined = block.text.replace("\\\n", " ")
        if block.language == "console":
            yield from (line[2:] for line in joined.splitlines() if line.startswith("$ "))
        elif block.language in ("bash", "ini"):
            yield from joined.splitlines()
    yield from INLINE.findall(prose(page))
