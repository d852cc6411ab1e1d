"""All users and groups of the directory, read page by page (RFC 2696), for administrators."""

from __future__ import annotations

import re

from portal.directory.client import Attributes, Connection
from portal.directory.user import Group, Listing, Person, normalise
from portal.settings import Ldap

#: Upper bound, however large the directory is: nobody looks through more.
MOST = 50_000
_NAME = re.compile(r"\(([A-Za-z][A-Za-z0-9-]*)=\{username\}\)")
MEMBERS = ("member", "uniquemember", "memberuid")


def read(connection: Connection, settings: Ldap) -> Listing:
    """Return all accounts and groups, by name. Raises OSError if the directory does not answer."""
    people: dict[str, Person] = {}
    by_dn: dict[str, str] = {}
    attribute = _name_attribute(settings)
    pattern = settings.user_filter.replace("{username}", "*")
    for dn, values in connection.search(
        settings.user_base, pattern, [attribute, "cn", "displayName", "mail"], most=MOST
    ):
        name = normalise(_one(values, attribute))
        if name is not None:
            by_dn[dn.casefold()] = name
            people[name] = Person(name, _one(values, "displayName") or _one(values, "cn") or name, _one(values, "mail"))
    groups: dict[str, set[str]] = {}
    wanted = ["cn", "member", "uniqueMember", "memberUid"]
    for _, values in connection.search(settings.group_base, "(cn=*)", wanted, most=MOST):
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
    match = _NAME.search(settings.user_filter)
    return match[1] if match else "uid"


def _one(values: Attributes, name: str) -> str:
    texts = values.get(name.lower())
    return texts[0] if texts else ""
