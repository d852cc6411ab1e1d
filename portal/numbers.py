"""Numbers that come over the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

#: The number of a row, as the narrowest database counts them; PostgreSQL refuses to compare with a larger one.
RowNumber = Annotated[int, Field(ge=0, le=2**31 - 1)]
