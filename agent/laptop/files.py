"""The user's files on the cluster: to list, move and delete."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from . import table
from .api import call
from .device import Device
from .errors import Failure

PAGE = 1000


def entries(device: Device, path: str, *, hidden: bool) -> list[Any]:
    """Return what is in a folder. Raises Failure."""
    found: list[Any] = []
    while True:
        asked = {"path": path, "hidden": str(hidden).lower(), "offset": len(found), "limit": PAGE}
        page = call(device, f"/files?{urlencode(asked)}")
        if page["kind"] != "folder":
            raise Failure(f"{path} {'does not exist' if page['kind'] == 'missing' else 'is not a folder'}.")
        found += page["entries"]
        if not page["truncated"] or not page["entries"]:
            return found


def print_entries(found: list[Any], *, long: bool) -> None:
    """Print names, or a table."""
    if long:
        rows = [
            [one["mode"], one["owner"], str(one["size"]), (one["modified"] or "")[:16].replace("T", " "), _name(one)]
            for one in found
        ]
        table.show(["MODE", "OWNER", "BYTES", "MODIFIED (UTC)", "NAME"], rows)
        return
    for one in found:
        print(table.printable(_name(one)))


def _name(one: Any) -> str:
    return f"{one['name']}{'/' if one['kind'] == 'folder' else ''}"


def move(device: Device, paths: list[str], folder: str, *, replace: bool) -> list[str]:
    """Move into a folder; return what to tell the user about what was not moved, or not yet. Raises Failure."""
    asked = {"paths": paths, "target": folder, "conflict": "replace" if replace else "refuse"}
    answer = call(device, "/files/move", "POST", asked)
    told = _failed(answer)
    if answer["operation"]:
        told.append("Moving to another file system continues on the cluster. The page Files shows how far it is.")
    return told


def to_bin(device: Device, paths: list[str]) -> list[str]:
    """Move to the bin; return what to tell the user about what was not moved. Raises Failure."""
    return _failed(call(device, "/files/remove", "POST", {"paths": paths}))


def _failed(answer: Any) -> list[str]:
    return [table.printable(one["message"]) for one in answer["failed"]]
