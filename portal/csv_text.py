"""Tables as CSV (RFC 4180) that a spreadsheet only shows: no cell begins what it would take for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from starlette.responses import Response

#: What makes a spreadsheet calculate (OWASP, CSV Injection); a quote before it makes it text.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class CsvFile(Response):
    media_type = "text/csv"


def file(content: str, name: str) -> CsvFile:
    """Return a table that a browser saves under this name."""
    return CsvFile(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> str:
    shown = "" if value is None else str(value)
    is_number = isinstance(value, int | float)
    return f"'{shown}" if not is_number and shown.startswith(FORMULA) else shown
