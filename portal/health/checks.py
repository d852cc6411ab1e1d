"""The health checks: database, directory, Hub, proxy, door, slurmctld, slurmdbd, the age of the snapshot, and more."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from portal.auth.people import People
from portal.directory import Directory
from portal.errors import DirectoryUnavailable, SlurmUnavailable
from portal.health.monitor import Check, Finding, State
from portal.hub.client import HubClient
from portal.images.registry import Circuits
from portal.plurals import plural
from portal.retention.service import Retention
from portal.settings import Settings
from portal.slurm.commands import SlurmCommands
from portal.slurm.door_client import Door, DoorRefused
from portal.slurm.door_slots import DoorBusy
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

PART_NAMES = (
    "database",
    "directory",
    "hub",
    "proxy",
    "door",
    "slurmctld",
    "slurmdbd",
    "watcher",
    "registries",
    "retention",
    "hosts",
    "notifications",
)
#: How long a writer may hold SQLite's lock before the database counts as locked.
LOCKED_MS = 3000
#: With less free than this, the disk of an SQLite database counts as full.
ROOM_MIB = 16
#: How long slurmctld may take to say whether there is a slurmdbd: its silence is not slurmdbd's.
SLURMCTLD_S = 5.0
#: Accounting changes slowly, and a query starts a program.
ACCOUNTING_EVERY_S = 60.0
#: A look starts sudo and the door.
DOOR_EVERY_S = 60.0
#: It only depends on portal.toml, which is read at start-up.
HOSTS_EVERY_S = 3600.0
#: Readings that the snapshot may miss before it counts as old.
MISSED = 4


def checks(
    *,
    settings: Settings,
    engine: AsyncEngine,
    directory: Directory,
    people: People,
    hub: HubClient,
    slurm: SlurmCommands,
    watcher: Watcher,
    registries: Circuits,
    retention: Retention,
    now: Callable[[], datetime],
) -> Sequence[Check]:
    store, accounting = Store(engine), Accounting(slurm)
    queue = Queue(watcher, settings.slurm.jobs_interval_s + settings.slurm.timeout_s, now, lambda: slurm.reads_by)
    proxy = Proxy(settings, hub)
    return (
        Check(
            "database", "Database", store.look, "Run `portal check`; make sure that it is running and has disk space."
        ),
        Check(
            "directory",
            "Directory (LDAP)",
            _directory(directory, people),
            "Check [ldap] servers and their certificate.",
        ),
        Check("hub", "JupyterHub", _hub(hub), "Start it, or look at its log. Running sessions continue."),
        Check("proxy", "Proxy", proxy.look, "Start it, or look at its log: no page and no session can be reached."),
        Check(
            "door",
            "Door",
            door_opens(slurm.door),
            "Run `portal check`; look at the door's configuration and at the sudoers rule.",
            DOOR_EVERY_S,
        ),
        Check("slurmctld", "slurmctld", queue.controller, "Run `scontrol ping` there; look at slurmctld.log."),
        Check(
            "slurmdbd",
            "slurmdbd",
            accounting.look,
            "Run `sacctmgr show cluster`; look at slurmdbd.log. Jobs continue; their accounts and results arrive late.",
            ACCOUNTING_EVERY_S,
            slurm.budget,
        ),
        Check("watcher", "Slurm snapshot", queue.age, "Look at the portal's log for `slurm.`; restart the portal."),
        Check(
            "registries",
            "Image registries",
            _registries(registries),
            "Check that this machine can reach them. Pulls still work from nodes that can.",
        ),
        Check("retention", "Retention", _retention(retention), ""),
        Check("hosts", "Hosts of sessions", hosts(settings), "", HOSTS_EVERY_S),
    )


class Store:
    """The database answers and accepts writes."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def look(self) -> Finding:
        try:
            async with self._engine.connect() as connection:
                if self._engine.dialect.name == "sqlite":
                    return self._without_room() or await _takes_the_lock(connection)
                readonly = (await connection.execute(text("SELECT pg_is_in_recovery()"))).scalar()
        except (SQLAlchemyError, OSError) as error:
            return Finding(State.DOWN, f"It does not answer: {error}".split("\n")[0][:200])
        if readonly:
            return Finding(State.DOWN, "It takes no writes: this is a standby.", "Point database.url at the primary.")
        return Finding(State.OK, "It answers and takes writes.")

    def _without_room(self) -> Finding | None:
        """Warn of a full disk before a write fails: SQLite needs space for its journal, too."""
        folder = Path(self._engine.url.database or ".").absolute().parent
        free_mib = shutil.disk_usage(folder).free // 2**20
        if free_mib >= ROOM_MIB:
            return None
        return Finding(
            State.DOWN,
            f"Only {free_mib} MiB are left on the disk of {folder}; writes fail or soon will.",
            "Free some space there; nothing needs a restart.",
        )


async def _takes_the_lock(connection: AsyncConnection) -> Finding:
    """Take SQLite's write lock and release it."""
    usual = (await connection.exec_driver_sql("PRAGMA busy_timeout")).scalar()
    await connection.exec_driver_sql(f"PRAGMA busy_timeout={LOCKED_MS}")
    try:
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
        await connection.rollback()
    except SQLAlchemyError as error:
        if "locked" not in str(error):
            raise
        return Finding(
            State.DOWN,
            "It is locked: something else is writing to it and does not finish.",
            "Find who has it open: `fuser FILE`. Backups use `.backup`, not a copy of the file.",
        )
    finally:
        await connection.exec_driver_sql(f"PRAGMA busy_timeout={usual}")
    return Finding(State.OK, "It answers and takes writes.")


