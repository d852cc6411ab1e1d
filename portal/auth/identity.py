"""Identifies callers: a Hub token, checked with the Hub and cached briefly.

A logout or a revoked token takes effect within `FRESH_S`. While the Hub is down or restarting, a recently identified
token stays valid for `STALE_S`, so that open pages keep working.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable

from portal.errors import Forbidden, HubUnavailable, NotAuthenticated
from portal.hub.client import HubClient, HubIdentity

FRESH_S = 60.0
STALE_S = 900.0
REMEMBERED = 10_000
ACCESS_SCOPES = frozenset({"access:services", "access:services!service=portal"})


class Identities:
    def __init__(self, hub: HubClient, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._monotonic = monotonic
        self._known: dict[str, tuple[float, HubIdentity]] = {}
        self._asking: asyncio.Future[bool] | None = None

    async def of(self, token: str, *, fresh_s: float | None = None) -> HubIdentity:
        """Return the token's user, as the Hub knew it `fresh_s` (by default `FRESH_S`) ago or later.

        Raises NotAuthenticated for an unknown token, Forbidden for one that may not use the portal.
        """
        identity = await self.known(token, fresh_s=fresh_s)
        if not identity.scopes & ACCESS_SCOPES:
            raise Forbidden(
                "This token may not use the portal.",
                hint="Create one with the scope access:services!service=portal.",
            )
        return identity

    async def known(self, token: str, *, fresh_s: float | None = None) -> HubIdentity:
        """Return the token's user, whatever its scopes. Raises NotAuthenticated for an unknown token."""
        key = hashlib.sha256(token.encode()).hexdigest()
        known = self._known.get(key)
        now = self._monotonic()
        if known is not None and now - known[0] < (FRESH_S if fresh_s is None else fresh_s):
            return known[1]
        try:
            identity = await self._identify(token, was_known=known is not None)
        except HubUnavailable:
            if known is not None and now - known[0] < STALE_S:
                return known[1]
            raise
        except NotAuthenticated:
            self._known.pop(key, None)
            raise
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[key] = (now, identity)
        return identity

    async def _identify(self, token: str, *, was_known: bool) -> HubIdentity:
        """Ask the Hub, and believe a refusal only if the Hub accepts our own token.

        While the Hub's database is locked it answers every token with the same 403. Ask once more for a known token.
        """
        try:
            return await self._hub.identify(token)
        except NotAuthenticated:
            if not await self._takes_us():
                raise HubUnavailable("JupyterHub cannot check tokens right now.") from None
            if not was_known:
                raise
        return await self._hub.identify(token)

    async def _takes_us(self) -> bool:
        """Ask once for all waiting callers: guessed tokens must not each cause a request."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._hub.takes_us())
        return await asyncio.shield(self._asking)

    def forget(self, token: str) -> None:
        self._known.pop(hashlib.sha256(token.encode()).hexdigest(), None)
