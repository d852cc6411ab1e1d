"""What mail and webhooks cost everybody else: a POST beside a flood of events, over the same POST without it.

Needs no site: the portal's routes in this process, with a real SMTP server and a real HTTPS receiver (threads of this
process, so what they take counts against the portal). One webhook in ten hangs. `--per-hour` events arrive evenly.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import func, select

from portal.app import attach, routes
from portal.auth.people import People
from portal.db import migrate
from portal.notifications.models import Delivery, Happening, Shape
from portal.notifications.schemas import MailIn, WebhookIn
from portal.settings import Notifications, Settings
from portal.settings.notifications import Webhooks
from portal.wiring import Portal, build
from tests.receivers import certificate, mail_server, receiver
from tests.unit.http.conftest import ADMIN, FakeIdentities, settings
from tests.unit.notifications.conftest import Directory, mail_settings
from tests.unit.sessions.conftest import FakeDirectory

USERS = 500
PATH = "/services/portal/api/admin/announcements"


class Everybody(FakeDirectory):
    """Who calls, and the users whom events are about."""

    async def account(self, username: str) -> Any:
        return await super().account(username) or await Directory().account(username)


async def post(http: httpx2.AsyncClient, seconds: float) -> list[float]:
    """Post ten times a second; return the times to the answer, in ms."""
    took = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.perf_counter()
        answer = await http.post(PATH, json={"text": "Hello", "on_login": False}, headers=ADMIN)
        took.append(1000 * (time.perf_counter() - began))
        answer.raise_for_status()
        await asyncio.sleep(0.1)
    return took


async def flood(portal: Portal, per_hour: float) -> None:
    """Write events for ever, evenly, each in a transaction of its own as with a session's change."""
    number, began = 0, time.monotonic()
    while True:
        async with portal.work() as db:
            await portal.notifications.outbox.message(db, f"user{number % USERS:03}", "admin", "Hello", None)
        number += 1
        await asyncio.sleep(max(0.0, began + number * 3600 / per_hour - time.monotonic()))


async def measure(folder: Path, seconds: float, per_hour: float) -> dict[str, Any]:
    url = f"sqlite+aiosqlite:///{folder / 'portal.sqlite'}"
    await asyncio.to_thread(migrate.upgrade, url)
    with ExitStack() as stack:
        own = certificate(folder)
        smtp = stack.enter_context(mail_server(own.context()))
        hook, hanging = (stack.enter_context(receiver(own.context())) for _ in range(2))
        hanging.hangs = threading.Event()
        notifications = Notifications(
            mail=mail_settings(smtp, own, folder),
            webhooks=Webhooks(private_hosts=[hook.host, hanging.host], ca_file=own.ca),
            hourly_per_user=10_000,
        )
        wanted = settings(folder, url).model_copy(update={"notifications": notifications})
        portal = replace(build(wanted), identities=FakeIdentities())  # type: ignore[arg-type]
        portal.notifications.channels.people = People(Everybody())  # type: ignore[arg-type]
        portal = replace(portal, people=People(Everybody()))  # type: ignore[arg-type]
        app = routes(Settings())
        attach(app, portal)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://portal") as http:
            for number in range(USERS):
                owner, events = f"user{number:03}", [Happening.MESSAGE]
                await portal.notifications.channels.set_mail(owner, MailIn(events=events))
                target = hanging if number % 10 == 0 else hook
                asked = {"url": target.url(owner), "shape": Shape.JSON, "events": events}
                await portal.notifications.channels.set_webhook(owner, WebhookIn.model_validate(asked))
            without = await post(http, seconds)
            before_mib = _memory_mib()
            tasks = [portal.notifications.mail.run(), portal.notifications.webhooks.run(), flood(portal, per_hour)]
            running = [asyncio.create_task(task) for task in tasks]
            beside = await post(http, seconds)
            after_mib = _memory_mib()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        async with portal.work() as db:
            query = select(Delivery.channel, Delivery.state, func.count()).group_by(Delivery.channel, Delivery.state)
            states = {f"{channel} {state}": count for channel, state, count in await db.execute(query)}
        await portal.engine.dispose()
        await portal.hub.close()
    return {
        "events_per_hour": per_hour,
        "seconds": seconds,
        "messages": states,
        "post_ms_without": _quantiles(without),
        "post_ms_beside": _quantiles(beside),
        "ratio_median": round(statistics.median(beside) / statistics.median(without), 2),
        "memory_mib": {"before": before_mib, "after": after_mib},
    }


def _quantiles(took: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(took, n=20)
    return {"median": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def _memory_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each half")
    parser.add_argument("--per-hour", type=float, default=10_000.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measure(Path(folder), asked.seconds, asked.per_hour))
    print(json.dumps(result, indent=2))
    if asked.json:
        asked.json.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
