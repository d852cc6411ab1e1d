"""HTTP routes for usage: each user's own, and everybody's for administrators."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import date, timedelta
from typing import Annotated

from fastapi import Depends, Query, Request

from portal import csv_text
from portal.agent_jobs import sent_key
from portal.auth.dependencies import Accounts, AdminUser, CurrentUser
from portal.errors import InvalidRequest, NotFound
from portal.health.dependencies import Health
from portal.health.view import HealthView
from portal.jobs.dependencies import ArrayTasks, Jobs
from portal.jobs.endpoints import JobId
from portal.moment import Day
from portal.numbers import RowNumber
from portal.placement.dependencies import Views
from portal.policy.limits import limits_for
from portal.policy.request import PresetName, TemplateId
from portal.provided import provided
from portal.routing import Router, gate
from portal.sessions.dependencies import SessionRecords
from portal.settings import Settings
from portal.settings.dependencies import SiteSettings
from portal.usage import advice, view
from portal.usage.fit import Fits
from portal.usage.gpus import GpuTotals
from portal.usage.reports import Report, ReportRequest, Reports
from portal.usage.samples import Samples
from portal.usage.schemas import (
    Advice,
    Allowance,
    By,
    FitOut,
    GpuTotalsOut,
    LastUse,
    Metered,
    MyBy,
    MyUsage,
    SessionUse,
    UsageReport,
)

router = Router(tags=["usage"])

UsageReports = Annotated[Reports, provided(Reports)]
UsageFits = Annotated[Fits, provided(Fits)]
UsageSamples = Annotated[Samples, provided(Samples)]
Gpus = Annotated[GpuTotals, provided(GpuTotals)]

LONGEST = timedelta(days=10 * 366)

From = Annotated[Day | None, Query(alias="from", description="First day (UTC); the first of this month by default.")]
To = Annotated[Day | None, Query(description="Last day (UTC), inclusive; today by default.")]
Name = Annotated[str, Query(max_length=255, pattern=r"^[^\x00]*$", description="Restrict to this one; empty: all.")]


def _asked(reports: Reports, by: By, first: date | None, last: date | None, **names: str) -> ReportRequest:
    today = reports.today
    last = last or today
    first = first or min(today, last).replace(day=1)
    if first > last:
        raise InvalidRequest("The first day is after the last day.", hint="Give `from` a day before `to`.")
    if last - first > LONGEST:
        raise InvalidRequest("The range is too long.", hint="Choose at most ten years.")
    return ReportRequest(by, first, last, **names)


def _own(
    user: CurrentUser, reports: UsageReports, by: MyBy = "month", from_: From = None, to: To = None
) -> ReportRequest:
    return _asked(reports, by, from_, to, user=user.username)


def _any(
    reports: UsageReports,
    by: By = "user",
    from_: From = None,
    to: To = None,
    user: Name = "",
    account: Name = "",
    partition: Name = "",
    gpu_type: Name = "",
) -> ReportRequest:
    return _asked(reports, by, from_, to, user=user, account=account, partition=partition, gpu_type=gpu_type)


OwnRequest = Annotated[ReportRequest, Depends(_own)]
AnyRequest = Annotated[ReportRequest, Depends(_any)]


@router.get("/usage", responses={404: {"description": "The directory does not know the caller."}})
async def mine(
    user: CurrentUser,
    reports: UsageReports,
    health: Health,
    people: Accounts,
    views: Views,
    settings: SiteSettings,
    asked: OwnRequest,
) -> MyUsage:
    """Return what you used, how much of it was unused, and what to do about it."""
    made = await reports.make(asked)
    account = await people.account(user.username)
    if account is None:
        raise NotFound(f"The directory has no account “{user.username}”.")
    policy = await views.of_account(account)
    return MyUsage(
        **dict(_report(health, made, settings.usage.co2_g_per_kwh)),
        advice=[Advice(text=text, hint=hint) for text, hint in advice.of(made.total.sums)],
        allowance=Allowance(
            gpu_hours_used=round(policy.gpu_hours_used, 1),
            gpu_hours_promised=round(policy.gpu_hours_promised, 1),
            max_gpu_hours=limits_for(policy, settings.policy).max_gpu_hours,
        ),
    )


@router.get("/usage/csv", response_class=csv_text.CsvFile)
async def my_csv(reports: UsageReports, settings: SiteSettings, asked: OwnRequest) -> csv_text.CsvFile:
    """Return your own usage as CSV."""
    return await _csv(reports, settings, asked)


@router.get("/admin/usage")
async def everybodys(
    _: AdminUser, reports: UsageReports, health: Health, settings: SiteSettings, asked: AnyRequest
) -> UsageReport:
    """Return all users' usage: GPU-hours, waiting times, and what was unused."""
    return _report(health, await reports.make(asked), settings.usage.co2_g_per_kwh)


