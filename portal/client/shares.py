"""`portal sessions share`, `unshare` and `shares`: apps and ports of your sessions that others may open."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from portal.client.http import PortalClient
from portal.client.terminal import console, table


class Mode(StrEnum):
    LOOK = "look"
    USE = "use"


Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def share(
    session_id: str,
    people: Annotated[list[str] | None, typer.Option("--with", help="A user name. Repeat it for more people.")] = None,
    group: Annotated[list[str] | None, typer.Option(help="A group that you are in. Repeat it for more.")] = None,
    key: Annotated[
        str | None, typer.Option(help="Instead of people: a name for a new key, with which programs get in.")
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="`look`: they only see what you do; `use`: they use it as you.", show_choices=True),
    ] = None,
    port: Annotated[int | None, typer.Option(help="A port of the session. Without it: the session's app.")] = None,
    hours: Annotated[int | None, typer.Option(help="For how long. Without it: until the session ends.", min=1)] = None,
    as_json: Json = False,
) -> None:
    """Share a session's app, or one port of it. People you share with use it as you, or only look.

    With --key, programs that send the key use it as you: it is printed now, and never again.
    """
    body: dict[str, Any] = {"users": people or [], "groups": group or [], "port": port, "mode": mode, "hours": hours}
    body |= {"key": key} if key is not None else {}
    shares = PortalClient().call("POST", f"/sessions/{session_id}/shares", json=body)
    if as_json:
        console.print_json(data=shares["items"])
    else:
        _print(shares["items"])


def unshare(session_id: str, share_id: int) -> None:
    """End a share, by its number in `portal sessions shares`. What is open closes within seconds."""
    PortalClient().call("DELETE", f"/sessions/{session_id}/shares/{share_id}")
    console.print("The share has ended.")


def shares(
    session_id: Annotated[str | None, typer.Argument(help="One of your sessions. Without it: shared with you.")] = None,
    as_json: Json = False,
) -> None:
    """List with whom a session is shared or, without a session, what others share with you."""
    path = "/shares" if session_id is None else f"/sessions/{session_id}/shares"
    items = PortalClient().call("GET", path)["items"]
    if as_json:
        console.print_json(data=items)
    elif not items:
        console.print("Nobody shares anything with you." if session_id is None else "It is not shared.")
    else:
        _print(items)


def _print(items: list[dict[str, Any]]) -> None:
    rows = table("ID", "WHO", "WHAT", "UNTIL")
    for item in items:
        who = f"{item['owner']}'s {item['session']}" if "owner" in item else _whom(item)
        what = "app" if item["port"] is None else f"port {item['port']}"
        what += ", to look" if item["mode"] == "look" else ""
        until = f"{datetime.fromisoformat(item['ends_at']).astimezone():%Y-%m-%d %H:%M}"
        rows.add_row(str(item["id"]), who, what, until)
    console.print(rows, markup=False)
    for item in items:
        console.print(f"{item['id']}: {item['link']}", markup=False, highlight=False, soft_wrap=True)
        if item.get("key"):
            console.print(f"{item['id']}: key {item['key']}", markup=False, highlight=False, soft_wrap=True)


def _whom(item: dict[str, Any]) -> str:
    if item.get("key_name") is not None:
        return f"key {item['key_name']}"
    return item["user"] or f"group {item['group']}"
