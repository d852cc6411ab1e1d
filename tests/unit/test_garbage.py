"""What lives as long as the process is no work for the garbage collector."""

from __future__ import annotations

import gc

from portal.garbage import lasting_values


def test_lasting_values_are_made_without_searches_and_not_searched_later() -> None:
    gc.enable()
    with lasting_values():
        assert not gc.isenabled()
        lasting = [[value] for value in range(10)]
    assert gc.isenabled()
    searched = {id(value) for value in gc.get_objects()}
    assert not searched & {id(value) for value in (lasting, *lasting)}
