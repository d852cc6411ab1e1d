"""Writes files: existing ones stay unless they are to be replaced; the old version is then kept beside the new one."""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count
from pathlib import Path

from portal.deploy.answers import Places
from portal.deploy.plan import File, Folder
from portal.deploy.shared import writing_below
from portal.errors import ConfigurationError


class Outcome(StrEnum):
    MADE = "created"
    SAME = "unchanged"
    KEPT = "kept"
    """Exists with other text; not overwritten."""
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class WriteResult:
    path: Path
    outcome: Outcome
    before: Path | None = None
    """Where the replaced version is now."""


def write(files: Iterable[File], folders: Iterable[Folder], places: Places, *, force: bool) -> list[WriteResult]:
    """Write the missing files. Raises ConfigurationError if an account or the permission to write is missing."""
    own = os.geteuid() == 0 and places.root == Path("/")  # elsewhere they are for review
    try:
        for folder in folders:
            _folder(folder, places, own=own)
        return [_file(file, places, force=force, own=own) for file in files]
    except OSError as error:
        raise ConfigurationError(
            f"{error.filename} cannot be written: {error.strerror}.",
            hint="Run it as root, or look at the files first with --root FOLDER.",
        ) from error


def differing(files: Iterable[File], places: Places) -> list[Path]:
    """Return the files whose existing text differs; secrets are never replaced and do not count."""
    paths = ((file, places.on_disk(file.path)) for file in files if not file.secret)
    return [path for file, path in paths if _text(path) not in (None, file.text)]


def need_account(name: str) -> None:
    """Raise ConfigurationError if root would give files to an account that does not exist."""
    if os.geteuid() != 0:
        return
    try:
        pwd.getpwnam(name)
    except KeyError:
        raise ConfigurationError(
            f"There is no account {name} on this machine.",
            hint=f"Run: useradd --system --home-dir /var/lib/portal --shell /usr/sbin/nologin {name}",
        ) from None


def _folder(folder: Folder, places: Places, *, own: bool) -> None:
    """Make a folder; an existing one keeps its owner and mode: it may be the site's."""
    path = places.on_disk(folder.path)
    if path.is_dir():
        return
    with writing_below(path.parent):
        path.mkdir(parents=True)
        path.chmod(folder.mode)
        if own and os.geteuid() == 0:
            shutil.chown(path, folder.owner, pwd.getpwnam(folder.owner).pw_gid)


def _file(file: File, places: Places, *, force: bool, own: bool) -> WriteResult:
    path = places.on_disk(file.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    there = _text(path)
    if there == file.text:
        return WriteResult(path, Outcome.SAME)
    if there is not None and (file.secret or not force):
        return WriteResult(path, Outcome.SAME if file.secret else Outcome.KEPT)
    before = _put_beside(path) if there is not None else None
    new = path.with_name(f".{path.name}.new")
    with suppress(FileNotFoundError):
        new.unlink()
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        stream.write(file.text)
        if own:
            os.fchown(stream.fileno(), pwd.getpwnam(file.owner).pw_uid, pwd.getpwnam(file.group).pw_gid)
        os.fchmod(stream.fileno(), file.mode)
    new.replace(path)
    return WriteResult(path, Outcome.REPLACED if before else Outcome.MADE, before)


def _put_beside(path: Path) -> Path:
    """Copy a file to an unused name beside it, so that no earlier copy is lost. It keeps owner and mode."""
    names = chain([f"{path.name}.before"], (f"{path.name}.before-{number}" for number in count(2)))
    beside = next(path for path in map(path.with_name, names) if not path.exists())
    shutil.copy2(path, beside)
    status = path.stat()
    with suppress(PermissionError):
        os.chown(beside, status.st_uid, status.st_gid)
    return beside


def _text(path: Path) -> str | None:
    try:
        return path.read_text()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return ""
