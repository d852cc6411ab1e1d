"""What an administrator's request must say before anything is done."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from portal.operate.schemas import ReservationIn, ReservationPatch

CLASS = {"name": "class", "minutes": 60, "users": ["eva"]}


@pytest.mark.parametrize(
    "nodes", [{}, {"nodes": []}, {"nodes": ["node001"], "all_nodes": True}, {"gpus": 2, "nodes": ["node001"]}]
)
def test_reservation_says_in_one_way_which_nodes_it_takes(nodes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="exactly one of nodes, gpus and all_nodes"):
        ReservationIn(**CLASS | nodes)


@pytest.mark.parametrize("nodes", [{"nodes": ["node001"]}, {"all_nodes": True}, {"gpus": 2}])
def test_reservation_of_nodes_of_gpus_or_of_the_cluster_is_taken(nodes: dict[str, Any]) -> None:
    assert ReservationIn(**CLASS | nodes).name == "class"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, "at least one field"),
        ({"users": None}, "at least one field"),
        ({"nodes": []}, "at least 1 item"),
        ({"starts_at": "2026-12-03T12:00:00Z", "ends_at": "2026-12-03T08:00:00Z"}, "end must be after the start"),
        ({"minutes": 60}, "not permitted"),
    ],
)
def test_change_of_a_reservation_must_change_something_sound(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        ReservationPatch(**change)
