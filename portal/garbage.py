"""Keeps Python's garbage collector from repeatedly searching many long-lived values for cycles.

Each search would stop the process for a tenth of a second or more. Reference counting still frees the values.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

FEW_VALUES = 2_000


class HeapFreezer:
    """Freezes all current objects whenever there are many more values than before."""

    def __init__(self) -> None:
        self._most = FEW_VALUES

    def settle(self, values: int) -> None:
        """Freeze if there are more than twice as many values as last time; everything else alive is frozen, too."""
        if values > 2 * self._most:
            self._most = values
            gc.freeze()


def settle_new(values: int) -> None:
    """Freeze all current objects if enough values have just been made."""
    if values > FEW_VALUES:
        gc.freeze()


@contextmanager
def lasting_values() -> Iterator[None]:
    """Pause the collector while values are made that live as long as the process; it never searches them later."""
    with many_values():
        yield
        gc.freeze()


@contextmanager
def many_values() -> Iterator[None]:
    """Pause the collector while many values are made: it takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
