"""Files that come and go by the laptop's program, from a machine that reaches only the site's address."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.laptop import Laptop, laptop
from tests.person import Person

HOME = f"{INSIDE}/home/alice"
SIZE = 600 << 20


@pytest.fixture(scope="module")
def machine(kept_site: DemoSite) -> Iterator[Laptop]:
    """Alice's laptop, logged in."""
    with laptop(kept_site) as machine:
        machine.log_in("alice")
        yield machine


@pytest.fixture(autouse=True)
def folder(kept_site: DemoSite) -> Iterator[None]:
    kept_site.run("sh", "-c", "mkdir -p ~/l/into", user="alice")
    yield
    kept_site.run("sh", "-c", "rm -rf ~/l ~/.local/share/Trash", user="alice")


def test_files_are_listed_moved_and_removed(machine: Laptop, kept_site: DemoSite) -> None:
    (machine.home / "a b").write_bytes(b"small")
    (machine.home / "empty").touch()
    assert machine.portal("files", "put", "/root/a b", "~/l/").stdout == "~/l/a b: 5 bytes.\n"
    machine.portal("files", "put", "/root/empty", "~/l/other")
    assert machine.portal("files", "ls", "~/l").stdout == "into/\na b\nother\n"
    assert "rw-r--r--  alice  5 " in machine.portal("files", "ls", "-l", "~/l").stdout
    taken = machine.portal("files", "put", "/root/a b", "~/l/", check=False)
    assert (taken.returncode, taken.stderr) == (1, "portal: ~/l/a b exists already. Choose another name.\n")
    machine.portal("files", "put", "--replace", "/root/a b", "~/l/other")
    machine.portal("files", "mv", "~/l/a b", "~/l/other", "~/l/into")
    missing = machine.portal("files", "mv", "~/l/a b", "~/l/into", check=False)
    assert missing.returncode == 1
    assert "~/l/a b does not exist" in missing.stderr
    machine.portal("files", "get", "~/l/into/other", "/root")
    assert (machine.home / "other").read_bytes() == b"small"
    machine.portal("files", "rm", "~/l/into/other")
    assert machine.portal("files", "ls", "~/l/into").stdout == "a b\n"
    assert machine.portal("files", "get", "~/l", "/root", check=False).returncode == 1
    assert kept_site.run("ls", "-A", f"{HOME}/l/into").split("\n")[:-1] == ["a b"]


def test_transfer_that_is_killed_continues_in_the_next_run(machine: Laptop, kept_site: DemoSite) -> None:
    with (machine.home / "big").open("wb") as file:
        for _ in range(SIZE >> 20):
            file.write(os.urandom(1 << 20))
    digest = machine.run("sha256sum", "/root/big").stdout.split()[0]

    with machine.running("files", "put", "/root/big", "~/l/big"):
        kept_site.wait_for(lambda: size_of(kept_site, f"{HOME}/l/.big.*.part") > 20 << 20, "some of it to arrive")
    assert kept_site.run("ls", f"{HOME}/l").split() == ["into"]
    assert "Continuing at" in machine.portal("files", "put", "/root/big", "~/l/big", timeout_s=240).stderr
    assert kept_site.run("sha256sum", f"{HOME}/l/big").split()[0] == digest

    with machine.running("files", "get", "~/l/big", "/root/back"):
        deadline = time.monotonic() + 60
        while not any(part.stat().st_size > 20 << 20 for part in machine.home.glob(".back.*.part")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert not (machine.home / "back").exists()
    assert "Continuing at" in machine.portal("files", "get", "~/l/big", "/root/back", timeout_s=240).stderr
    assert machine.run("sha256sum", "/root/back").stdout.split()[0] == digest


def size_of(site: DemoSite, pattern: str) -> int:
    return int(site.run("sh", "-c", f"stat -c %s {pattern} 2>/dev/null || echo 0").split()[0])


def test_device_changes_files_and_submits_no_jobs(machine: Laptop, person: Callable[[str], Person]) -> None:
    alice = person("alice")
    kept = json.loads((machine.home / ".config/portal/device.json").read_text())
    token = {"Authorization": f"token {kept['token']}"}
    made = alice.api("POST", "/files/folders", json={"path": "~/l/made"}, headers=token)
    assert made.status_code == 201
    job = {"name": "a", "script": "#!/bin/sh\ntrue\n"}
    assert alice.api("POST", "/jobs", json=job, headers=token).status_code == 403
