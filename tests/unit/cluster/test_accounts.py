"""Accounts as forms offer them: each with the QOS that its associations allow."""

from __future__ import annotations

from portal.cluster.shown import accounts_of
from portal.slurm.snapshot import Association, Snapshot


def test_accounts_of_a_user_bring_the_qos_of_all_their_associations() -> None:
    snapshot = Snapshot(
        associations=(
            Association("alice", "physics", qos=("normal", "low"), default_qos="normal", is_default=True),
            Association("alice", "physics", partition="debug", qos=("normal", "urgent"), is_default=True),
            Association("alice", "vision", qos=("normal",)),
            Association("bob", "physics", qos=("secret",)),
        )
    )
    assert [account.model_dump() for account in accounts_of(snapshot, "alice")] == [
        {"name": "physics", "default": True, "qos": ["normal", "low", "urgent"], "default_qos": "normal"},
        {"name": "vision", "default": False, "qos": ["normal"], "default_qos": None},
    ]
    assert accounts_of(snapshot, "carol") == []
