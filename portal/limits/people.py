"""The administrators' lists of users and groups: what they hold, have used and may use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from portal.directory import DirectoryUser
from portal.directory.user import is_member
from portal.errors import NotFound
from portal.limits.directory_cache import CachedListing, DirectoryCache
from portal.limits.schemas import DirectoryOut, GroupList, GroupRow, Kind, LimitRow, PersonList, PersonRow, Use
from portal.limits.service import LimitService
from portal.settings import Ldap


class PeopleLists:
    def __init__(self, directory: DirectoryCache, limits: LimitService, settings: Ldap) -> None:
        self._directory = directory
        self._limits = limits
        self._settings = settings

    async def insist(self, kind: Kind, name: str) -> None:
        """Raise NotFound for a user or group that the directory is known not to have."""
        known = await self._directory.read()
        if known.as_of is None:
            return
        if kind == "user":
            there = any(person.username == name for person in known.listing.people)
        else:
            there = any(group.name.casefold() == name.casefold() for group in known.listing.groups)
        if not there:
            raise NotFound(
                f"The directory has no {kind} “{name}”, so its limits would apply to nobody.",
                hint="Check the spelling. What was created within the last minute is found a minute later.",
            )

    async def people(self, *, query: str, offset: int, limit: int) -> PersonList:
        """Return a page of users: those who use most first, then by name. Includes users that only the portal
        knows.
        """
        known = await self._directory.read()
        uses = await self._limits.uses()
        listed = {person.username: person for person in known.listing.people}
        part = query.casefold()
        fitting = [
            name
            for name in {*listed, *uses}
            if part in name
            or ((result := listed.get(name)) and part in f"{result.display_name}\n{result.mail}".casefold())
        ]
        fitting.sort(key=lambda name: (*_most_first(uses.get(name)), name))
        shown = fitting[offset : offset + limit]
        accounts = await self._directory.accounts([name for name in shown if name in listed])
        rules = {row.name: row for row in await self._limits.rows() if row.kind == "user"}
        items = []
        for name in shown:
            person, account = listed.get(name), accounts.get(name)
            items.append(
                PersonRow(
                    username=name,
                    display_name=person.display_name if person else name,
                    mail=person.mail if person else "",
                    in_directory=None if known.as_of is None else person is not None,
                    groups=_groups_of(name, account, known),
                    admin=account.admin if account else None,
                    allowed=account.allowed if account else None,
                    limit=rules.get(name),
                    **(uses.get(name) or Use()).model_dump(),
                )
            )
        return PersonList(items=items, total=len(fitting), directory=_directory(known))

    async def groups(self, *, query: str, offset: int, limit: int) -> GroupList:
        """Return a page of groups. Includes groups that only limits name."""
        known = await self._directory.read()
        uses = await self._limits.uses()
        members = {group.name: group.members for group in known.listing.groups}
        rules = {row.name.casefold(): row for row in await self._limits.rows() if row.kind == "group"}
        folded = {name.casefold() for name in members}
        names = [*members, *(rule.name for key, rule in rules.items() if key not in folded)]
        fitting = sorted((name for name in names if query.casefold() in name.casefold()), key=str.casefold)
        items = [
            self._group(name, members.get(name), uses, rules.get(name.casefold()))
            for name in fitting[offset : offset + limit]
        ]
        return GroupList(items=items, total=len(fitting), directory=_directory(known))

    def _group(
        self, name: str, members: Iterable[str] | None, uses: Mapping[str, Use], rule: LimitRow | None
    ) -> GroupRow:
        held = [uses[member] for member in members or () if member in uses]
        return GroupRow(
            name=name,
            members=None if members is None else len(list(members)),
            admin=is_member([name], self._settings.admin_groups),
            login=is_member([name], self._settings.user_groups),
            limit=rule,
            sessions=sum(use.sessions for use in held),
            gpus=sum(use.gpus for use in held),
            gpu_hours_used=round(sum(use.gpu_hours_used for use in held), 1),
            gpu_hours_promised=round(sum(use.gpu_hours_promised for use in held), 1),
        )


def _most_first(use: Use | None) -> tuple[float, float]:
    return (-use.gpus, -use.gpu_hours_used - use.gpu_hours_promised) if use else (0, 0)


def _groups_of(name: str, account: DirectoryUser | None, known: CachedListing) -> list[str]:
    if account is not None:
        return list(account.groups)
    return [group.name for group in known.listing.groups if name in group.members]


def _directory(known: CachedListing) -> DirectoryOut:
    return DirectoryOut(as_of=known.as_of, silent_since=known.silent_since, message=known.message)
