"""Python's search for cycles, kept from looking again and again at many values that hold none.

It would stop everything for a tenth of a second and more each time. Values still go when nobody needs them any more.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

FEW_VALUES = 2_000


class Settled:
    """Takes what there is out of the search whenever there are many more values than before."""

    def __init__(self) -> None:
        self._most = FEW_VALUES

    def settle(self, values: int) -> None:
        """Do so if there are more than twice as many values as the last time: what else is there stays with them."""
        if values > 2 * self._most:
            self._most = values
            gc.freeze()


def settle_new(values: int) -> None:
    """Take what there is out of the search if so many values were made just now that this is worth it."""
    if values > FEW_VALUES:
        gc.freeze()


@contextmanager
def many_values() -> Iterator[None]:
    """Let the search rest while many values are made: it takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
