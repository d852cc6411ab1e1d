"""Users' files through the real door: each with their own rights, groups included, and no others."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from demo.people import PEOPLE, UNIX_GROUPS
from tests.demo_site import INSIDE, DemoSite
from tests.integration.test_door import call
from tests.person import Person

HOME = f"{INSIDE}/home"


def ask(site: DemoSite, verb: str, path: str, user: str = "alice", **fields: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "look": {},
        "list": {"limit": 100},
        "read": {"offset": 0, "limit": 1000},
        "find": {"glob": "*", "depth": 3, "limit": 100},
    }[verb]
    return call(site, verb, user=user, path=path, deadline_s=10, **(defaults | fields))


def code(answer: dict[str, Any]) -> str:
    return str(answer["error"]["code"]) if "error" in answer else "ok"


@pytest.fixture(autouse=True)
def some_files(site: DemoSite) -> Any:
    site.run("sh", "-c", "mkdir -p ~/t/in && echo hello > ~/t/a.txt && chmod 755 ~/t", user="alice")
    yield
    site.run("rm", "-rf", f"{HOME}/alice/t", f"{HOME}/bob/t", "/tmp/portal-t")


def test_own_files_are_seen_and_others_are_not(site: DemoSite) -> None:
    assert ask(site, "look", "~/t/a.txt")["kind"] == "file"
    assert [entry["name"] for entry in ask(site, "list", "~/t")["entries"]] == ["in", "a.txt"]
    for verb in ("look", "list", "read", "find"):
        assert code(ask(site, verb, f"{HOME}/alice/t/a.txt", user="bob")) == "forbidden"
    for secret in ("/etc/shadow", f"{INSIDE}/portal/secrets/hub_key", "/proc/1/environ", "/proc/self/environ"):
        assert code(ask(site, "read", secret)) in ("forbidden", "not_found")


def test_links_and_dots_lead_no_further_than_the_users_rights(site: DemoSite) -> None:
    site.run("mkdir", "-p", f"{HOME}/bob/t", user="bob")
    site.run("ln", "-sfn", f"{HOME}/alice/t", f"{HOME}/bob/t/link", user="bob")
    site.run("ln", "-sfn", "/etc/shadow", f"{HOME}/bob/t/shadow", user="bob")
    assert code(ask(site, "read", "~/t/link/a.txt", user="bob")) == "forbidden"
    assert code(ask(site, "read", "~/t/shadow", user="bob")) == "forbidden"
    assert code(ask(site, "read", f"{HOME}/bob/../alice/t/a.txt", user="bob")) == "forbidden"
    assert code(ask(site, "read", "~/../alice/t/a.txt", user="bob")) == "forbidden"


def test_groups_of_the_user_count(site: DemoSite) -> None:
    person = next(person for person in PEOPLE if person.username == "alice")
    group = UNIX_GROUPS[person.groups[0]]
    outsider = next(
        value.username for value in PEOPLE if person.groups[0] not in value.groups and value.username != "root"
    )
    site.run("sh", "-c", "mkdir -p /tmp/portal-t && echo x > /tmp/portal-t/f && chmod 750 /tmp/portal-t")
    site.run("chgrp", "-R", str(group), "/tmp/portal-t")
    site.run("chmod", "640", "/tmp/portal-t/f")
    assert code(ask(site, "read", "/tmp/portal-t/f")) == "ok"
    assert code(ask(site, "read", "/tmp/portal-t/f", user=outsider)) in ("forbidden", "user_refused")


def test_fifo_and_device_hold_nobody_up(site: DemoSite) -> None:
    site.run("mkfifo", f"{HOME}/alice/t/fifo", user="alice")
    began = time.monotonic()
    assert code(ask(site, "read", "~/t/fifo")) == "not_a_file"
    assert code(ask(site, "read", "/dev/zero")) == "not_a_file"
    assert ask(site, "look", "~/t/fifo")["kind"] == "other"
    assert time.monotonic() - began < 8


def test_every_look_is_in_the_audit_log_on_one_line(site: DemoSite) -> None:
    ask(site, "look", "/x\ny z")
    begins, done = site.log("portal-door").splitlines()[-2:]
    assert begins.endswith('look user=alice path="/x\\ny z" uid=52001 begins')
    assert "done" in done


def test_folder_picker_lists_home_and_shared_storage(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, bob = person("alice"), person("bob")
    mine = alice.api("GET", "/files", params={"path": "~/t"}).json()
    assert (mine["path"], mine["kind"], mine["truncated"]) == ("~/t", "folder", False)
    assert [(entry["name"], entry["kind"], entry["size"]) for entry in mine["entries"]][1] == ("a.txt", "file", 6)
    assert alice.api("GET", "/files", params={"path": "~/t/a.txt"}).json()["kind"] == "file"
    assert alice.api("GET", "/files", params={"path": "~/none"}).json()["kind"] == "missing"
    refused = bob.api("GET", "/files", params={"path": f"{HOME}/alice/t"})
    assert (refused.status_code, refused.json()["error"]["fields"][0]["field"]) == (403, "path")
    assert alice.api("GET", "/files", params={"path": "relative"}).status_code == 422
