"""`portal files …`: list, fetch, send, copy, move and remove files on the cluster, without a session."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from portal.client.file_trees import entries, fetch_tree, send_tree
from portal.client.http import PortalClient, PortalUnavailable
from portal.client.terminal import console, output, table
from portal.client.transfers import PAUSES_S, fetch, local_errors, send, wait
from portal.plurals import plural

files_app = typer.Typer(no_args_is_help=True, help="Files on the cluster: list, get, put, copy, move, remove.")

#: Seconds between two looks at an operation.
LOOK_S = 0.5
Recursive = Annotated[bool, typer.Option("--recursive", "-r", help="A folder, with all that is in it.")]
Remote = Annotated[str, typer.Argument(help="Absolute, or ~/… in your home on the cluster (quote the ~).")]


@files_app.command()
def ls(
    path: Remote = "~",
    long: Annotated[bool, typer.Option("--long", "-l", help="With permissions, owner, size and time.")] = False,
    hidden: Annotated[bool, typer.Option("--all", "-a", help="Include names that begin with a dot.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """List a folder."""
    found = list(entries(PortalClient(), path, hidden))
    if as_json:
        typer.echo(json.dumps(found, indent=2))
    elif long:
        shown = table("mode", "owner", "group", "bytes", "modified (UTC)", "name", figures={"bytes"})
        for entry in found:
            modified = (entry["modified"] or "")[:16].replace("T", " ")
            shown.add_row(entry["mode"], entry["owner"], entry["group"], str(entry["size"]), modified, _name(entry))
        console.print(shown)
    else:
        for entry in found:
            typer.echo(output(_name(entry)))


def _name(entry: dict[str, Any]) -> str:
    return f"{entry['name']}{'/' if entry['kind'] == 'folder' else ''}"


@files_app.command()
def get(
    remote: Remote,
    local: Annotated[Path, typer.Argument(help="A name, or an existing folder.")] = Path(),
    recursive: Recursive = False,
) -> None:
    """Download a file. Run it again to continue an interrupted download; a folder begins again."""
    if not (local if local.is_dir() else local.parent).is_dir():
        raise typer.BadParameter(f"There is no folder {local.parent}.")
    if recursive:
        with local_errors(local):
            try:
                target, whole = fetch_tree(PortalClient(), remote, local, _say)
            except FileExistsError as error:
                raise typer.BadParameter(f"{error} Choose another name, or remove it.") from None
        console.print(f"{target}: {'complete' if whole else 'the rest is complete'}.", markup=False)
        if not whole:
            raise typer.Exit(1)
        return
    target = local / remote.rsplit("/", 1)[-1] if local.is_dir() else local
    with local_errors(target):
        size = fetch(PortalClient(), remote, target)
    console.print(f"{target}: {plural(size, 'byte')}.", markup=False)


@files_app.command()
def put(
    local: Annotated[Path, typer.Argument(exists=True)],
    remote: Remote,
    replace: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
    recursive: Recursive = False,
) -> None:
    """Upload a file, and check that it arrived whole. Run it again to continue an interrupted upload."""
    if local.is_dir() and not recursive:
        raise typer.BadParameter(f"{local} is a folder. Add -r to upload all that is in it.")
    name = local.resolve().name
    path = f"{remote}{name}" if remote.endswith("/") else f"{remote}/{name}" if remote == "~" else remote
    if not local.is_dir():
        with local_errors(local):
            size = send(PortalClient(), local, path, replace=replace)
        console.print(f"{path}: {plural(size, 'byte')}.", markup=False)
        return
    with local_errors(local):
        sent, there, failed = send_tree(PortalClient(), local, path, _say, replace=replace)
    console.print(
        f"{path}: {plural(sent, 'file')} sent, {there} there already, {failed} not sent.",
        markup=False,
    )
    if failed:
        raise typer.Exit(1)


def _say(message: str) -> None:
    console.print(message, markup=False)


@files_app.command()
def mv(
    paths: Annotated[list[str], typer.Argument(help="What to move, then the folder.")],
    replace: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
) -> None:
    """Move files and folders into a folder, also of another file system."""
    portal = PortalClient()
    answer = portal.call("POST", "/files/move", json=_into(paths, replace))
    well = _report(answer["failed"])
    if answer["operation"]:
        well &= _follow(portal, answer["operation"])
    if not well:
        raise typer.Exit(1)


@files_app.command()
def cp(
    paths: Annotated[list[str], typer.Argument(help="What to copy, then the folder.")],
    replace: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
) -> None:
    """Copy files and folders into a folder of the cluster. Ctrl+C cancels."""
    portal = PortalClient()
    if not _follow(portal, portal.call("POST", "/files/copies", json=_into(paths, replace))):
        raise typer.Exit(1)


def _into(paths: list[str], replace: bool) -> dict[str, Any]:
    if len(paths) < 2:
        raise typer.BadParameter("Name the files and folders, then the folder they go into.")
    return {"paths": paths[:-1], "target": paths[-1], "conflict": "replace" if replace else "refuse"}


@files_app.command()
def rm(
    paths: Annotated[list[str], typer.Argument(help="What to remove.")],
    forever: Annotated[bool, typer.Option("--forever", help="Delete for good, without the bin.")] = False,
) -> None:
    """Move files and folders to the bin."""
    portal = PortalClient()
    if forever:
        well = _follow(portal, portal.call("POST", "/files/delete", json={"paths": paths}))
    else:
        well = _report(portal.call("POST", "/files/remove", json={"paths": paths})["failed"])
    if not well:
        raise typer.Exit(1)


def _follow(portal: PortalClient, operation: dict[str, Any]) -> bool:
    """Wait for an operation's end, show how far it is, and return whether it ended well. Ctrl+C cancels it."""
    where, pauses = f"/files/operations/{operation['id']}", list(PAUSES_S)
    try:
        with console.status("Waiting for its turn …") as status:
            while not operation["ended"]:
                time.sleep(LOOK_S)
                try:
                    operation = portal.call("GET", where)
                    pauses = list(PAUSES_S)
                except PortalUnavailable as error:
                    wait(pauses, error)
                    continue
                total = operation["entries_total"] or 0
                status.update(
                    f"{operation['entries_done']} of {plural(total, 'entry', 'entries')}, {operation['bytes_done']} B"
                )
    except KeyboardInterrupt:
        portal.response("DELETE", where)
        console.print("Cancelled.")
        return False
    _report(operation["left"])
    if operation["state"] == "done":
        return True
    if _report(operation["failed"]):
        console.print(operation["message"], markup=False)
    return False


def _report(failed: list[dict[str, Any]]) -> bool:
    """Print what failed; return whether nothing did."""
    for failure in failed:
        _say(failure["message"])
    return not failed
