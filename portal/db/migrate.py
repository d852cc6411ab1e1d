"""Runs the migrations of `alembic/` from code: at start-up, from the command line, in tests."""

from __future__ import annotations

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url

from alembic import command
from portal.errors import ConfigurationError
from portal.shipped import MIGRATIONS


def sync_url(url: str) -> str:
    """Return the blocking driver's URL for an async one."""
    return make_url(url).set(drivername=url.split(":", 1)[0].replace("+aiosqlite", "")).render_as_string(False)


def config(url: str) -> Config:
    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    settings.attributes["url"] = sync_url(url)
    return settings


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to `revision`; refuses one that a newer program has written.

    Raises ConfigurationError when the database's revision is not known to this program.
    """
    current = current_revision(url)
    if not is_known(current):
        raise ConfigurationError(
            f"The database is at revision {current}, which this version of the portal does not know.",
            hint="Run the newer version of the portal again, or restore a backup from before the upgrade.",
        )
    command.upgrade(config(url), revision)


def downgrade(url: str, revision: str) -> None:
    command.downgrade(config(url), revision)


def newest_revision() -> str | None:
    """Return this program's revision."""
    return _scripts().get_current_head()


def is_known(revision: str | None) -> bool:
    """Whether this program knows how to come from a revision; None is an empty database."""
    return revision is None or any(script.revision == revision for script in _scripts().walk_revisions())


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def current_revision(url: str) -> str | None:
    engine = create_engine(sync_url(url))
    try:
        with engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()
