"""The demo's accounts agree wherever they are written: directory, nodes, accounts.json."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path

from demo import namespace, people

PASSWORDS = {person.username: f"{person.username}-pw" for person in people.PEOPLE}


def entries(ldif: str) -> dict[str, dict[str, list[str]]]:
    results: dict[str, dict[str, list[str]]] = {}
    for block in ldif.strip().split("\n\n"):
        attributes: dict[str, list[str]] = {}
        for line in block.splitlines():
            name, value = line.split(": ", 1)
            attributes.setdefault(name, []).append(value)
        results[attributes["dn"][0]] = attributes
    return results


def test_directory_and_nodes_give_a_person_the_same_numbers_and_home() -> None:
    directory = entries(people.ldif(PASSWORDS, "service"))
    for line in people.passwd_lines():
        name, _, uid, gid, _, home, shell = line.split(":")
        entry = directory[f"uid={name},ou=people,{people.SUFFIX}"]
        assert (entry["uidNumber"], entry["gidNumber"]) == ([uid], [gid])
        assert (entry["homeDirectory"], entry["loginShell"]) == ([home], [shell])


def test_directory_and_nodes_give_a_group_the_same_members() -> None:
    directory = entries(people.ldif(PASSWORDS, "service"))
    for line in people.group_lines():
        name, _, number, members = line.split(":")
        entry = directory[f"cn={name},ou=groups,{people.SUFFIX}"]
        if name == people.ADMIN_GROUP:  # the portal's: it names its members in full
            assert [name.split(",")[0] for name in entry["member"]] == [
                f"uid={member}" for member in members.split(",")
            ]
            continue
        assert entry["gidNumber"] == [number]
        assert entry.get("memberUid", []) == [member for member in members.split(",") if member]


def test_administrators_are_a_unix_group_of_the_directory_where_machines_take_theirs_from_it() -> None:
    directory = entries(people.ldif(PASSWORDS, "service", homes="/home", unix_admins=True))
    group = directory[f"cn={people.ADMIN_GROUP},ou=unix,{people.SUFFIX}"]
    assert (group["gidNumber"], group["memberUid"]) == ([str(people.ADMIN_GID)], ["admin"])
    assert directory[f"uid=alice,ou=people,{people.SUFFIX}"]["homeDirectory"] == ["/home/alice"]


def test_only_those_who_may_use_the_portal_are_in_its_group() -> None:
    members = entries(people.ldif(PASSWORDS, "service"))[f"cn=portal-users,ou=groups,{people.SUFFIX}"]["member"]
    assert len(members) == len(people.PEOPLE) - 1
    assert not any(member.startswith("uid=eve,") for member in members)


def test_a_hash_holds_the_password_and_differs_each_time() -> None:
    first, second = people.hashed("secret"), people.hashed("secret")
    raw = base64.b64decode(first.removeprefix("{SSHA}"))
    assert raw[:20] == hashlib.sha1(b"secret" + raw[20:], usedforsecurity=False).digest()
    assert first != second


def test_passwords_stay_once_made_and_only_the_owner_reads_them(tmp_path: Path) -> None:
    made = people.load_passwords(tmp_path, owner=os.getuid())
    assert people.load_passwords(tmp_path, owner=os.getuid()) == made
    assert (tmp_path / "accounts.json").stat().st_mode & 0o777 == 0o600
    listed = json.loads((tmp_path / "accounts.json").read_text())
    assert {entry["username"] for entry in listed} == made.keys() - {"eve"}
    assert [entry["username"] for entry in listed if entry["admin"]] == ["admin"]


def test_accounts_of_the_machine_stay_and_missing_daemons_get_theirs() -> None:
    passwd, group = namespace.accounts(
        "root:x:0:0:root:/root:/bin/bash\nmunge:x:103:106::/nonexistent:/usr/sbin/nologin\n",
        "root:x:0:\nmunge:x:106:\n",
    )
    names = [line.split(":")[0] for line in passwd.splitlines()]
    assert names[:2] == ["root", "munge"]
    assert len(names) == len(set(names))
    assert {"slurm", "openldap", "mysql", "portal", "alice"} <= set(names)
    assert "munge:x:106:" in group.splitlines()


def test_a_person_of_the_directory_wins_over_a_namesake_of_the_machine() -> None:
    passwd, _ = namespace.accounts("alice:x:1000:1000::/home/alice:/bin/sh\n", "alice:x:1000:\n")
    assert [line for line in passwd.splitlines() if line.startswith("alice:")] == [
        line for line in people.passwd_lines() if line.startswith("alice:")
    ]
