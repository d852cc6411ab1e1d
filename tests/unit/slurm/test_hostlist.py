"""Slurm's node lists as names."""

from __future__ import annotations

import pytest

from portal.slurm.hostlist import MOST, expand


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("node001", ("node001",)),
        ("node[001-003,007],gpu1", ("node001", "node002", "node003", "node007", "gpu1")),
        ("rack1-node[9-11]-ib", ("rack1-node9-ib", "rack1-node10-ib", "rack1-node11-ib")),
        ("n[3-1]", ()),
    ],
)
def test_a_list_is_its_names_in_order(text: str, names: tuple[str, ...]) -> None:
    assert expand(text) == names


def test_a_list_without_end_is_cut() -> None:
    assert len(expand("n[0-999999999]")) == MOST
