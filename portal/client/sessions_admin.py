"""`portal sessions extend`, `shorten` and `message`: one's own sessions' time, and an administrator's actions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer

from portal.client.http import PortalClient
from portal.client.terminal import console

Hours = Annotated[float, typer.Option(help="Hours to add.", min=0.1)]
Ids = Annotated[list[str], typer.Argument(help="Ids of sessions, as `portal sessions list --all` shows them.")]


def extend(
    sessions: Ids,
    hours: Hours,
    beyond_limits: Annotated[
        bool, typer.Option("--beyond-limits", help="Extend past limits or into maintenance.")
    ] = False,
) -> None:
    """Extend your sessions, within the site's policy; administrators: sessions of any user."""
    client, seconds = PortalClient(), round(hours * 60) * 60
    if client.call("GET", "/me")["admin"]:
        act("extend", sessions, seconds=seconds, beyond_limits=beyond_limits)
        return
    for session in sessions:
        _change(client, session, seconds)


def shorten(sessions: Ids, hours: Annotated[float, typer.Option(help="Hours to give back.", min=0.1)]) -> None:
    """End your sessions sooner, so that others get their resources."""
    client = PortalClient()
    for session in sessions:
        _change(client, session, -round(hours * 60) * 60)


def _change(client: PortalClient, session: str, seconds: int) -> None:
    before = client.call("GET", f"/sessions/{session}")["resources"]["walltime_s"]
    asked = {"walltime_s": max(60, before + seconds)}
    after = client.call("PUT", f"/sessions/{session}/time-limit", json=asked)
    ends = datetime.fromisoformat(after["ends_at"]).astimezone() if after["ends_at"] else None
    console.print(f"{session}: it ends at {ends:%a %-d %b %H:%M}." if ends else f"{session}: done.", highlight=False)


def message(sessions: Ids, text: Annotated[str, typer.Option(help="Text of the message.")]) -> None:
    """Send a message to the owners of sessions, shown at the top of their pages. For administrators."""
    act("message", sessions, text=text)


def act(action: str, sessions: list[str], **asked: Any) -> None:
    """Run the action and print each session's outcome; exit status 1 unless all succeeded."""
    results = PortalClient().call("POST", f"/admin/sessions/{action}", json={"sessions": sessions, **asked})["results"]
    for result in results:
        console.print(f"{result['id']}: {result['message']}", markup=False, highlight=False)
    if not all(result["ok"] for result in results):
        raise typer.Exit(1)
