"""`portal idle report` and `portal sessions snooze`: the idle policy from the command line."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from portal.client.announcements import clock
from portal.client.http import PortalClient
from portal.client.terminal import console, table
from portal.plurals import plural

idle_app = typer.Typer(help="Idle sessions with GPUs.")

SHOWN = 20


@idle_app.callback()
def _group() -> None:
    """Idle sessions with GPUs."""


@idle_app.command()
def report(
    days: Annotated[int, typer.Option(min=1, max=31, help="Days to look back, as far as samples are kept.")] = 7,
    after_minutes: Annotated[int | None, typer.Option(help="Try another `after_minutes`.", min=10, max=10_080)] = None,
    grace_minutes: Annotated[int | None, typer.Option(help="Try another `grace_minutes`.", min=5, max=1440)] = None,
    others_wait: Annotated[
        bool | None, typer.Option("--others-wait/--always", help="Only while others wait for the same GPUs.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """Print what the idle policy would have done in the last few days. Changes nothing. For administrators."""
    asked = {
        "days": days,
        "after_minutes": after_minutes,
        "grace_minutes": grace_minutes,
        "while_others_wait": others_wait,
    }
    params = {name: value for name, value in asked.items() if value is not None}
    found = PortalClient().call("GET", "/admin/idle/report", params=params)
    if as_json:
        console.print_json(data=found)
        return
    for line in in_words(found):
        console.print(line, markup=False, highlight=False)
    if found["ended"]:
        console.print(_owners(found["owners"]), markup=False)
        console.print(_ends(found["ends"]), markup=False)


def in_words(found: dict[str, Any]) -> list[str]:
    lines = [
        found["rule"]["text"],
        f"{plural(found['sessions'], 'session')} with GPUs since {clock(found['since'])}, "
        f"{plural(found['gpu_hours'], 'GPU-hour')}; {found['exempt']} exempt.",
        f"{found['warned']} would have been warned and {found['ended']} ended, giving back "
        f"{plural(found['gpu_hours_back'], 'GPU-hour')}. "
        f"In {found['came_back']} of these, the owner worked again later.",
    ]
    if found["gpu_hours_unknown"]:
        lines.append(
            f"For {plural(found['gpu_hours_unknown'], 'GPU-hour')} a measurement is missing, so they count as work. "
            "Sessions that started before the update to this version have only some of the measurements."
        )
    kept = plural(found["recorded_days"], "day")
    lines.append(f"Samples are kept for {kept} (`usage.raw_days`). Nobody snoozes in this report.")
    return lines


def _owners(owners: list[dict[str, Any]]) -> Any:
    names = ("SESSIONS", "WARNED", "ENDED", "GPU-HOURS BACK", "CAME BACK")
    rows = table("OWNER", *names, figures=names)
    for row in owners[:SHOWN]:
        counts = (row["sessions"], row["warned"], row["ended"], row["gpu_hours_back"], row["came_back"])
        rows.add_row(row["owner"], *(f"{count:,}" for count in counts))
    return rows


def _ends(ends: list[dict[str, Any]]) -> Any:
    rows = table("SESSION", "OWNER", "WOULD HAVE ENDED", "GPU-HOURS", "WORKED AGAIN", figures=("GPU-HOURS",))
    for end in ends[:SHOWN]:
        worked = clock(end["worked_at"]) if end["worked_at"] else "never"
        rows.add_row(end["id"], end["owner"], clock(end["ended_at"]), f"{end['gpu_hours_back']:,}", worked)
    return rows


def snooze(session_id: str) -> None:
    """Put off the announced end of your idle session. The number of snoozes is limited."""
    client = PortalClient()
    client.call("POST", f"/sessions/{session_id}/snooze")
    events = f"{session_id}: snoozed. The warning comes back if the session is still idle afterwards."
    console.print(events, markup=False, highlight=False)
