"""The wiring of the idle policy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from portal.audit.service import Audit
from portal.base import Base
from portal.idle.report import DryRun
from portal.idle.service import IdlePolicy
from portal.idle.store import IdleStore
from portal.notifications.outbox import Outbox
from portal.sessions.wiring import SessionServices


@dataclass(frozen=True)
class IdleServices:
    policy: IdlePolicy
    dry_run: DryRun


def wire_idle(
    base: Base,
    *,
    sessions: SessionServices,
    outbox: Outbox,
    audit: Audit,
    groups: Callable[[str], Awaitable[Iterable[str]]],
) -> IdleServices:
    settings = base.settings
    store = IdleStore(base.work, outbox)
    return IdleServices(
        policy=IdlePolicy(
            rule=settings.idle,
            report_s=settings.agent.report_interval_s,
            store=store,
            records=sessions.store,
            sessions=sessions.service,
            live=sessions.live,
            audit=audit,
            groups=groups,
            snapshot=lambda: base.watcher.snapshot,
            tasks=base.tasks,
            now=base.now,
        ),
        dry_run=DryRun(rule=settings.idle, raw_days=settings.usage.raw_days, store=store, groups=groups, now=base.now),
    )
