"""Tables as CSV (RFC 4180), safe in spreadsheets: no cell is read as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from starlette.responses import Response

#: First characters of formulas (OWASP, CSV Injection); a quote in front makes the cell text.
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
