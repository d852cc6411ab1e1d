"""`portal db`: migrations, backups, and the move from SQLite to PostgreSQL."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from portal import settings
from portal.configured import Config
from portal.db.refused import in_words
from portal.errors import Conflict
from portal.plurals import plural
from portal.settings import Settings

db_app = typer.Typer(no_args_is_help=True, help="The database.")
BUSY_HINT = "Stop portal and Hub (systemctl stop portal portal-hub); running sessions continue. Then run this again."


@db_app.command()
@in_words()
def upgrade(config: Config = None, revision: str = "head") -> None:
    """Upgrade the database to a revision, by default the newest."""
    from portal.db import migrate

    url = settings.load(config).database_url
    before = migrate.current_revision(url)
    migrate.upgrade(url, revision)
    typer.echo(f"{before or 'empty'} → {migrate.current_revision(url)}")


@db_app.command()
@in_words()
def downgrade(revision: str, config: Config = None) -> None:
    """Downgrade the database to a revision. Make a backup first. Portal and Hub must be stopped."""
    from portal.db import migrate

    loaded = settings.load(config)
    require_stopped(loaded)
    migrate.downgrade(loaded.database_url, revision)
    typer.echo(f"The database is at revision {migrate.current_revision(loaded.database_url) or 'none'}.")


@db_app.command()
@in_words()
def backup(
    folder: Annotated[Path, typer.Argument(help="A new folder for the backup.")],
    config: Config = None,
) -> None:
    """Copy the portal's and the Hub's databases into a new folder, while both are in use."""
    from portal.dbadmin import backup

    loaded = settings.load(config)
    made = backup.backup(loaded.database_url, hub_database(loaded), folder, now=datetime.now(UTC))
    rows = plural(sum(made.rows.values()), "row")
    typer.echo(f"{folder}: revision {made.revision}, {rows} in {plural(len(made.rows), 'table')}")


@db_app.command()
@in_words()
def restore(
    folder: Annotated[Path, typer.Argument(help="The folder that `portal db backup` made.")],
    config: Config = None,
) -> None:
    """Restore the databases from a backup; the previous ones are kept next to them. Portal and Hub must be stopped."""
    from portal.dbadmin import backup

    loaded = settings.load(config)
    require_stopped(loaded)
    back = backup.restore(loaded.database_url, hub_database(loaded), folder, now=datetime.now(UTC))
    typer.echo(f"Restored the backup of {back.made_at:%Y-%m-%d %H:%M UTC}: revision {back.revision}.")
    typer.echo("Jobs of sessions that are not in the backup are ended when the portal starts.")


@db_app.command()
@in_words()
def move(
    target: Annotated[str, typer.Argument(help="postgresql+psycopg://user@host/name; a new, empty database.")],
    config: Config = None,
) -> None:
    """Copy every row into another, empty database, and verify them there. Portal and Hub must be stopped."""
    from portal.dbadmin import move

    loaded = settings.load(config)
    require_stopped(loaded)
    moved = move.move(loaded.database_url, target)
    width = max(map(len, moved))
    for table, rows in moved.items():
        typer.echo(f"{table:{width}}  {rows:>9}")
    typer.echo("Every row was copied and verified. Now set this in portal.toml, and start the portal again:\n")
    typer.echo(f'[database]\nurl = "{target}"')


def hub_database(loaded: Settings) -> Path:
    """Return the Hub's own SQLite file, where spawner/hub_config.py puts it."""
    return loaded.data_dir / "hub" / "jupyterhub.sqlite"


def require_stopped(loaded: Settings) -> None:
    """Raise Conflict while portal or Hub listen: anything they write meanwhile would be lost."""
    for what, host, port in (
        ("The portal", loaded.server.hosts[0], loaded.server.port),
        ("The Hub", loaded.hub.ip, loaded.hub.port),
    ):
        try:
            socket.create_connection((host.replace("0.0.0.0", "127.0.0.1"), port), timeout=2).close()  # noqa: S104
        except OSError:
            continue
        raise Conflict(f"{what} is running.", hint=BUSY_HINT)
