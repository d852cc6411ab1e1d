"""`portal audit`: the audit log from the command line."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated, Any

import typer

from portal.client.announcements import FORMATS, clock
from portal.client.http import PortalClient
from portal.client.terminal import console, table

audit_app = typer.Typer()


@audit_app.command()
def audit(
    actor: Annotated[str, typer.Option(help="Only entries by this user.")] = "",
    action: Annotated[str, typer.Option(help="Only actions that start with this, such as `node.`.")] = "",
    target: Annotated[str, typer.Option(help="Only targets whose name contains this.")] = "",
    refused: Annotated[bool, typer.Option("--refused", help="Only refused or failed actions.")] = False,
    from_: Annotated[datetime | None, typer.Option("--from", help="In your time zone.", formats=FORMATS)] = None,
    to: Annotated[datetime | None, typer.Option(help="In your time zone.", formats=FORMATS)] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Maximum number of entries, newest first.")] = 50,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, without --limit.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """Print who did what, when, from where, and with what result. For administrators."""
    asked: dict[str, Any] = {"actor": actor, "action": action, "target": target}
    asked |= {"since": None if from_ is None else from_.astimezone().isoformat()}
    asked |= {"until": None if to is None else to.astimezone().isoformat()}
    asked = {name: value for name, value in asked.items() if value} | {"refused": refused}
    client = PortalClient()
    if as_csv:
        sys.stdout.write(client.text("/audit/csv", params=asked))
        return
    items = client.call("GET", "/audit", params={**asked, "limit": limit})["items"]
    if as_json:
        console.print_json(data=items)
        return
    rows = table("WHEN", "WHO", "WHAT", "TARGET", "RESULT", "FROM")
    for item in items:
        rows.add_row(clock(item["at"]), item["actor"], item["action"], item["target"], item["result"], item["address"])
    console.print(rows, markup=False)
