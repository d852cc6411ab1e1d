"""Failed logins reach the portal's audit log: bounded, counted, and kept while the portal is down."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from spawner.failed_logins import AT_ONCE, FailedLogins
from spawner.portal_client import PortalAway


class FakeClient:
    def __init__(self) -> None:
        self.away = False
        self.received: list[dict[str, Any]] = []
        self.calls = 0

    async def failed_logins(self, failures: Sequence[Mapping[str, Any]]) -> None:
        self.calls += 1
        if self.away:
            raise PortalAway("The portal does not answer.")
        self.received += [dict(failure) for failure in failures]


def handler(address: str) -> Any:
    return SimpleNamespace(request=SimpleNamespace(remote_ip=address))


async def settled(failed: FailedLogins) -> None:
    assert failed.sending is not None
    async with asyncio.timeout(10):
        await failed.sending


async def test_equal_failures_are_one_entry_with_a_count_and_a_name_is_bounded() -> None:
    client = FakeClient()
    failed = FailedLogins(client, every_s=0)  # type: ignore[arg-type]
    for _ in range(3):
        failed.add(" alice ", handler("10.0.0.1"), "wrong_password")
    failed.add("x" * 1000, None, "too_many_logins")
    await settled(failed)
    assert client.received == [
        {"username": "alice", "address": "10.0.0.1", "reason": "wrong_password", "count": 3},
        {"username": "x" * 64, "address": "", "reason": "too_many_logins", "count": 1},
    ]


async def test_a_thousand_names_are_few_entries_and_none_is_lost() -> None:
    client = FakeClient()
    failed = FailedLogins(client, every_s=0)  # type: ignore[arg-type]
    for number in range(1000):
        failed.add(f"user{number}", handler("10.0.0.1"), "wrong_password")
    await settled(failed)
    assert len(client.received) == AT_ONCE + 1
    assert sum(entry["count"] for entry in client.received) == 1000
    assert client.received[-1]["reason"] == "many_failed_logins"


async def test_failures_wait_for_a_portal_that_is_away() -> None:
    client = FakeClient()
    client.away = True
    failed = FailedLogins(client, every_s=0)  # type: ignore[arg-type]
    failed.add("alice", handler("10.0.0.1"), "wrong_password")
    async with asyncio.timeout(10):
        while client.calls < 3:
            await asyncio.sleep(0)
    client.away = False
    await settled(failed)
    assert [entry["count"] for entry in client.received] == [1]
