"""`portal usage …`: use of the cluster from the command line."""

from __future__ import annotations

import sys
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from portal.client.announcements import clock
from portal.client.http import PortalClient
from portal.client.terminal import console, table
from portal.plurals import plural

usage_app = typer.Typer(no_args_is_help=True, help="GPU-hours, CPU-hours and waiting times.")


FIGURES = ("JOBS", "GPU-HOURS", "UNUSED", "NOT MEASURED", "CPU-HOURS", "MEDIAN WAIT", "WAIT, 95 %")


class By(StrEnum):
    USER = "user"
    GROUP = "group"
    ACCOUNT = "account"
    PARTITION = "partition"
    GPU_TYPE = "gpu_type"
    MONTH = "month"


class MyBy(StrEnum):
    MONTH = "month"
    ACCOUNT = "account"
    PARTITION = "partition"
    GPU_TYPE = "gpu_type"


From = Annotated[
    datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day (UTC); this month's by default.")
]
To = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Last day (UTC), inclusive; today by default.")]
Only = Annotated[str | None, typer.Option(help="Restrict to this one.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


@usage_app.command()
def report(
    by: By = By.USER,
    from_: From = None,
    to: To = None,
    user: Only = None,
    account: Only = None,
    partition: Only = None,
    gpu_type: Only = None,
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Print the usage of all users. For administrators."""
    only = {"user": user, "account": account, "partition": partition, "gpu_type": gpu_type}
    _show("/admin/usage", {"by": by.value, **_days(from_, to), **only}, as_csv=as_csv, as_json=as_json)


@usage_app.command()
def mine(by: MyBy = MyBy.MONTH, from_: From = None, to: To = None, as_csv: Csv = False, as_json: Json = False) -> None:
    """Print your own use, and what to do about what was unused."""
    _show("/usage", {"by": by.value, **_days(from_, to)}, as_csv=as_csv, as_json=as_json)


def _days(first: datetime | None, last: datetime | None) -> dict[str, str | None]:
    return {name: None if day is None else day.date().isoformat() for name, day in (("from", first), ("to", last))}


def _show(path: str, asked: dict[str, str | None], *, as_csv: bool, as_json: bool) -> None:
    params = {name: value for name, value in asked.items() if value is not None}
    client = PortalClient()
    if as_csv:
        sys.stdout.write(client.text(f"{path}/csv", params=params))
    elif as_json:
        console.print_json(data=client.call("GET", path, params=params))
    else:
        _print(client.call("GET", path, params=params))


def _print(report: dict[str, Any]) -> None:
    rows = table(report["by"].replace("_", " ").upper(), *FIGURES, figures=FIGURES)
    for row in report["rows"]:
        rows.add_row(row["key"] or "–", *_cells(row))
    rows.add_row("in all", *_cells(report["total"]))
    console.print(rows, markup=False)
    console.print(f"{report['first']} to {report['last']}, days and months in UTC. {_source(report['source'])}")
    if report["more"]:
        console.print(f"{plural(report['more'], 'more row')}: --csv lists all.")
    for advice in report.get("advice", ()):
        console.print(f"{advice['text']} {advice['hint']}", markup=False)


def _cells(row: dict[str, Any]) -> list[str]:
    hours = (f"{row[name]:,.1f}" for name in ("gpu_hours", "gpu_hours_unused", "gpu_hours_unknown", "cpu_hours"))
    return [f"{row['jobs']:,}", *hours, _wait(row["wait_median_s"]), _wait(row["wait_p95_s"])]


def _wait(seconds: int | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _source(source: dict[str, Any]) -> str:
    parts = [source["text"]]
    if source["read_to"] is not None:
        parts.append(f"Data up to {clock(source['read_to'])}.")
    if source["failing_since"] is not None:
        parts.append(f"Accounting has not answered since {clock(source['failing_since'])}.")
    return " ".join(parts)
