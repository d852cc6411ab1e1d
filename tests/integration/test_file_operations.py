"""Long operations on files through the real door, on file systems that are full, read-only, or go away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.person import Person

SMALL = "/srv/portal-small"
OWN = f"{INSIDE}/home/alice/o"


@pytest.fixture(autouse=True)
def some_files(site: DemoSite) -> Iterator[None]:
    site.run(
        "sh", "-c", "mkdir -p ~/o/tree/in ~/o/to && echo hello > ~/o/tree/a && ln -s ../a ~/o/tree/in/l", user="alice"
    )
    yield
    site.run("sh", "-c", "rm -rf ~/o ~/.local/share/Trash", user="alice")


@pytest.fixture
def small(site: DemoSite) -> Iterator[str]:
    """A file system of 8 MiB, mounted in the demo's own namespace alone."""
    site.run("mkdir", "-p", SMALL)
    site.run("mount", "-t", "tmpfs", "-o", "size=8m,mode=1777", "small", SMALL)
    assert SMALL not in Path("/proc/self/mounts").read_text()
    try:
        yield SMALL
    finally:
        site.run("umount", "-l", SMALL, check=False)


def begin(person: Person, path: str, **body: Any) -> str:
    answer = person.api("POST", path, json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def ended(site: DemoSite, person: Person, operation: str) -> dict[str, Any]:
    def end() -> dict[str, Any] | None:
        found: dict[str, Any] = person.api("GET", f"/files/operations/{operation}").json()
        return found if found["ended"] else None

    found = site.wait_for(end, "the operation's end", timeout_s=60)
    assert found is not None
    return found


def names(site: DemoSite, folder: str) -> list[str]:
    return site.run("ls", "-A", folder, user="alice").split()


def test_copy_delete_and_empty(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    copy = begin(alice, "/files/copies", paths=["~/o/tree", "~/o/none"], target="~/o/to")
    found = ended(site, alice, copy)
    assert (found["state"], found["done_count"], found["failed_count"]) == ("failed", 1, 1)
    assert (found["failed"][0]["code"], found["message"]) == ("not_found", "~/o/none does not exist.")
    assert site.run("stat", "-c", "%U", f"{OWN}/to/tree/a", user="alice").strip() == "alice"
    assert (found["entries_done"], found["entries_total"], found["bytes_done"]) == (4, 4, 6)
    for method in ("GET", "DELETE"):
        assert bob.api(method, f"/files/operations/{copy}").status_code == 404
    assert copy in [item["id"] for item in alice.api("GET", "/files/operations").json()["items"]]
    assert alice.api("DELETE", f"/files/operations/{copy}").status_code == 204
    assert alice.api("GET", f"/files/operations/{copy}").status_code == 404

    theirs = begin(bob, "/files/copies", paths=["/etc/hostname"], target=OWN)
    assert ended(site, bob, theirs)["state"] == "failed"
    gone = begin(bob, "/files/delete", paths=[f"{OWN}/tree"])
    assert ended(site, bob, gone)["state"] == "failed"

    alice.api("POST", "/files/remove", json={"paths": ["~/o/to/tree"]})
    assert ended(site, alice, begin(alice, "/files/bin/empty"))["state"] == "done"
    assert alice.api("GET", "/files/bin").json()["items"] == []
    assert ended(site, alice, begin(alice, "/files/delete", paths=["~/o/tree"]))["state"] == "done"
    assert names(site, OWN) == ["to"]
    home = ended(site, alice, begin(alice, "/files/delete", paths=["~/../alice"]))
    assert (home["state"], home["failed"][0]["code"]) == ("failed", "invalid")


def test_move_to_another_file_system(site: DemoSite, person: Callable[[str], Person], small: str) -> None:
    alice = person("alice")
    moved = alice.api("POST", "/files/move", json={"paths": ["~/o/tree", "~/o/none"], "target": small}).json()
    assert ([item["code"] for item in moved["failed"]], moved["operation"]["kind"]) == (["not_found"], "move")
    assert ended(site, alice, moved["operation"]["id"])["state"] == "done"
    assert names(site, OWN) == ["to"]
    assert site.run("cat", f"{small}/tree/a", user="alice") == "hello\n"


def test_full_disk_ends_a_copy_in_words_and_leaves_nothing(
    site: DemoSite, person: Callable[[str], Person], small: str
) -> None:
    alice = person("alice")
    site.run("dd", "if=/dev/urandom", f"of={OWN}/tree/big", "bs=1M", "count=9", user="alice")
    never = ended(site, alice, begin(alice, "/files/copies", paths=["~/o/tree"], target=small))
    assert (never["state"], "are free" in never["message"]) == ("failed", True)
    # 4,000 files need more than their sizes say.
    script = "mkdir ~/o/many && cd ~/o/many && for i in $(seq 4000); do echo $i > $i; done"
    site.run("sh", "-c", script, user="alice")
    full = ended(site, alice, begin(alice, "/files/copies", paths=["~/o/many"], target=small))
    assert (full["state"], full["failed"][0]["code"]) == ("failed", "disk_full")
    assert small in full["message"]
    assert names(site, small) == []
    moved = alice.api("POST", "/files/move", json={"paths": ["~/o/many"], "target": small}).json()
    assert ended(site, alice, moved["operation"]["id"])["state"] == "failed"
    assert (names(site, small), len(names(site, f"{OWN}/many"))) == ([], 4000)


def test_read_only_target_is_said(site: DemoSite, person: Callable[[str], Person], small: str) -> None:
    alice = person("alice")
    site.run("mount", "-o", "remount,ro", small)
    found = ended(site, alice, begin(alice, "/files/copies", paths=["~/o/tree"], target=small))
    assert (found["failed"][0]["code"], "read-only" in found["message"]) == ("read_only", True)


#: Pauses the door of alice's copy when a part of it is there. Looking through the API would take longer than the copy.
PAUSE = """
until [ "$(find ~/o/to -type f | wc -l)" -gt 100 ]; do sleep 0.01; done
exec pkill -STOP -u alice -f [p]ortal-door
"""


@pytest.fixture
def paused_copy(site: DemoSite, person: Callable[[str], Person]) -> Iterator[str]:
    """A copy of which a part is there; it continues after `go_on`."""
    script = "mkdir ~/o/many && cd ~/o/many && for i in $(seq 20000); do : > $i; done"
    site.run("sh", "-c", script, user="alice")
    site.run("sh", "-c", f"({PAUSE}) >/dev/null 2>&1 &", user="alice")
    operation = begin(person("alice"), "/files/copies", paths=["~/o/many"], target="~/o/to")
    paused = ("pgrep", "--runstates", "T", "-u", "alice", "-f", "[p]ortal-door")
    site.wait_for(lambda: site.process(*paused, user="alice").returncode == 0, "the copy to pause")
    yield operation
    go_on(site)


def go_on(site: DemoSite) -> None:
    site.process("pkill", "-CONT", "-u", "alice", "-f", "[p]ortal-door", user="alice")


def test_cancelled_copy_leaves_nothing(site: DemoSite, person: Callable[[str], Person], paused_copy: str) -> None:
    alice = person("alice")
    assert alice.api("DELETE", f"/files/operations/{paused_copy}").status_code == 204
    go_on(site)
    found = ended(site, alice, paused_copy)
    assert (found["state"], found["entries_done"] < 20_001) == ("cancelled", True)
    assert names(site, f"{OWN}/to") == []


def test_restart_of_the_portal_ends_a_copy_and_claims_nothing(
    site: DemoSite, person: Callable[[str], Person], paused_copy: str
) -> None:
    alice = person("alice")
    site.kill("portal")
    go_on(site)
    site.start("portal")
    answer = site.wait_for(lambda: answered(alice, paused_copy), "the portal")
    assert "portal was restarted" in answer["error"]["message"]
    site.wait_for(lambda: names(site, f"{OWN}/to") == [], "the copy to be taken away")


def answered(person: Person, operation: str) -> Any:
    answer = person.api("GET", f"/files/operations/{operation}")
    return answer.json() if answer.status_code == 404 else None


def test_killed_door_is_told_as_unknown(site: DemoSite, person: Callable[[str], Person], paused_copy: str) -> None:
    alice = person("alice")
    site.run("pkill", "-KILL", "-u", "alice", "-f", "[p]ortal-door", user="alice")
    found = ended(site, alice, paused_copy)
    assert (found["state"], "Nobody knows" in found["message"]) == ("unknown", True)
    assert [name for name in names(site, f"{OWN}/to") if not name.endswith(".part")] == []


def test_copies_of_one_user_make_nobody_wait(site: DemoSite, person: Callable[[str], Person], paused_copy: str) -> None:
    alice, bob = person("alice"), person("bob")
    queued = [begin(alice, "/files/copies", paths=["~/o/many"], target="~/o/to", conflict="rename") for _ in range(9)]
    assert alice.api("POST", "/files/copies", json={"paths": ["~/o/a"], "target": "~/o"}).status_code == 429
    began = time.monotonic()
    own = begin(bob, "/files/copies", paths=["/etc/hostname"], target="~", conflict="replace")
    assert ended(site, bob, own)["state"] == "done"
    took_s = time.monotonic() - began
    states = [alice.api("GET", f"/files/operations/{one}").json()["state"] for one in queued]
    for one in [*queued, paused_copy]:
        alice.api("DELETE", f"/files/operations/{one}")
    go_on(site)
    for one in queued:
        ended(site, alice, one)
    site.run("rm", "-f", f"{INSIDE}/home/bob/hostname", user="bob")
    assert took_s < 5, f"{took_s} s"
    assert states.count("waiting") >= 7
