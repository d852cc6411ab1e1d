"""Terminal output: text from other people is printed as text, never as control sequences."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

#: Control characters and bidirectional controls; newlines and tabs stay.
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
#: Program output also keeps colours and carriage returns.
_ORDERS_BUT_COLOURS = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
MARK = "\N{REPLACEMENT CHARACTER}"


class Terminal(Console):
    """Prints no control sequences except its own."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(_ORDERS.sub(MARK, text), **options)


def output(text: str) -> str:
    """Return a program's output without sequences that move the cursor, set the title or send input."""
    return _ORDERS_BUT_COLOURS.sub(MARK, text)


def table(*heads: str, figures: Collection[str] = ()) -> Table:
    """Format a table; the columns in `figures` are right-aligned."""
    made = Table(box=None, pad_edge=False)
    for head in heads:
        made.add_column(head, justify="right" if head in figures else "left")
    return made


console = Terminal()
