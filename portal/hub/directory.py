"""The directory of a site with logins other than LDAP: the Hub keeps the groups that its authenticator reports."""

from __future__ import annotations

from collections.abc import Sequence

from portal.directory import DirectoryUser, Listing, is_member, normalise
from portal.errors import DirectoryUnavailable, HubUnavailable
from portal.hub.client import HubClient
from portal.settings import Ldap


class HubDirectory:
    """Implements Directory, except for passwords, which only the Hub's authenticator sees."""

    def __init__(self, hub: HubClient, groups: Ldap) -> None:
        self._hub = hub
        self._user_groups = groups.user_groups
        self._admin_groups = groups.admin_groups

    async def authenticate(self, username: str, password: str) -> DirectoryUser | None:
        raise DirectoryUnavailable("This site does not log in with passwords.")

    async def account(self, username: str) -> DirectoryUser | None:
        """Return what the Hub knows about a user who has logged in before. Raises DirectoryUnavailable."""
        name = normalise(username)
        if name is None:
            return None
        try:
            groups = await self._hub.groups(name)
        except HubUnavailable as error:
            raise DirectoryUnavailable(error.message) from error
        if groups is None:
            return None
        return DirectoryUser(
            username=name,
            display_name=name,
            mail="",
            uid=None,
            gid=None,
            groups=groups,
            allowed=not self._user_groups or is_member(groups, [*self._user_groups, *self._admin_groups]),
            admin=is_member(groups, self._admin_groups),
        )

    async def accounts(self, usernames: Sequence[str]) -> list[DirectoryUser | None]:
        return [await self.account(username) for username in usernames]

    async def listing(self) -> Listing:
        """Raise DirectoryUnavailable: the Hub knows who has logged in before, not who may."""
        raise DirectoryUnavailable(
            "This site's logins have no list of people; only people with current or past usage are shown."
        )

    async def health(self) -> str:
        if not await self._hub.healthy():
            raise DirectoryUnavailable("JupyterHub does not answer.")
        return "JupyterHub"
