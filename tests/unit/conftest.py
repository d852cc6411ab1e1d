"""Databases for tests: every test that asks for one runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import structlog
import typer.main
from hypothesis import settings

from portal.db import migrate
from tests.postgresql import Cluster, cluster

settings.register_profile("portal", deadline=None)  # a busy machine is no defect
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("DSP_HYPOTHESIS", "portal"))

# Else each call of CliRunner puts the whole command line together: a twentieth of a second.
pytest.MonkeyPatch().setattr("typer.testing._get_command", cache(typer.main.get_command))

# structlog's default draws every traceback with all local variables in it: half a minute of a core in an application.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)

BACKENDS = ("sqlite", "postgresql")
MIGRATED = "migrated"


def pytest_collection_finish() -> None:
    """Leave what lives until the end out of every later collection of garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    with cluster() as result:
        yield result


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql: Cluster) -> Cluster:
    """The cluster with a database to copy, which is faster than to migrate each."""
    postgresql.create(MIGRATED)
    migrate.upgrade(postgresql.url(MIGRATED))
    return postgresql


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("migrated") / "portal.sqlite"
    migrate.upgrade(sqlite(file))
    return file


@pytest.fixture(params=BACKENDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without a table."""
    if request.param == "sqlite":
        yield sqlite(tmp_path / "portal.sqlite")
        return
    with request.getfixturevalue("postgresql").database() as url:
        yield url


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with all tables."""
    if request.param == "sqlite":
        file = tmp_path / "portal.sqlite"
        shutil.copyfile(request.getfixturevalue("migrated_sqlite"), file)
        yield sqlite(file)
        return
    with request.getfixturevalue("migrated_postgresql").database(template=MIGRATED) as url:
        yield url


def sqlite(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"
