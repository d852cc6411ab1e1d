"""`portal images`: images and the registry's key, from a terminal."""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table

from portal.client.http import PortalClient

app = typer.Typer(no_args_is_help=True, help="Container images: yours and the site's.")
console = Console()

LOOK_EVERY_S = 2.0

Title = Annotated[str | None, typer.Option(help="The title to show.")]
ForAll = Annotated[bool, typer.Option("--site", help="For all users; administrators only.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


@app.command("list")
def show(as_json: Json = False) -> None:
    """List your images and the site's, and the free space for more."""
    page = PortalClient().call("GET", "/images")
    if as_json:
        console.print_json(data=page)
        return
    table = Table("ID", "TITLE", "STATE", "SIZE", "SCOPE", Column("PATH", overflow="fold"), box=None)
    for item in page["items"]:
        state = f"{item['state']} ({item['progress']} %)" if item["state"] == "pulling" else item["state"]
        size = f"{item['size_mb']:,} MB" if item["size_mb"] else ""
        table.add_row(item["id"], item["title"], state, size, item["scope"], item["path"])
    console.print(table)
    if quota := page["quota"]:
        whose = "of your quota" if quota["own"] else "of the file system"
        console.print(f"{quota['free_mb']:,} of {quota['total_mb']:,} MB {whose} are free in {page['folder']}.")
    for item in page["items"]:
        if item["state"] in ("failed", "missing"):
            console.print(f"{item['title']}: {item['message']}", style="red", highlight=False, markup=False)


@app.command()
def add(path: str, title: Title = None, everybody: ForAll = False) -> None:
    """Register an existing image: a SIF file or a sandbox folder."""
    image = _post({"path": path, "title": title}, everybody=everybody)
    console.print(f"{image['title']} is the environment {image['environment']}.", highlight=False)


@app.command()
def pull(
    reference: str,
    title: Title = None,
    everybody: ForAll = False,
    wait: Annotated[bool, typer.Option(help="Wait until it is ready, printing its progress.")] = True,
) -> None:
    """Pull an image from a registry, such as docker://nvcr.io/nvidia/pytorch:24.05-py3, in a Slurm job."""
    client = PortalClient()
    image = _post({"reference": reference, "title": title}, everybody=everybody, client=client)
    shown = ""
    while wait and image["state"] == "pulling":
        line = f"{image['progress']:3} %  {image['message']}"
        if line != shown:
            console.print(line, highlight=False, markup=False)
            shown = line
        time.sleep(LOOK_EVERY_S)
        image = next(item for item in client.call("GET", "/images")["items"] if item["id"] == image["id"])
    console.print(image["message"] or f"{image['id']}: {image['path']}", highlight=False, markup=False)
    if image["state"] == "failed":
        raise typer.Exit(1)


@app.command()
def remove(image: str) -> None:
    """Remove an image from the list by its id, ending its pull. Its file stays."""
    PortalClient().call("DELETE", f"/images/{image}")
    console.print("Removed from the list. Its file, if there is one, is kept.")


@app.command()
def key(forget: Annotated[bool, typer.Option(help="Delete the stored key.")] = False) -> None:
    """Store your API key for NGC, read from the terminal or from standard input; never an argument."""
    client = PortalClient()
    if forget:
        client.call("DELETE", "/ngc")
        console.print("Your key was deleted.")
        return
    text = typer.prompt("API key", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().strip()
    console.print(client.call("PUT", "/ngc", json={"key": text})["message"], highlight=False, markup=False)


def _post(body: dict[str, Any], *, everybody: bool, client: PortalClient | None = None) -> dict[str, Any]:
    asked = {name: value for name, value in body.items() if value is not None}
    asked["scope"] = "site" if everybody else "user"
    answer: dict[str, Any] = (client or PortalClient()).make("/images", asked)
    return answer
