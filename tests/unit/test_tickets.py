"""The ticket that a logout on the portal's page gives to the browser, for the Hub."""

from __future__ import annotations

import pytest

from portal.tickets import GOOD_FOR_S, is_logout_ticket, logout_ticket

KEY, NOW = "a key", 1_700_000_000.0
TICKET = logout_ticket(KEY, "alice", now_s=NOW)


def test_ticket_is_good_for_its_user_for_a_minute() -> None:
    assert is_logout_ticket(KEY, "alice", TICKET, now_s=NOW)
    assert is_logout_ticket(KEY, "alice", TICKET, now_s=NOW + GOOD_FOR_S - 1)
    assert not is_logout_ticket(KEY, "alice", TICKET, now_s=NOW + GOOD_FOR_S + 1)
    assert not is_logout_ticket(KEY, "bob", TICKET, now_s=NOW)
    assert not is_logout_ticket("another key", "alice", TICKET, now_s=NOW)


@pytest.mark.parametrize("ticket", ["", ".", "1", f"{TICKET}0", f"9{TICKET}", "²." + "0" * 64, f"{10**40}.x", "x.é"])
def test_anything_else_is_none(ticket: str) -> None:
    assert not is_logout_ticket(KEY, "alice", ticket, now_s=NOW)
