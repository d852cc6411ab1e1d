"""More users for a demo site: in its directory, on its nodes, in Slurm's accounting, and in accounts.json."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from bench.testbed.site import run_inside
from demo import people
from demo.directory import LDAPI
from demo.people import Person
from demo.site import INSIDE
from tests.demo_site import Account, DemoSite

FIRST_UID = 53_001
SLURM_ACCOUNT = "physics"


def add(site: DemoSite, count: int) -> list[Account]:
    """Make `count` users who may use the portal, and return their accounts."""
    crowd = [Person(f"user{n:03}", f"User {n:03}", FIRST_UID + n) for n in range(count)]
    accounts = [Account(person.username, secrets.token_hex(8), admin=False) for person in crowd]
    run_inside(site, "ldapmodify", "-Q", "-a", "-Y", "EXTERNAL", "-H", LDAPI, stdin="\n".join(_ldif(crowd, accounts)))
    passwd = "".join(f"{_passwd_line(person)}\n" for person in crowd)
    run_inside(site, "tee", "-a", "/etc/passwd", stdin=passwd)
    run_inside(site, "sh", "-c", HOMES, stdin="".join(f"{person.username} {person.uid}\n" for person in crowd))
    names = ",".join(person.username for person in crowd)
    run_inside(site, "sacctmgr", "-i", "add", "user", names, f"Account={SLURM_ACCOUNT}")
    listed = site.folder / "accounts.json"
    known = json.loads(listed.read_text())
    listed.write_text(json.dumps(known + [vars(account) for account in accounts], indent=2) + "\n")
    return accounts


HOMES = f"""
while read -r name uid; do
  install -d -m 700 -o "$uid" -g {people.MAIN_GROUP[1]} "{INSIDE}/home/$name"
done
"""


def _ldif(crowd: Sequence[Person], accounts: Sequence[Account]) -> list[str]:
    lines = []
    for person, account in zip(crowd, accounts, strict=True):
        lines += [
            f"dn: {_dn(person)}",
            "objectClass: inetOrgPerson",
            "objectClass: posixAccount",
            f"uid: {person.username}",
            f"cn: {person.name}",
            f"sn: {person.name}",
            f"uidNumber: {person.uid}",
            f"gidNumber: {people.MAIN_GROUP[1]}",
            f"homeDirectory: {INSIDE}/home/{person.username}",
            f"userPassword: {people.hashed(account.password)}",
            "",
        ]
    lines += [f"dn: cn={people.LOGIN_GROUP},ou=groups,{people.SUFFIX}", "changetype: modify", "add: member"]
    lines += [f"member: {_dn(person)}" for person in crowd]
    return lines


def _dn(person: Person) -> str:
    return f"uid={person.username},ou=people,{people.SUFFIX}"


def _passwd_line(person: Person) -> str:
    home = f"{INSIDE}/home/{person.username}"
    return f"{person.username}:*:{person.uid}:{people.MAIN_GROUP[1]}:{person.name}:{home}:/bin/bash"
