"""What other people write is text to the reader's terminal, and nothing else."""

from __future__ import annotations

from io import StringIO

import pytest

from portal.client.terminal import Terminal, output, table

TITLE = "\x1b]0;mine\x07"


@pytest.mark.parametrize("order", [TITLE, "\x1b[2J", "\x9b2J", "\u202egpj"], ids=["title", "clear", "c1", "turned"])
def test_orders_in_names_are_marked(order: str) -> None:
    terminal = Terminal(file=StringIO(), width=80)
    rows = table("NAME", "GPUS", figures=("GPUS",))
    rows.add_row(f"a{order}b[red]c", "2")
    terminal.print(rows, markup=False)
    terminal.print(f"a{order}b[red]c", markup=False)
    shown = terminal.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert order not in shown
    assert shown.count("\N{REPLACEMENT CHARACTER}") >= 2
    assert shown.count("[red]c") == 2


def test_output_keeps_its_colours_and_nothing_else() -> None:
    assert output(f"ok\n\x1b[31mred\x1b[0m\r{TITLE}\x1b[2J") == (
        "ok\n\x1b[31mred\x1b[0m\r\N{REPLACEMENT CHARACTER}]0;mine\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[2J"
    )
