"""What the form says starts now does, on random clusters with real slurmctlds (`./dev bench starts` tries 200)."""

from __future__ import annotations

from pathlib import Path

from bench.starts import outcomes


def test_what_is_said_to_start_now_starts(tmp_path: Path) -> None:
    results = [outcome for outcome in outcomes(1, 8, 8, tmp_path) if outcome.claim is not None]
    assert len(results) >= 8
    assert {outcome.claim.kind for outcome in results if outcome.claim} == {"asked", "alternative"}
    assert [outcome for outcome in results if outcome.after_s is None] == []
