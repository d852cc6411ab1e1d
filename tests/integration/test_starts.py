"""What the form says starts now does, on random clusters with real slurmctlds (`./dev bench starts` tries 200)."""

from __future__ import annotations

from pathlib import Path

from bench.starts import outcomes


def test_what_is_said_to_start_now_starts(tmp_path: Path) -> None:
    found = [one for one in outcomes(1, 8, 8, tmp_path) if one.claim is not None]
    assert len(found) >= 8
    assert {one.claim.kind for one in found if one.claim} == {"asked", "alternative"}
    assert [one for one in found if one.after_s is None] == []
