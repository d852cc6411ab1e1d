"""Sessions of a portal whose idle policy is on, and reports of their agents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from portal.audit.service import Audit
from portal.gpus.schemas import GpuUse
from portal.idle.service import IdlePolicy
from portal.idle.store import IdleStore
from portal.notifications.models import Channel, ChannelRecord, Happening
from portal.notifications.outbox import Outbox
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import Activity, UsageOut
from portal.settings import Notifications
from portal.settings.idle import Idle
from tests.unit.sessions import steps
from tests.unit.sessions.conftest import Harness, harness, settings

__all__ = ["harness", "settings"]

REPORT_S = 30.0
RULE = Idle(action="end", after_minutes=60, grace_minutes=30, snoozes=1, exempt_groups=["professors"])


@dataclass
class Office:
    """The policy, the sessions, and a clock that advances with each report."""

    harness: Harness
    rule: Idle
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    directory_error: Exception | None = None

    def __post_init__(self) -> None:
        self.policy = self.made()

    def made(self) -> IdlePolicy:
        harness = self.harness
        channels = Notifications.model_validate({"mail": {"server": "localhost", "sender": "portal@example.org"}})
        return IdlePolicy(
            rule=self.rule,
            report_s=REPORT_S,
            store=IdleStore(harness.work, Outbox(harness.work, harness.bus, channels, harness.clock)),
            records=harness.store,
            sessions=harness.service,
            live=harness.live,
            audit=Audit(harness.work, harness.clock),
            groups=self._groups,
            snapshot=lambda: harness.watcher.snapshot,
            tasks=harness.tasks,
            now=harness.clock,
        )

    async def _groups(self, owner: str) -> tuple[str, ...]:
        if self.directory_error is not None:
            raise self.directory_error
        return self.groups.get(owner, ())

    async def restart(self) -> None:
        self.policy = self.made()
        await self.policy.resume()

    async def session(self, **resources: object) -> SessionRecord:
        """Return a session that is ready, whose owner wants mail when it is idle."""
        record = await self.harness.start(**{"gpus": 1, **resources})
        await steps.ready(self.harness, record)
        async with self.harness.work() as db:
            wanted = ChannelRecord(
                owner=record.owner, channel=Channel.MAIL, events=[Happening.IDLE], changed_at=self.harness.clock()
            )
            await db.merge(wanted)
        return await self.harness.store.get(record.id)

    async def reports(self, record: SessionRecord, minutes: float, **signs: Any) -> SessionRecord:
        """Send this report for the given time, and wait until all its consequences are done."""
        for _ in range(round(minutes * 60 / REPORT_S)):
            self.harness.clock.pass_(REPORT_S)
            self.policy.note(record, use(self.harness, **signs))
            if self.policy.acting:
                await steps.becomes(lambda: not self.policy.acting)
                record = await self.harness.store.get(record.id)
        return record

    async def said(self, record: SessionRecord) -> list[str]:
        return [event.message for event in await self.harness.store.events(record.id)]


def use(harness: Harness, *, gpu: float | None = 0.0, **signs: Any) -> UsageOut:
    quiet = {"kernels": 1, "kernels_busy": 0, "kernel_busy_percent": 0.0, "programs": 0, "quiet_s": 9000.0}
    return UsageOut(
        at=harness.clock(),
        cpu_percent=1.0,
        memory_mib=100,
        gpus=[GpuUse(index=0, utilization=gpu, utilization_peak=gpu)],
        activity=Activity(**{**quiet, "disk_kib_s": 0.0, "network_kib_s": 0.0, **signs}),
    )


@pytest.fixture
async def office(harness: Harness) -> Office:
    office = Office(harness, RULE)
    await office.policy.resume()
    return office


@pytest.fixture
async def made(harness: Harness) -> Callable[..., Any]:
    """Make an office with another rule."""

    async def make(**rule: Any) -> Office:
        office = Office(harness, RULE.model_copy(update=rule))
        await office.policy.resume()
        return office

    return make
