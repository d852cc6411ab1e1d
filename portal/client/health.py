"""`portal health`: the state of the services that the portal depends on."""

from __future__ import annotations

from typing import Annotated

import typer

from portal.client.announcements import clock
from portal.client.http import PortalClient
from portal.client.terminal import console, table

health_app = typer.Typer()


@health_app.command()
def health(as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False) -> None:
    """Show the state of database, directory, Hub, proxy and Slurm, as the portal last saw them. For administrators.

    Exits with status 1 while one is down.
    """
    answer = PortalClient().call("GET", "/admin/health")
    if as_json:
        console.print_json(data=answer)
    else:
        rows = table("PART", "STATE", "SINCE", "WHAT")
        for part in answer["parts"]:
            text = " ".join([part["message"], part["do"]]).strip()
            rows.add_row(part["title"], part["state"], clock(part["since"]), text)
        console.print(rows, markup=False)
        console.print(f"Slurm commands per minute: {answer['calls_per_minute']:g}", highlight=False)
    if any(part["state"] == "down" for part in answer["parts"]):
        raise typer.Exit(1)
