"""`portal apps …`: the apps that a user can start, and a trial of an app's file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from portal.client.cli import Json, asked_for, follow, given, said
from portal.client.http import PortalClient
from portal.client.terminal import console, table

apps_app = typer.Typer(no_args_is_help=True, help="Apps: list them, and try one that you have written.")


@apps_app.command("list")
def list_(as_json: Json = False) -> None:
    """List the apps that you can start, your own included, and why others cannot start."""
    items = PortalClient().call("GET", "/apps")["items"]
    if as_json:
        console.print_json(data=items)
        return
    rows = table("NAME", "TITLE", "FROM", "CANNOT START BECAUSE")
    for item in items:
        rows.add_row(item["name"], item["title"], item["origin"], item["reason"] or "")
    console.print(rows, markup=False)


@apps_app.command("try")
def try_(
    file: Annotated[Path, typer.Argument(help="The app's file, or its folder, on the cluster.")],
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A value for the app's form.")
    ] = None,
    environment: str | None = None,
    gpus: int | None = None,
    partition: str | None = None,
    check_only: Annotated[bool, typer.Option("--check", help="Check the file, start nothing.")] = False,
) -> None:
    """Check an app's file, start it in a session of yours, and print its address or why it does not start."""
    asked = asked_for(gpus, None, None, None, None, partition)
    path = str(file) if str(file).startswith("~/") else str(file.absolute())
    body = given({"app": path, "environment": environment, "options": _options(option or []), "resources": asked})
    client = PortalClient()
    checked = client.call("POST", "/sessions/check", json=body)
    for note in [*checked["warnings"], *checked["problems"]]:
        console.print(note["message"], highlight=False, markup=False, soft_wrap=True)
    if checked["problems"]:
        raise typer.Exit(1)
    if check_only:
        console.print("The file is fine.")
        return
    session = follow(client, client.make("/sessions", body)["id"], quiet=False)
    said(session)
    if session["state"] == "ended":
        raise typer.Exit(1)
    console.print(f"Stop it with: portal sessions stop {session['id']}", highlight=False)


def _options(pairs: list[str]) -> dict[str, Any]:
    """Return the form's values; `true` and `false` are a switch's."""
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair}: write NAME=VALUE")
        values[name] = {"true": True, "false": False}.get(value, value)
    return values
