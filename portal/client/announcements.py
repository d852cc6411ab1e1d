"""`portal announcements …`: announcements and maintenance from the command line."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer

from portal.client.http import PortalClient
from portal.client.terminal import console, table

announcements_app = typer.Typer(no_args_is_help=True, help="Announcements and maintenance, for administrators.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
Time = Annotated[datetime | None, typer.Option(help="In your time zone.", formats=FORMATS)]
Partitions = Annotated[list[str] | None, typer.Option("--partition", help="Default: all.")]
OnLogin = Annotated[bool, typer.Option(help="Also show it on the login page.")]


@announcements_app.command("list")
def list_(as_json: Json = False) -> None:
    """List announcements, including planned and past ones."""
    items = PortalClient().call("GET", "/admin/announcements")["items"]
    if as_json:
        console.print_json(data=items)
        return
    rows = table("ID", "KIND", "STATE", "FROM", "UNTIL", "PARTITIONS", "TEXT")
    for item in items:
        rows.add_row(
            str(item["id"]),
            item["kind"],
            item["state"].replace("_", " "),
            clock(item["starts_at"] or item["shown_from"]),
            clock(item["ends_at"]),
            ", ".join(item["partitions"]) or "all",
            item["text"],
        )
    console.print(rows, markup=False)


@announcements_app.command()
def say(
    text: str,
    from_: Annotated[datetime | None, typer.Option("--from", formats=FORMATS)] = None,
    until: Time = None,
    partition: Partitions = None,
    login: OnLogin = True,
) -> None:
    """Announce TEXT, now or from a given time, until you end it or its end time."""
    body = {"kind": "notice", "text": text, "partitions": partition or [], "on_login": login}
    _make(body | {"shown_from": utc(from_), "ends_at": utc(until)})


@announcements_app.command()
def maintenance(
    text: str,
    from_: Annotated[datetime, typer.Option("--from", help="When sessions must have ended.", formats=FORMATS)],
    until: Annotated[datetime, typer.Option(formats=FORMATS)],
    shown: Annotated[datetime | None, typer.Option("--shown-from", formats=FORMATS)] = None,
    partition: Partitions = None,
    login: OnLogin = True,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Plan and announce maintenance. From now on, sessions and jobs that would run into it are refused.

    Shows which current sessions and jobs would run into it, and asks before it closes the partitions.
    """
    body = {"kind": "maintenance", "text": text, "partitions": partition or [], "on_login": login}
    body |= {"shown_from": utc(shown), "starts_at": utc(from_), "ends_at": utc(until)}
    _show_affected(PortalClient().call("POST", "/admin/announcements/affected", json=_given(body)))
    if not yes:
        closed = f"partition {', '.join(partition)}" if partition else "all partitions"
        typer.confirm(f"Close {closed} from {clock(utc(from_))} until {clock(utc(until))}?", abort=True)
    _make(body)


def _show_affected(affected: dict[str, Any]) -> None:
    for item in affected["items"]:
        _say_affected("session", item)
    for item in affected["jobs"]:
        _say_affected("running job" if item["running"] else "pending job", item)
    if (more := affected["jobs_total"] - len(affected["jobs"])) > 0:
        console.print(f"affected: {more} more batch jobs")


def _say_affected(kind: str, item: dict[str, Any]) -> None:
    text = f"affected: {kind} {item['id']} of {item['owner']} ({item['name']}) on {item['partition']}"
    console.print(text, markup=False, highlight=False, soft_wrap=True)


@announcements_app.command()
def end(announcement_id: int) -> None:
    """End an announcement now."""
    PortalClient().call("DELETE", f"/admin/announcements/{announcement_id}")
    console.print(f"Announcement {announcement_id} has ended.")


def _make(body: dict[str, Any]) -> None:
    row = PortalClient().call("POST", "/admin/announcements", json=_given(body))
    console.print(f"Announcement {row['id']} is {row['state'].replace('_', ' ')}.")


def _given(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if value is not None}


def utc(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone().isoformat()


def clock(moment: str | None) -> str:
    """Return an ISO time in the reader's time zone."""
    return "" if moment is None else datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
