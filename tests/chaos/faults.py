"""The faults by name: each is a context manager that breaks something of a site and repairs it at the end."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from demo import people
from demo.site import INSIDE
from tests import preloaded
from tests.demo_site import DemoSite

Fault = Callable[[DemoSite], AbstractContextManager[None]]
PORTAL_DATABASE = "portal/data/portal.sqlite"
HEAD_CUT = "head node cut"
#: These may lose the newest jobs: Slurm saves its state every few seconds, and a node's slurmd writes a job to its
#: disk.
NEWEST_MAY_END = ("slurmctld killed", HEAD_CUT, "node's slurmd killed", "disk full")
HUB_DATABASE = "portal/data/hub/jupyterhub.sqlite"


def killed(*services: str) -> Fault:
    return _away(DemoSite.kill, services)


def frozen(*services: str) -> Fault:
    return _away(DemoSite.pause, services)


def _away(take: Callable[[DemoSite, str], None], services: tuple[str, ...]) -> Fault:
    """Stop services together, and start them again."""

    @contextmanager
    def fault(site: DemoSite) -> Iterator[None]:
        for service in services:
            take(site, service)
        try:
            yield
        finally:
            for service in reversed(services):
                site.start(service)

    return fault


def locked(database: str) -> Fault:
    """Hold the write lock of an SQLite database in another process."""

    @contextmanager
    def fault(site: DemoSite) -> Iterator[None]:
        connection = sqlite3.connect(site.folder / database, timeout=30, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            yield
        finally:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            connection.close()

    return fault


@contextmanager
def full_disk(site: DemoSite) -> Iterator[None]:
    """Fill the file system that holds everything of the site to the last byte."""
    filler = site.folder / "filler"
    try:
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 65_536)
        yield
    finally:
        filler.unlink(missing_ok=True)
        for service in site.status()["services"]:
            if service["state"] != "ready":  # some services exit without space, slurmdbd for one
                site.start(service["name"])


def cut(*services: str) -> Fault:
    """Cut the power: the services are gone, and so is what portal and Hub have not synced.

    Files are cut to their length at the last sync; frames that overwrite older ones of the WAL stay.
    """

    @contextmanager
    def fault(site: DemoSite) -> Iterator[None]:
        with killed(*services)(site):
            for inside, length in preloaded.synced_lengths(_libraries() / "notes").items():
                file = site.folder / inside.relative_to(INSIDE) if inside.is_relative_to(INSIDE) else None
                if file is not None and file.exists() and file.stat().st_size > length:
                    os.truncate(file, length)
            yield

    return fault


def stepped(seconds: int) -> Fault:
    """Step the clock of portal and Hub, and step it back at the end. Slurm, nodes and browsers keep the right time."""

    @contextmanager
    def fault(_: DemoSite) -> Iterator[None]:
        preloaded.set_clock(_libraries(), seconds)
        try:
            yield
        finally:
            preloaded.set_clock(_libraries(), 0)

    return fault


def _libraries() -> Path:
    return Path(os.environ[preloaded.FOLDER])


@contextmanager
def agents_cut_off(site: DemoSite) -> Iterator[None]:
    """Drop all packets from a user's processes to portal and Hub, as if their nodes could not reach the head node."""
    name = f"chaos{site.ports['portal']}"
    users = ", ".join(str(person.uid) for person in people.PEOPLE)
    ports = ", ".join(str(site.ports[service]) for service in ("portal", "hub"))
    rules = f"""table inet {name} {{ chain cut {{
        type filter hook output priority 0;
        meta skuid {{ {users} }} tcp dport {{ {ports} }} drop;
    }}; }};"""
    subprocess.run(["nft", "-f", "-"], input=rules, text=True, check=True)
    try:
        yield
    finally:
        subprocess.run(["nft", "delete", "table", "inet", name], check=True)


@contextmanager
def slow_hub(site: DemoSite) -> Iterator[None]:
    """Let the Hub run a tenth of the time: it answers, but late."""
    stop = time.monotonic() + 8
    while time.monotonic() < stop:
        site.pause("hub")
        time.sleep(1.5)
        site.start("hub")
    yield


def faults(site: DemoSite) -> dict[str, Fault]:
    """Return all faults that are possible on this site."""
    node = site.nodes[0]
    results: dict[str, Fault] = {
        "portal killed": killed("portal"),
        "Hub killed": killed("hub"),
        "proxy killed": killed("proxy"),
        "portal, Hub and proxy killed": killed("portal", "hub", "proxy"),
        "slurmctld killed": killed("slurmctld"),
        "directory killed": killed("slapd"),
        "slurmdbd killed": killed("slurmdbd"),
        "node's slurmd killed": killed(node),
        "portal frozen": frozen("portal"),
        "Hub frozen": frozen("hub"),
        "slurmctld frozen": frozen("slurmctld"),
        "node's slurmd frozen": frozen(node),
        "directory frozen": frozen("slapd"),
        "MariaDB killed": killed("mariadb"),
        "MariaDB frozen": frozen("mariadb"),
        "Hub's database locked": locked(HUB_DATABASE),
        "slow Hub": slow_hub,
        "disk full": full_disk,
        "clock an hour ahead": stepped(3600),
        "clock an hour behind": stepped(-3600),
    }
    if subprocess.run(["nft", "list", "tables"], capture_output=True, check=False).returncode == 0:
        results["agents cut off"] = agents_cut_off
    if os.environ.get("DSP_DEMO_DATABASE") == "postgresql":
        results["database killed"] = killed("postgresql")
        results["database frozen"] = frozen("postgresql")
    else:
        results["database locked"] = locked(PORTAL_DATABASE)
        results["portal and Hub cut"] = cut("portal", "hub", "proxy")
        results[HEAD_CUT] = cut("portal", "hub", "proxy", "slurmctld")
    return results
