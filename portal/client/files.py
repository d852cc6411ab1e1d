"""`portal files …`: list, fetch, send, copy, move and remove files on the cluster, without a session."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Any

import typer

from portal.client.http import PREFIX, ApiError, PortalClient, PortalUnavailable
from portal.client.terminal import console, output, table
from portal.plurals import plural

files_app = typer.Typer(no_args_is_help=True, help="Files on the cluster: list, get, put, copy, move, remove.")

#: The proxy ends a request after five minutes, so a piece must fit into that on a slow line.
PIECE = 64 << 20
READ = 256 << 10
#: Seconds to wait before going on after a lost connection.
PAUSES_S = (1, 2, 5, 10, 20, 30)
PAGE = 1_000
#: Seconds between two looks at an operation.
LOOK_S = 0.5
Remote = Annotated[str, typer.Argument(help="Absolute, or ~/… in your home on the cluster (quote the ~).")]


@files_app.command()
def ls(
    path: Remote = "~",
    long: Annotated[bool, typer.Option("--long", "-l", help="With permissions, owner, size and time.")] = False,
    hidden: Annotated[bool, typer.Option("--all", "-a", help="Include names that begin with a dot.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """List a folder."""
    entries = list(_entries(PortalClient(), path, hidden))
    if as_json:
        typer.echo(json.dumps(entries, indent=2))
    elif long:
        shown = table("mode", "owner", "group", "bytes", "modified (UTC)", "name", figures={"bytes"})
        for entry in entries:
            modified = (entry["modified"] or "")[:16].replace("T", " ")
            shown.add_row(entry["mode"], entry["owner"], entry["group"], str(entry["size"]), modified, _name(entry))
        console.print(shown)
    else:
        for entry in entries:
            typer.echo(output(_name(entry)))


def _name(entry: dict[str, Any]) -> str:
    return f"{entry['name']}{'/' if entry['kind'] == 'folder' else ''}"


def _entries(portal: PortalClient, path: str, hidden: bool) -> Iterator[dict[str, Any]]:
    offset, more = 0, True
    while more:
        wanted = {"path": path, "hidden": hidden, "offset": offset, "limit": PAGE}
        page = portal.call("GET", "/files", params=wanted)
        if page["kind"] == "missing":
            raise ApiError({"message": f"{path} does not exist.", "hint": "Check the path.", "code": "not_found"})
        yield from page["entries"]
        offset, more = offset + PAGE, bool(page["truncated"] and page["entries"])


@files_app.command()
def get(remote: Remote, local: Annotated[Path, typer.Argument(help="A file or an existing folder.")] = Path()) -> None:
    """Download a file. Run it again to continue an interrupted download."""
    target = local / remote.rsplit("/", 1)[-1] if local.is_dir() else local
    portal, pauses = PortalClient(), list(PAUSES_S)
    while True:
        try:
            size = _get(portal, remote, target)
            break
        except PortalUnavailable as error:
            _wait(pauses, error)
    console.print(f"{target}: {plural(size, 'byte')}.", markup=False)


def _get(portal: PortalClient, remote: str, target: Path) -> int:
    """Go on with the part of this version, whose name says which; any other part is of an older version."""
    parts = {file: file.name[len(target.name) + 2 : -len(".part")] for file in target.parent.glob(".*.part")}
    started = [file for file, version in parts.items() if file.name == _part(target, version)]
    headers = {}
    if started and (have := started[0].stat().st_size):
        headers = {"Range": f"bytes={have - 1}-", "If-Range": f'"{parts[started[0]]}"'}
    with portal.download("/files/content", params={"path": remote}, headers=headers) as response:
        version = response.headers["etag"].strip('"')
        part = target.with_name(_part(target, version))
        goes_on = response.status_code == 206
        with part.open("r+b" if goes_on else "wb") as file:
            if goes_on:
                file.seek(int(response.headers["content-range"].split()[1].split("-")[0]))
            for piece in response.iter_bytes(READ):
                file.write(piece)
            file.truncate()
            size = file.tell()
    part.replace(target)
    for older in started:
        older.unlink(missing_ok=True)
    return size


def _part(target: Path, version: str) -> str:
    """Return the name of an unfinished download; empty if that is not a version."""
    return f".{target.name}.{version}.part" if re.fullmatch("[0-9a-f]+-[0-9a-f]+-[0-9a-f]+", version) else ""


@files_app.command()
def put(
    local: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    remote: Remote,
    replace: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
) -> None:
    """Upload a file, and check that it arrived whole. Run it again to continue an interrupted upload."""
    path = f"{remote}{local.name}" if remote.endswith("/") else f"{remote}/{local.name}" if remote == "~" else remote
    portal, pauses = PortalClient(), list(PAUSES_S)
    size = local.stat().st_size
    with local.open("rb") as file:
        upload = _begun(portal, file, local, path, replace)
        offset = _arrived(portal, upload)
        while offset < size:
            try:
                offset = _piece(portal, upload, file, offset)
                pauses = list(PAUSES_S)
            except PortalUnavailable as error:
                _wait(pauses, error)
                offset = _arrived(portal, upload)
    _remember({key: value for key, value in _known().items() if value != upload})
    console.print(f"{path}: {plural(size, 'byte')}.", markup=False)


def _begun(portal: PortalClient, file: BufferedReader, local: Path, path: str, replace: bool) -> str:
    """Return the URL of the upload of just this file to just there, begun now or earlier."""
    status, conflict = local.stat(), "replace" if replace else "refuse"
    key = json.dumps([str(local.resolve()), status.st_size, status.st_mtime_ns, path, conflict])
    known = _known().get(key)
    if known:
        try:
            portal.response("HEAD", known)
        except ApiError as error:
            if isinstance(error, PortalUnavailable):
                raise
        else:
            return known
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    pairs = {"path": path, "conflict": conflict, "mtime": str(int(status.st_mtime)), "sha256": digest}
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())
    headers = {"Upload-Length": str(status.st_size), "Upload-Metadata": metadata}
    url = portal.response("POST", "/files/uploads", headers=headers).headers["location"]
    upload = str(url).partition(f"{PREFIX}/api")[2]
    _remember(_known() | {key: upload})
    return upload


def _arrived(portal: PortalClient, upload: str) -> int:
    return int(portal.response("HEAD", upload, timeout=600.0).headers["upload-offset"])


def _piece(portal: PortalClient, upload: str, file: BufferedReader, offset: int) -> int:
    headers = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
    answer = portal.response("PATCH", upload, headers=headers, content=_read(file, offset), timeout=600.0)
    return int(answer.headers["upload-offset"])


def _read(file: BufferedReader, offset: int) -> Iterator[bytes]:
    file.seek(offset)
    left = PIECE
    while left and (piece := file.read(min(READ, left))):
        left -= len(piece)
        yield piece


def _wait(pauses: list[int], error: PortalUnavailable) -> None:
    if not pauses:
        raise error
    console.print(f"{error.message} Going on in {pauses[0]} s.", markup=False)
    time.sleep(pauses.pop(0))


def _store() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(base) / "portal" / "uploads.json"


def _known() -> dict[str, str]:
    """Return the URLs of uploads that were begun here; each is a secret of its user's."""
    try:
        known: dict[str, str] = json.loads(_store().read_text())
    except (OSError, ValueError):
        return {}
    return known


def _remember(uploads: dict[str, str]) -> None:
    store = _store()
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = store.with_name(f"{store.name}.{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(uploads, file)
    new.replace(store)


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
                    _wait(pauses, error)
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
        console.print(failure["message"], markup=False)
    return not failed
