"""HTTP routes for usage: each user's own, and everybody's for administrators."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Annotated

from fastapi import Query

from portal import csv_text
from portal.auth.dependencies import Accounts, AdminUser, CurrentUser
from portal.errors import InvalidRequest, NotFound
from portal.health.dependencies import Health
from portal.health.view import HealthView
from portal.moment import Day
from portal.policy.limits import limits_for
from portal.provided import provided
from portal.routing import Router
from portal.sessions.dependencies import Requests, SessionRecords
from portal.settings.dependencies import SiteSettings
from portal.usage import advice, view
from portal.usage.reports import Report, ReportRequest, Reports
from portal.usage.samples import Samples
from portal.usage.schemas import Advice, Allowance, By, MyBy, MyUsage, SessionUse, UsageReport

router = Router(tags=["usage"])

UsageReports = Annotated[Reports, provided(Reports)]
UsageSamples = Annotated[Samples, provided(Samples)]

LONGEST = timedelta(days=10 * 366)

From = Annotated[Day | None, Query(alias="from", description="First day (UTC); the first of this month by default.")]
To = Annotated[Day | None, Query(description="Last day (UTC), inclusive; today by default.")]
Name = Annotated[str, Query(max_length=255, pattern=r"^[^\x00]*$", description="Restrict to this one; empty: all.")]


@router.get("/usage", responses={404: {"description": "The directory does not know the caller."}})
async def mine(
    user: CurrentUser,
    reports: UsageReports,
    health: Health,
    people: Accounts,
    requests: Requests,
    settings: SiteSettings,
    by: MyBy = "month",
    from_: From = None,
    to: To = None,
) -> MyUsage:
    """Return what you used, how much of it was unused, and what to do about it."""
    made = await reports.make(_asked(reports, by, from_, to, user=user.username))
    account = await people.account(user.username)
    if account is None:
        raise NotFound(f"The directory has no account “{user.username}”.")
    policy = await requests.view_of(account)
    return MyUsage(
        **dict(_report(health, made)),
        advice=[Advice(text=text, hint=hint) for text, hint in advice.of(made.total.sums)],
        allowance=Allowance(
            gpu_hours_used=round(policy.gpu_hours_used, 1),
            gpu_hours_promised=round(policy.gpu_hours_promised, 1),
            max_gpu_hours=limits_for(policy, settings.policy).max_gpu_hours,
        ),
    )


@router.get("/usage/csv", response_class=csv_text.CsvFile)
async def my_csv(
    user: CurrentUser, reports: UsageReports, by: MyBy = "month", from_: From = None, to: To = None
) -> csv_text.CsvFile:
    """Return the same as CSV."""
    return await _csv(reports, _asked(reports, by, from_, to, user=user.username))


@router.get("/admin/usage")
async def everybodys(
    _: AdminUser,
    reports: UsageReports,
    health: Health,
    by: By = "user",
    from_: From = None,
    to: To = None,
    user: Name = "",
    account: Name = "",
    partition: Name = "",
    gpu_type: Name = "",
) -> UsageReport:
    """Return all users' usage: GPU-hours, waiting times, and what was unused."""
    asked = _asked(reports, by, from_, to, user=user, account=account, partition=partition, gpu_type=gpu_type)
    return _report(health, await reports.make(asked))


@router.get("/admin/usage/csv", response_class=csv_text.CsvFile)
async def everybodys_csv(
    _: AdminUser,
    reports: UsageReports,
    by: By = "user",
    from_: From = None,
    to: To = None,
    user: Name = "",
    account: Name = "",
    partition: Name = "",
    gpu_type: Name = "",
) -> csv_text.CsvFile:
    """Return the same as CSV, with every row."""
    asked = _asked(reports, by, from_, to, user=user, account=account, partition=partition, gpu_type=gpu_type)
    return await _csv(reports, asked)


@router.get("/sessions/{session_id}/usage")
async def of_session(session_id: str, user: CurrentUser, records: SessionRecords, samples: UsageSamples) -> SessionUse:
    """Return what one of your sessions, running or ended, used over its life."""
    record = await records.get(session_id)
    if record.owner != user.username and not user.admin:
        raise NotFound(f"There is no session {session_id}.")
    return view.session_use(*await samples.points(record.id))


def _report(health: HealthView, made: Report) -> UsageReport:
    told = view.report(made)
    if told.source.failing_since is None:
        return told
    failing = health.since("slurmdbd", told.source.failing_since)
    return told.model_copy(update={"source": told.source.model_copy(update={"failing_since": failing})})


def _asked(reports: Reports, by: By, first: date | None, last: date | None, **names: str) -> ReportRequest:
    today = reports.today
    last = last or today
    first = first or min(today, last).replace(day=1)
    if first > last:
        raise InvalidRequest("The first day is after the last day.", hint="Give `from` a day before `to`.")
    if last - first > LONGEST:
        raise InvalidRequest("The range is too long.", hint="Choose at most ten years.")
    return ReportRequest(by, first, last, **names)


async def _csv(reports: Reports, asked: ReportRequest) -> csv_text.CsvFile:
    made = await reports.make(asked)
    return csv_text.file(await asyncio.to_thread(view.csv, made), f"usage-{asked.by}-{asked.first}-{asked.last}.csv")
