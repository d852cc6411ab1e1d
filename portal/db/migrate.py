"""Runs the migrations of `alembic/` from code: at start-up, from the command line, in tests.

Alembic is imported only where migrations run: in a server it would occupy eight MiB for nothing.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, inspect, make_url, text

from portal.errors import ConfigurationError
from portal.shipped import MIGRATIONS

if TYPE_CHECKING:
    from alembic.config import Config


def sync_url(url: str) -> str:
    """Return the blocking driver's URL for an async URL."""
    return make_url(url).set(drivername=url.split(":", 1)[0].replace("+aiosqlite", "")).render_as_string(False)


def config(url: str) -> Config:
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    settings.attributes["url"] = sync_url(url)
    return settings


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade the database to `revision`; refuse one that a newer version has written.

    Raises ConfigurationError if this version does not know the database's revision.
    """
    _refuse_unknown(current_revision(url))
    from alembic import command

    command.upgrade(config(url), revision)


def upgrade_apart(url: str) -> None:
    """Upgrade the database to the newest revision, in a process of its own if there is anything to do.

    Raises ConfigurationError if this version does not know its revision, or a migration failed.
    """
    current = current_revision(url)
    _refuse_unknown(current)
    if current == newest_revision():
        return
    done = subprocess.run([sys.executable, "-P", "-m", "portal.db.migrate"], input=url, text=True, check=False)
    if done.returncode:
        raise ConfigurationError(
            f"The database is at revision {current or 'none'} and cannot be upgraded to {newest_revision()}.",
            hint="The log lines above say why. Fix it and start the portal again, or restore a backup.",
        )


def downgrade(url: str, revision: str) -> None:
    """Downgrade the database to `revision`, or to `base`, which is empty.

    Raises ConfigurationError if this version does not know that revision, or the database's current one.
    """
    _refuse_unknown(current_revision(url))
    if revision != "base" and revision not in _revisions():
        known = ", ".join(sorted(_revisions()))
        raise ConfigurationError(
            f"There is no revision {revision}.", hint=f"Choose one of: {known}, or base for no tables."
        )
    from alembic import command

    command.downgrade(config(url), revision)


def newest_revision() -> str:
    """Return this version's newest revision."""
    return max(_revisions())


def is_known(revision: str | None) -> bool:
    """Return whether this version can upgrade from a revision; None is an empty database."""
    return revision is None or revision in _revisions()


def current_revision(url: str) -> str | None:
    engine = create_engine(sync_url(url))
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            current: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
            return current
    finally:
        engine.dispose()


def _revisions() -> set[str]:
    """Return all revisions: each migration's file name begins with its own."""
    return {file.name.split("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _refuse_unknown(revision: str | None) -> None:
    if not is_known(revision):
        raise ConfigurationError(
            f"The database is at revision {revision}, which this version of the portal does not know.",
            hint="Run the newer version of the portal again, or restore a backup from before the upgrade.",
        )


if __name__ == "__main__":
    upgrade(sys.stdin.read())
