"""Backs up both databases, the portal's and the Hub's, into one folder: they belong to the same moment.

SQLite is copied by its own online backup, PostgreSQL by pg_dump; both may be in use. The manifest is written last: a
folder without one is incomplete.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError
from sqlalchemy import make_url

from portal.db import migrate
from portal.dbadmin import postgresql, rows
from portal.errors import ConfigurationError, Conflict

MANIFEST = "manifest.json"
HUB = "jupyterhub.sqlite"
PORTAL = {"sqlite": "portal.sqlite", "postgresql": "portal.dump"}


class Manifest(BaseModel):
    """Contents of a backup. `rows`: number of rows per table."""

    made_at: datetime
    kind: str
    revision: str | None
    rows: dict[str, int]
    hub: bool


def backup(url: str, hub: Path, folder: Path, *, now: datetime) -> Manifest:
    """Write a backup into `folder`, which must not exist.

    The Hub's database comes first, so that the portal's copy knows all of its servers.

    Raises Conflict if the folder exists, ConfigurationError if a database does not answer or pg_dump fails.
    """
    kind = make_url(url).get_backend_name()
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise Conflict(
            f"{folder} already exists.", hint="Choose a new folder, for example one named after the date."
        ) from None
    except OSError as error:
        hint = (
            "The portal's account creates it: give it write access to the parent folder (install -d -o portal FOLDER)."
        )
        raise ConfigurationError(f"{folder} cannot be created: {error.strerror}.", hint=hint) from error
    if hub.exists():
        copy_sqlite(hub, folder / HUB)
    target = folder / PORTAL[kind]
    if kind == "sqlite":
        copy_sqlite(_sqlite_file(url), target)
        counted = rows.count_at(f"sqlite:///{target}")
    else:
        counted = rows.count_at(url)
        postgresql.dump(url, target)
    manifest = Manifest(
        made_at=now, kind=kind, revision=migrate.current_revision(url), rows=counted, hub=(folder / HUB).exists()
    )
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n")
    return manifest


def restore(url: str, hub: Path, folder: Path, *, now: datetime) -> Manifest:
    """Restore both databases from a backup. The previous files are kept, with the time in their names.

    Raises ConfigurationError if the backup is incomplete, of the other kind of database, or from a newer version.
    """
    manifest = read(folder)
    kind = make_url(url).get_backend_name()
    if manifest.kind != kind:
        raise ConfigurationError(
            f"The backup is of {manifest.kind}, but database.url names {kind}.",
            hint=f"Restore it to a {manifest.kind} database, then move it with `portal db move`.",
        )
    if not migrate.is_known(manifest.revision):
        raise ConfigurationError(
            f"The backup has revision {manifest.revision}, which this version of the portal does not know.",
            hint="Install the version of the portal that made it, or a newer one.",
        )
    put_back: list[Callable[[], None]] = []
    if kind == "sqlite":
        require_whole(folder / PORTAL[kind])
        put_back.append(lambda: _replace(_sqlite_file(url), folder / PORTAL[kind], now))
    else:
        put_back.append(lambda: _restore_postgresql(url, folder / PORTAL[kind], manifest, hub.parent.parent, now))
    if manifest.hub:
        require_whole(folder / HUB)
        put_back.append(lambda: _replace(hub, folder / HUB, now))
    for undo in put_back:
        undo()
    return manifest


def read(folder: Path) -> Manifest:
    """Return a backup's manifest. Raises ConfigurationError if it is not a backup, or incomplete."""
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError) as error:
        raise ConfigurationError(
            f"{folder} is not a complete backup: its {MANIFEST} cannot be read.", hint="Use another backup."
        ) from error


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database that may be in use, and verify the copy. Raises ConfigurationError.

    https://www.sqlite.org/backup.html: the copy is of one moment; a write meanwhile restarts it.
    """
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as connection,
            closing(sqlite3.connect(target)) as other,
        ):
            target.chmod(0o600)
            connection.backup(other)
            other.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise ConfigurationError(
            f"{source} cannot be copied: {error}.", hint="Check that the disk has room."
        ) from error
    require_whole(target)


def require_whole(file: Path) -> None:
    """Run SQLite's integrity check on a copy. Raises ConfigurationError."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise ConfigurationError(f"{file} is damaged: {verdict}.", hint="Nothing was changed. Use another backup.")


def _replace(there: Path, by: Path, now: datetime) -> None:
    """Replace a file, and remove the old one's write-ahead log, or SQLite would apply it."""
    mark = _mark(now)
    for suffix in ("-wal", "-shm", ""):
        old = there.with_name(there.name + suffix)
        if old.exists():
            old.rename(there.with_name(f"{there.name}.{mark}{suffix}"))
    there.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = there.with_name(f"{there.name}.new")
    shutil.copyfile(by, new)
    new.chmod(0o600)
    parent = there.parent.stat()
    shutil.chown(new, parent.st_uid, parent.st_gid)
    new.replace(there)


def _restore_postgresql(url: str, source: Path, manifest: Manifest, kept: Path, now: datetime) -> None:
    """Drop tables of another revision, perhaps of a newer version, first: pg_restore drops only what it restores."""
    postgresql.dump(url, kept / f"portal.{_mark(now)}.dump")
    if migrate.current_revision(url) != manifest.revision:
        postgresql.clear(url)
    postgresql.restore(url, source)


def _mark(now: datetime) -> str:
    return now.strftime("before-restore-%Y%m%dT%H%M%SZ")


def _sqlite_file(url: str) -> Path:
    return Path(make_url(url).database or "")
