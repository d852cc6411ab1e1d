"""Runs the migrations of `alembic/` from code: at start-up, from the command line, in tests."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url

from alembic import command
from portal.errors import ConfigurationError

_HERE = Path(__file__).resolve().parent
# In a checkout the scripts stand at the top level; the wheel carries them inside the package.
SCRIPTS = next(
    (folder for folder in (_HERE / "migrations", _HERE.parents[1] / "alembic") if (folder / "env.py").exists()),
    _HERE / "migrations",
)


def sync_url(url: str) -> str:
    """Return the blocking driver's URL for an async one."""
    return make_url(url).set(drivername=url.split(":", 1)[0].replace("+aiosqlite", "")).render_as_string(False)


def config(url: str) -> Config:
    settings = Config()
    settings.set_main_option("script_location", str(SCRIPTS))
    settings.attributes["url"] = sync_url(url)
    return settings


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to `revision`; refuses one that a newer program has written.

    Raises ConfigurationError when the database's revision is not known to this program.
    """
    settings = config(url)
    known = {script.revision for script in ScriptDirectory.from_config(settings).walk_revisions()}
    current = current_revision(url)
    if current is not None and current not in known:
        raise ConfigurationError(
            f"The database is at revision {current}, which this version of the portal does not know.",
            hint="Run the newer version of the portal again, or restore a backup from before the upgrade.",
        )
    command.upgrade(settings, revision)


def downgrade(url: str, revision: str) -> None:
    command.downgrade(config(url), revision)


def current_revision(url: str) -> str | None:
    engine = create_engine(sync_url(url))
    try:
        with engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()
