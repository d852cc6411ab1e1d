"""Logins reach the portal's audit log: failures bounded and counted, and all kept while the portal is down."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from spawner.login_reports import AT_ONCE, LoginReports
from spawner.portal_client import PortalAway


class FakeClient:
    def __init__(self) -> None:
        self.away = False
        self.received: list[dict[str, Any]] = []
        self.calls = 0

    async def report_logins(self, reports: Sequence[Mapping[str, Any]]) -> None:
        self.calls += 1
        if self.away:
            raise PortalAway("The portal does not answer.")
        self.received += [dict(report) for report in reports]


def handler(address: str) -> Any:
    return SimpleNamespace(request=SimpleNamespace(remote_ip=address))


async def settled(logins: LoginReports) -> None:
    assert logins.sending is not None
    async with asyncio.timeout(10):
        await logins.sending


async def test_equal_failures_are_one_entry_with_a_count_and_a_name_is_bounded() -> None:
    client = FakeClient()
    logins = LoginReports(client, every_s=0)  # type: ignore[arg-type]
    for _ in range(3):
        logins.failed(" alice ", handler("10.0.0.1"), "wrong_password")
    logins.failed("x" * 1000, None, "too_many_logins")
    await settled(logins)
    assert client.received == [
        {"username": "alice", "address": "10.0.0.1", "result": "wrong_password", "target": "hub", "count": 3},
        {"username": "x" * 64, "address": "", "result": "too_many_logins", "target": "hub", "count": 1},
    ]


async def test_a_thousand_names_are_few_entries_and_none_is_lost() -> None:
    client = FakeClient()
    logins = LoginReports(client, every_s=0)  # type: ignore[arg-type]
    for number in range(1000):
        logins.failed(f"user{number}", handler("10.0.0.1"), "wrong_password")
    await settled(logins)
    assert len(client.received) == AT_ONCE + 1
    assert sum(entry["count"] for entry in client.received) == 1000
    assert client.received[-1]["result"] == "many_failed_logins"


async def test_failures_wait_for_a_portal_that_is_away() -> None:
    client = FakeClient()
    client.away = True
    logins = LoginReports(client, every_s=0)  # type: ignore[arg-type]
    logins.failed("alice", handler("10.0.0.1"), "wrong_password")
    async with asyncio.timeout(10):
        while client.calls < 3:
            await asyncio.sleep(0)
    client.away = False
    await settled(logins)
    assert [entry["count"] for entry in client.received] == [1]


async def test_a_login_that_worked_has_an_entry_of_its_own_however_many_fail() -> None:
    client = FakeClient()
    logins = LoginReports(client, every_s=0)  # type: ignore[arg-type]
    for number in range(100):
        logins.failed(f"user{number}", handler("10.0.0.1"), "wrong_password")
    logins.worked("alice", handler("10.0.0.2"), "device laptop")
    await settled(logins)
    entry = {"username": "alice", "address": "10.0.0.2", "result": "ok", "target": "device laptop", "count": 1}
    assert entry in client.received