def _directory(directory: Directory, people: People) -> Callable[[], Awaitable[Finding]]:
    async def look() -> Finding:
        try:
            return Finding(State.OK, f"{await directory.health()} answers.")
        except DirectoryUnavailable as error:
            age_s = people.oldest_s()
            serves = f" Earlier answers are used, the oldest from {age_s // 60:.0f} min ago." if age_s else ""
            return Finding(State.DOWN, error.message + serves, since=error.since)

    return look


def door_opens(door: Door) -> Callable[[], Awaitable[Finding]]:
    """Check that the door can be started and answers; this call acts for no user."""

    async def look() -> Finding:
        try:
            await door.call("version")
        except DoorBusy as error:
            return Finding(State.UNKNOWN, error.message)
        except (SlurmUnavailable, DoorRefused) as error:
            return Finding(State.DOWN, error.message)
        return Finding(State.OK, "It answers.")

    return look


def _hub(hub: HubClient) -> Callable[[], Awaitable[Finding]]:
    async def look() -> Finding:
        if await hub.healthy():
            return Finding(State.OK, "It answers.")
        words = "It does not answer. Nobody can log in, and no session can start."
        return Finding(State.DOWN, words, since=hub.circuit.open_since)

    return look


def _registries(registries: Circuits) -> Callable[[], Awaitable[Finding]]:
    async def look() -> Finding:
        """Report the outcome of requests that others made: no registry is contacted for this."""
        if silent := registries.open():
            names = ", ".join(circuit.name for circuit in silent)
            since = min(circuit.open_since for circuit in silent if circuit.open_since)
            return Finding(State.DOWN, f"{names}: no answer in time.", since=since)
        return Finding(State.OK, "All that were asked recently have answered.")

    return look


def _retention(retention: Retention) -> Callable[[], Awaitable[Finding]]:
    async def look() -> Finding:
        """Report what was deleted because it was past its time. The loop itself reports failures."""
        if retention.paused:
            words = "Nothing is being deleted: the machine's clock was changed after the portal started."
            return Finding(State.DOWN, words, "If the clock is correct now, restart the portal.")
        rows = ", ".join(f"{count:,} {kind}" for kind, count in sorted(retention.pruned.items()))
        if not rows:
            return Finding(State.OK, "No rows have been deleted since the portal started.")
        last = max(retention.last_at.values())
        return Finding(State.OK, f"Rows deleted since the portal started: {rows}; last at {last:%Y-%m-%d %H:%M} UTC.")

    return look


def hosts(settings: Settings) -> Callable[[], Awaitable[Finding]]:
    async def look() -> Finding:
        """Report which isolation between hosts the site does without, as portal.toml says.
        Only `portal check` tests whether the web server is set up the same way.
        """
        if gives_up := settings.isolation.gives_up:
            return Finding(State.OFF, gives_up, "See docs/how-to/install.md, Host names.")
        return Finding(State.OK, "Portal, Hub and each user's sessions have hosts of their own.")

    return look


class Proxy:
    """The proxy in front of everything, by its own API."""

    def __init__(self, settings: Settings, hub: HubClient) -> None:
        self._settings = settings
        self._hub = hub

    async def look(self) -> Finding:
        url = self._settings.hub.proxy_api_url
        answer = await self._hub.proxy(f"{url}/api/routes", self._settings.secrets.proxy_token)
        if answer is None:
            return Finding(State.DOWN, f"It does not answer at {url}.")
        if not answer.is_success:
            return Finding(State.DOWN, f"It answers HTTP {answer.status_code}: it does not accept the portal's token.")
        return Finding(State.OK, f"It answers; {plural(len(answer.json()), 'route')}.")


@dataclass(frozen=True, slots=True)
class Queue:
    """slurmctld as the watcher sees it, and the age of its snapshot: makes no call of its own."""

    watcher: Watcher
    patience_s: float
    now: Callable[[], datetime]
    reads_by: Callable[[], str]

    async def controller(self) -> Finding:
        snapshot: Snapshot = self.watcher.snapshot
        if snapshot.state is Reach.UNKNOWN:
            return Finding(State.UNKNOWN, "It has not been asked yet.")
        if snapshot.state is Reach.DOWN:
            return Finding(State.DOWN, snapshot.message or "It does not answer.", since=snapshot.since)
        version = f" Slurm {snapshot.version}." if snapshot.version else ""
        return Finding(State.OK, f"It answers.{version}", since=snapshot.since)

    async def age(self) -> Finding:
        as_of = self.watcher.snapshot.jobs_as_of
        if as_of is None:
            return Finding(State.UNKNOWN, "The queue has not been read yet.")
        age_s = (self.now() - as_of).total_seconds()
        words = f"The queue was read {age_s:.0f} s ago, by {self.reads_by()}."
        if age_s <= MISSED * self.patience_s:
            return Finding(State.OK, words)
        away = self.watcher.snapshot.state is Reach.DOWN
        return Finding(State.DOWN, words, "It is read again as soon as slurmctld answers." if away else "")


class Accounting:
    """slurmdbd, by a query that does not involve slurmctld."""

    def __init__(self, slurm: SlurmCommands) -> None:
        self._slurm = slurm

    async def look(self) -> Finding:
        try:
            async with asyncio.timeout(SLURMCTLD_S):
                kept = await self._slurm.keeps_accounts()
        except (SlurmUnavailable, TimeoutError):
            return Finding(State.UNKNOWN, "Whether Slurm keeps accounting is unknown: slurmctld does not answer.")
        if not kept:
            return Finding(State.OFF, "This cluster keeps no accounting; usage comes from the portal's own records.")
        clusters = await self._slurm.clusters()
        return Finding(State.OK, f"It answers; {len(clusters)} cluster{'' if len(clusters) == 1 else 's'}.")
