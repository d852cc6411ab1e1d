"""The demo directory's users and groups, as LDIF, as accounts of the nodes, and as accounts.json."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

SUFFIX = "dc=example,dc=org"
MAIN_GROUP = ("scientists", 52000)
UNIX_GROUPS = {"physics": 52101, "vision": 52102}
LOGIN_GROUP = "portal-users"
ADMIN_GROUP = "portal-admins"
ADMIN_GID = 52199
HOMES = "/run/portal-demo/home"


@dataclass(frozen=True)
class Person:
    username: str
    name: str
    uid: int
    groups: tuple[str, ...] = ()
    """Secondary Unix groups, which are also the person's Slurm accounts, the first by default."""
    portal: bool = True
    admin: bool = False


PEOPLE = (
    Person("alice", "Alice Meyer", 52001, ("physics", "vision")),
    Person("bob", "Bob Okafor", 52002, ("physics",)),
    Person("carol", "Carol Lindqvist", 52003, ("vision",)),
    Person("dave", "Dave Nakamura", 52004, ("vision",)),
    Person("admin", "Ada Minister", 52005, ("physics", "vision"), admin=True),
    Person("eve", "Eve Outsider", 52006, portal=False),
)


def load_passwords(folder: Path, *, owner: int) -> dict[str, str]:
    """Read the accounts' passwords.

    On the first call generate them, for this site alone and readable by its owner only.

    accounts.json lists the users who may use the portal; outsiders.json those in the directory who may not.
    """
    passwords: dict[str, str] = {}
    for name, people in {
        "accounts.json": [person for person in PEOPLE if person.portal],
        "outsiders.json": [person for person in PEOPLE if not person.portal],
    }.items():
        if not (folder / name).exists():
            accounts = [
                {
                    "username": person.username,
                    "password": f"{person.username}-{secrets.token_hex(4)}",
                    "admin": person.admin,
                }
                for person in people
            ]
            write_private(folder / name, json.dumps(accounts, indent=2) + "\n", owner)
        passwords |= {account["username"]: account["password"] for account in json.loads((folder / name).read_text())}
    return passwords


def write_private(path: Path, text: str, owner: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        os.fchown(file.fileno(), owner, -1)
        file.write(text)


def ldif(passwords: dict[str, str], service_password: str, *, homes: str = HOMES, unix_admins: bool = False) -> str:
    """Return the whole directory. Unix groups list members by memberUid, the portal's by member (and memberOf).

    With `unix_admins` the administrators are a Unix group too, for machines whose groups come from the directory.
    """
    entries = [
        _entry(SUFFIX, objectClass=["dcObject", "organization"], o="Example", dc="example"),
        *(
            _entry(f"ou={unit},{SUFFIX}", objectClass="organizationalUnit", ou=unit)
            for unit in ("people", "groups", "services")
        ),
        _entry(
            f"cn=portal,ou=services,{SUFFIX}",
            objectClass=["organizationalRole", "simpleSecurityObject"],
            cn="portal",
            userPassword=hashed(service_password),
        ),
    ]
    entries += [
        _entry(
            _dn(person),
            objectClass=["inetOrgPerson", "posixAccount"],
            uid=person.username,
            cn=person.name,
            givenName=person.name.split()[0],
            sn=person.name.split()[-1],
            mail=f"{person.username}@example.org",
            uidNumber=person.uid,
            gidNumber=MAIN_GROUP[1],
            homeDirectory=f"{homes}/{person.username}",
            loginShell="/bin/bash",
            userPassword=hashed(passwords[person.username]),
        )
        for person in PEOPLE
    ]
    entries += [
        _entry(
            f"cn={group},ou=groups,{SUFFIX}",
            objectClass="posixGroup",
            cn=group,
            gidNumber=number,
            memberUid=[person.username for person in PEOPLE if group in person.groups],
        )
        for group, number in [MAIN_GROUP, *UNIX_GROUPS.items()]
    ]
    entries += [
        _entry(
            f"cn={group},ou=groups,{SUFFIX}",
            objectClass="groupOfNames",
            cn=group,
            member=[_dn(person) for person in members],
        )
        for group, members in {
            LOGIN_GROUP: [person for person in PEOPLE if person.portal],
            ADMIN_GROUP: [person for person in PEOPLE if person.admin],
        }.items()
    ]
    if unix_admins:
        members = [person.username for person in PEOPLE if person.admin]
        entries += [
            _entry(f"ou=unix,{SUFFIX}", objectClass="organizationalUnit", ou="unix"),
            _entry(
                f"cn={ADMIN_GROUP},ou=unix,{SUFFIX}",
                objectClass="posixGroup",
                cn=ADMIN_GROUP,
                gidNumber=ADMIN_GID,
                memberUid=members,
            ),
        ]
    return "\n".join(entries)


def hashed(password: str) -> str:
    """Hash a password for slapd ({SSHA}, the strongest scheme in every build of it)."""
    salt = os.urandom(8)
    digest = hashlib.sha1(password.encode() + salt, usedforsecurity=False).digest()
    return "{SSHA}" + base64.b64encode(digest + salt).decode()


def passwd_lines() -> list[str]:
    return [
        f"{person.username}:*:{person.uid}:{MAIN_GROUP[1]}:{person.name}:{HOMES}/{person.username}:/bin/bash"
        for person in PEOPLE
    ]


def group_lines() -> list[str]:
    """Return the Unix groups, with the administrators' group, so that the door sees who may operate."""
    members = {group: [person.username for person in PEOPLE if group in person.groups] for group, _ in _unix_groups()}
    members[ADMIN_GROUP] = [person.username for person in PEOPLE if person.admin]
    numbers = [*_unix_groups(), (ADMIN_GROUP, ADMIN_GID)]
    return [f"{group}:*:{number}:{','.join(members[group])}" for group, number in numbers]


def _unix_groups() -> list[tuple[str, int]]:
    return [MAIN_GROUP, *UNIX_GROUPS.items()]


def _dn(person: Person) -> str:
    return f"uid={person.username},ou=people,{SUFFIX}"


def _entry(dn: str, **attributes: str | int | list[str]) -> str:
    lines = [f"dn: {dn}"]
    for name, values in attributes.items():
        lines += [f"{name}: {value}" for value in (values if isinstance(values, list) else [values])]
    return "\n".join(lines) + "\n"
