"""Decides who may pass: a session's owner, and administrators if the site lets them open other users' sessions."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from portal.auth.cookies import Cookies
from portal.auth.identity import Identities
from portal.auth.oauth import OAuthClient
from portal.auth.people import People
from portal.errors import Forbidden, NotAuthenticated
from portal.gate.target import owner_of
from portal.settings import Settings
from portal.settings.isolation import Isolation

CLIENT_ID = "service-portal-gate"
PASSED = "portal-gate=passed"
"""Sent to a session if no cookie is left: given none, a web server may keep the browser's own."""


class NotLoggedIn(NotAuthenticated):
    """A browser whose visitor has to log in first."""


class Gate:
    """`client`: its login at the Hub, with cookies for the sessions' host."""

    def __init__(self, settings: Settings, identities: Identities, people: People, client: OAuthClient) -> None:
        self._settings = settings
        self._identities = identities
        self._people = people
        self.client = client

    @property
    def is_here(self) -> bool:
        """Return whether this site has a gate: where sessions share a host that is not the portal's."""
        return self._settings.isolation is Isolation.TWO_HOSTS

    async def judge(self, target: str, *, bearer: str | None, cookies: dict[str, str]) -> None:
        """Raise Forbidden for anyone who may not pass, NotLoggedIn for a browser that must log in first."""
        owner = owner_of(target)
        if owner is None:
            return
        login = None if bearer else self.client.cookies.login(cookies)
        token = bearer or (login.token if login else None)
        if token is None:
            raise NotLoggedIn("You are not logged in.")
        try:
            identity = await self._identities.known(token)
        except NotAuthenticated as error:
            raise (Forbidden if bearer else NotLoggedIn)(error.message) from error
        account = await self._people.account(identity.username)
        if account is None or not account.allowed:
            raise Forbidden(f"The user “{identity.username}” may not use this portal.")
        # As JupyterHub encodes a name in addresses; any other encoding is refused.
        if owner == quote(identity.username, safe="@~"):
            return
        if not (account.admin and self._settings.hub.admins_open_sessions):
            raise Forbidden("This session belongs to another user.")

    def without_its_own(self, cookies: Iterable[str]) -> str:
        """Return the `Cookie` header for the session, without the gate's own cookies."""
        own = self.client.cookies.names
        pairs = (pair.strip() for line in cookies for pair in line.split(";"))
        return "; ".join(pair for pair in pairs if pair and pair.partition("=")[0].strip() not in own) or PASSED


def the_gate(settings: Settings, identities: Identities, people: People, cookies: Cookies) -> Gate:
    """Return the gate, with cookies of the sessions' host that no other host, and none below it, can set."""
    secure = settings.hub.public_url.startswith("https://")
    client = OAuthClient(
        CLIENT_ID,
        settings.secrets.gate_token,
        f"{settings.hub_origin}{settings.server.prefix}/gate/callback",
        cookies.of_another_host("portal-gate", "portal-gate-state", secure=secure),
    )
    return Gate(settings, identities, people, client)