@router.get("/admin/usage/csv", response_class=csv_text.CsvFile)
async def everybodys_csv(
    _: AdminUser, reports: UsageReports, settings: SiteSettings, asked: AnyRequest
) -> csv_text.CsvFile:
    """Return everybody's usage as CSV, with every row."""
    return await _csv(reports, settings, asked)


@router.get("/usage/last")
async def last(
    user: CurrentUser,
    fits: UsageFits,
    app: Annotated[str, Query(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")],
    environment: Annotated[str, Query(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")],
    template: TemplateId | None = None,
    preset: PresetName | None = None,
) -> LastUse:
    """Return how much memory your last sessions of this app used: of the same template, preset or environment."""
    fit = await fits.of(user.username, app, {"template": template, "preset": preset, "environment": environment})
    return LastUse(fit=FitOut(**asdict(fit)) if fit else None)


@router.get("/sessions/{session_id}/usage")
async def of_session(
    session_id: str,
    user: CurrentUser,
    records: SessionRecords,
    samples: UsageSamples,
    gpus: Gpus,
    settings: SiteSettings,
) -> SessionUse:
    """Return what one of your sessions, running or ended, used over its life."""
    record = await records.get(session_id)
    if record.owner != user.username and not user.admin:
        raise NotFound(f"There is no session {session_id}.")
    totals = [] if record.job_id is None else await gpus.of_job(record.job_id, record.owner, record.started_at)
    return view.session_use(*await samples.points(record.id), totals, settings.usage.co2_g_per_kwh)


@router.get("/jobs/{job_id}/gpus", responses={404: {"description": "No such job of yours."}})
async def of_job(
    job_id: JobId,
    user: CurrentUser,
    jobs: Jobs,
    tasks: ArrayTasks,
    gpus: Gpus,
    settings: SiteSettings,
    task: Annotated[RowNumber | None, Query(description="A task of an array.")] = None,
) -> GpuTotalsOut:
    """Return what a batch job has done with each of its GPUs, as far as it was metered."""
    record = await jobs.find(job_id, None if user.admin else user.username)
    raw_id, _ = await tasks.raw(record, task)
    run = record if task is None else await tasks.one(record, task)
    totals = [] if raw_id is None or run is None else await gpus.of_job(raw_id, record.owner, run.started_at)
    return view.gpu_totals(totals, settings.usage.co2_g_per_kwh)


@gate
async def meter_owner(request: Request, gpus: Gpus) -> str:
    """Return the owner of the job whose meter the caller is."""
    return gpus.owner(*sent_key(request))


agents = Router(prefix="/agent", include_in_schema=False)


@agents.post("/metered", status_code=204)
async def metered(report: Metered, owner: Annotated[str, Depends(meter_owner)], gpus: Gpus) -> None:
    await gpus.meter(owner, report)


def _report(health: HealthView, made: Report, co2: float | None) -> UsageReport:
    report = view.report(made, co2)
    if report.source.failing_since is None:
        return report
    failing = health.since("slurmdbd", report.source.failing_since)
    return report.model_copy(update={"source": report.source.model_copy(update={"failing_since": failing})})


async def _csv(reports: Reports, settings: Settings, asked: ReportRequest) -> csv_text.CsvFile:
    made = await reports.make(asked)
    text = await asyncio.to_thread(view.csv, made, settings.usage.co2_g_per_kwh)
    return csv_text.file(text, f"usage-{asked.by}-{asked.first}-{asked.last}.csv")
