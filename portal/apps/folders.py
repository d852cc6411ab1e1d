"""Checks the folders and files that a user gives to an app, as that user, before anything is submitted.

What cannot work (no permission, a file instead of a folder) is a problem; what may be intended, such as a folder that
a job has yet to write, is a warning. A file system that does not answer in time is neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from portal.apps.options import Value
from portal.errors import FieldProblem, Forbidden, InvalidRequest, NotFound, Unavailable
from portal.files.service import FileService
from portal.files.types import FileKind, PathInfo
from portal.settings import App, AppOption

DEPTH = 6


@dataclass(frozen=True, slots=True)
class OtherSession:
    """Another session of the user that runs or waits with the same app."""

    name: str
    values: Mapping[str, Value]


@dataclass(slots=True)
class FolderCheck:
    problems: list[FieldProblem] = field(default_factory=list)
    warnings: list[FieldProblem] = field(default_factory=list)


async def look_at_folders(
    files: FileService,
    username: str,
    app: App,
    values: Mapping[str, Value],
    *,
    inside: bool,
    others: Sequence[OtherSession] = (),
) -> FolderCheck:
    """Return problems and warnings of the folders among `values`; with `inside`, also look for the files they need.

    A folder that one of `others` is open on, too, is a warning.
    """
    seen = FolderCheck()
    for option in app.options:
        path = values.get(option.name)
        if not option.is_path or not isinstance(path, str):
            continue
        name = f"options.{option.name}"
        try:
            look = await files.look(username, path)
            if (other := await _open_on(files, username, option, path, look, others)) is not None:
                taken = f"Your session “{other}” already uses this {option.kind} with {app.title}."
                seen.warnings.append(FieldProblem(name, taken))
            if (wrong := _wrong_file(path, look) if option.kind == "file" else _wrong(option, path, look)) is not None:
                seen.problems.append(FieldProblem(name, wrong))
            elif look.kind is FileKind.MISSING and not option.create:
                seen.warnings.append(FieldProblem(name, f"{path} does not exist yet. {app.title} will wait for it."))
            elif inside and option.holds and look.kind is FileKind.FOLDER:
                listing = await files.find(username, path, option.holds, depth=DEPTH, limit=1)
                if not listing.entries and not listing.truncated:
                    lack = f"{path} has no {option.holds} files yet. {app.title} will wait for one."
                    seen.warnings.append(FieldProblem(name, lack))
        except (Forbidden, InvalidRequest, NotFound) as error:
            seen.problems.append(FieldProblem(name, error.message))
        except Unavailable:
            continue
    return seen


async def _open_on(
    files: FileService, username: str, option: AppOption, path: str, look: PathInfo, others: Sequence[OtherSession]
) -> str | None:
    """Return the name of another session on the same folder, by whatever path; None if there is none."""
    for other in others:
        value = other.values.get(option.name)
        if isinstance(value, str) and (value == path or (await files.look(username, value)).path == look.path):
            return other.name
    return None


def _wrong_file(path: str, look: PathInfo) -> str | None:
    """Return why the path cannot be used as a file; None if it can."""
    if look.kind is FileKind.MISSING:
        return f"{path} does not exist."
    if look.kind is not FileKind.FILE:
        return f"{path} is not a file."
    return None if look.readable else f"You do not have permission to read {path}."


def _wrong(option: AppOption, path: str, look: PathInfo) -> str | None:
    """Return why the path cannot be used; None if it can."""
    if look.kind in (FileKind.FILE, FileKind.OTHER):
        return f"{path} is not a folder."
    if look.kind is FileKind.FOLDER and not look.readable:
        return f"You do not have permission to read {path}."
    if option.create and not look.writable:
        return f"You do not have permission to write to {path}."
    return None
