"""All users and groups of the directory, read page by page (RFC 2696), for administrators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import ldap3

from portal.directory.account import Group, Listing, Person, normalise
from portal.settings import Ldap

PIECE = 500
#: Upper bound, however large the directory is: nobody looks through more.
MOST = 50_000
_NAME = re.compile(r"\(([A-Za-z][A-Za-z0-9-]*)=\{username\}\)")
MEMBERS = ("member", "uniquemember", "memberuid")


def read(connection: ldap3.Connection, settings: Ldap) -> Listing:
    """Return all accounts and groups, by name. Raises OSError or LDAPException if the directory does not answer."""
    people: dict[str, Person] = {}
    by_dn: dict[str, str] = {}
    attribute = _name_attribute(settings)
    found = settings.user_filter.replace("{username}", "*")
    for dn, values in _entries(connection, settings.user_base, found, [attribute, "cn", "displayName", "mail"]):
        name = normalise(_one(values, attribute))
        if name is not None:
            by_dn[dn.casefold()] = name
            people[name] = Person(name, _one(values, "displayName") or _one(values, "cn") or name, _one(values, "mail"))
    groups: dict[str, set[str]] = {}
    wanted = ["cn", "member", "uniqueMember", "memberUid"]
    for _, values in _entries(connection, settings.group_base, "(cn=*)", wanted):
        members = groups.setdefault(_one(values, "cn"), set())
        for value in (value for kind in MEMBERS for value in values.get(kind, ())):
            name = by_dn.get(value.casefold()) or normalise(value)
            if name in people:
                members.add(name)
    return Listing(
        tuple(people[name] for name in sorted(people)),
        tuple(Group(name, frozenset(groups[name])) for name in sorted(groups) if name),
    )


def _name_attribute(settings: Ldap) -> str:
    """Return the attribute of the login name, from the filter for one account."""
    found = _NAME.search(settings.user_filter)
    return found[1] if found else "uid"


def _entries(
    connection: ldap3.Connection, base: str, search: str, attributes: list[str]
) -> Iterator[tuple[str, dict[str, list[str]]]]:
    cookie: bytes | None = None
    count = 0
    while True:
        connection.search(base, search, attributes=attributes, paged_size=PIECE, paged_cookie=cookie)
        result: dict[str, Any] = connection.result
        if result["result"] == ldap3.core.results.RESULT_NO_SUCH_OBJECT:
            return
        if result["result"] != ldap3.core.results.RESULT_SUCCESS:
            raise OSError(f"refused the list under {base}: {result['description']}")
        for entry in connection.response:
            if entry["type"] == "searchResEntry":
                count += 1
                values = entry["raw_attributes"].items()
                yield (
                    entry["dn"],
                    {key.lower(): [one.decode("utf-8", "replace") for one in some] for key, some in values},
                )
        control = result.get("controls", {}).get("1.2.840.113556.1.4.319")
        cookie = control["value"]["cookie"] if control else None
        if not cookie or count >= MOST:
            return


def _one(values: dict[str, list[str]], name: str) -> str:
    found = values.get(name.lower())
    return found[0] if found else ""
