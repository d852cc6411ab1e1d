"""A PostgreSQL for the tests: in a temporary folder, on a Unix socket only, with a new database for each test."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

ACCOUNT = "postgres"
"""The package's account: as root the server refuses to run."""


@dataclass(frozen=True)
class Cluster:
    folder: Path
    restart: Callable[[], None]
    """Ends every connection, as an upgrade of the server does."""
    _numbers: Iterator[int]

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """Yield the URL of a new database, which is dropped at the end."""
        name = f"portal{next(self._numbers)}"
        self.create(name, template)
        try:
            yield self.url(name)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def create(self, name: str, template: str = "template1") -> None:
        self._run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://{ACCOUNT}@/{database}?host={self.folder}"

    def _run(self, statement: str) -> None:
        with psycopg.connect(host=str(self.folder), user=ACCOUNT, dbname="postgres", autocommit=True) as connection:
            connection.execute(statement.encode())


def programs() -> Path:
    """Return the folder of the newest server's programs in Debian's packages."""
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    assert paths, "There is no PostgreSQL server here; ./dev test installs it (Debian's package postgresql)."
    return paths[-1].parent


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a server; stop it and delete its folder at the end."""
    folder = Path(tempfile.mkdtemp(prefix="portal-postgresql-"))
    identity: dict[str, object] = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam(ACCOUNT)
        os.chown(folder, account.pw_uid, account.pw_gid)
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [programs() / program, f"--pgdata={folder / 'data'}", *arguments],
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **identity,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, done.stderr or done.stdout

    log = f"--log={folder / 'log'}"  # otherwise pg_ctl's output stays open for the server's lifetime

    def restart() -> None:
        run("pg_ctl", "restart", "--wait", "--mode=fast", log)

    try:
        run("initdb", f"--username={ACCOUNT}", "--auth=trust", "--no-sync")
        # A throwaway server needs no protection against power cuts.
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
        run("pg_ctl", "start", "--wait", log, f"--options={options}")
        try:
            yield Cluster(folder, restart, count(1))
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=immediate")
    finally:
        shutil.rmtree(folder)
