"""PostgreSQL's own backup programs, pg_dump and pg_restore, with the portal's database URL."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import MetaData, create_engine, make_url, text

from portal.db import migrate
from portal.errors import ConfigurationError

TIMEOUT_S = 3600
OWN_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND proowner = CURRENT_USER::regrole
AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
"""


def dump(url: str, target: Path) -> None:
    """Write a consistent state of the database to `target`. Raises ConfigurationError."""
    target.touch(mode=0o600)
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def restore(url: str, source: Path) -> None:
    """Replace the database's contents with those `dump` wrote, all or nothing. Raises ConfigurationError."""
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run("pg_restore", url, *options, str(source))


def clear(url: str) -> None:
    """Drop tables and functions, even ones this version does not know; those of extensions stay."""
    engine = create_engine(migrate.sync_url(url))
    there = MetaData()
    try:
        with engine.begin() as connection:
            there.reflect(connection)
            there.drop_all(connection)
            for function in connection.scalars(text(OWN_FUNCTIONS)).all():
                connection.execute(text(f"DROP FUNCTION {function}"))
    finally:
        engine.dispose()


def _run(program: str, url: str, *options: str) -> None:
    """Run a program; the password is passed in the environment, which only this account can see."""
    parts = make_url(url)
    environ = {**os.environ, "PGCONNECT_TIMEOUT": "10"}
    if parts.password is not None:
        environ["PGPASSWORD"] = str(parts.password)
    address = parts.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    argv: Sequence[str] = [program, f"--dbname={address}", *options]
    try:
        done = subprocess.run(
            argv, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"There is no {program} on this machine.", hint="Install PostgreSQL's client programs (postgresql-client)."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise ConfigurationError(f"{program} did not finish within {TIMEOUT_S} s.") from error
    if done.returncode:
        message = (done.stderr.strip().splitlines() or ["no word"])[0]
        raise ConfigurationError(
            f"{program} failed: {message}", hint="Its version must be the server's or newer; check database.url."
        )
