"""`portal sessions extend` and `message`, and `list --all`: an administrator's actions on sessions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from portal.client.http import PortalClient
from portal.client.terminal import console

Ids = Annotated[list[str], typer.Argument(help="Ids of sessions, as `portal sessions list --all` shows them.")]


def extend(
    sessions: Ids,
    hours: Annotated[float, typer.Option(help="Hours to add.")],
    beyond_limits: Annotated[
        bool, typer.Option("--beyond-limits", help="Extend past limits or into maintenance.")
    ] = False,
) -> None:
    """Extend sessions of any user. For administrators."""
    seconds = round(hours * 60) * 60
    act("extend", sessions, seconds=seconds, beyond_limits=beyond_limits)


def message(sessions: Ids, text: Annotated[str, typer.Option(help="Text of the message.")]) -> None:
    """Send a message to the owners of sessions, shown at the top of their pages. For administrators."""
    act("message", sessions, text=text)


def act(action: str, sessions: list[str], **asked: Any) -> None:
    """Run the action and print each session's outcome; exit status 1 unless all succeeded."""
    results = PortalClient().call("POST", f"/admin/sessions/{action}", json={"sessions": sessions, **asked})["results"]
    for one in results:
        console.print(f"{one['id']}: {one['message']}", markup=False, highlight=False)
    if not all(one["ok"] for one in results):
        raise typer.Exit(1)
