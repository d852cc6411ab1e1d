"""Users' keys for the registry: sealed with the site's encryption key, and given only to their own pulls."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken

from portal.db.engine import UnitOfWork
from portal.errors import Conflict
from portal.images.models import RegistryKey
from portal.images.registry import Circuits, Registry, RegistryUnavailable
from portal.images.schemas import NgcOut
from portal.settings import Ngc


class Keys:
    def __init__(
        self, work: UnitOfWork, cipher: Fernet, settings: Ngc, circuits: Circuits, now: Callable[[], datetime]
    ) -> None:
        self._work = work
        self._cipher = cipher
        self._settings = settings
        self._circuits = circuits
        self._now = now

    async def state(self, owner: str) -> NgcOut:
        async with self._work() as db:
            key = await db.get(RegistryKey, owner)
        return NgcOut(stored=key is not None, stored_at=key.stored_at if key else None, message="")

    async def store(self, owner: str, key: str) -> NgcOut:
        """Store a key, also if the registry cannot be reached to test it.
        Raises KeyRefused if the registry refuses the key.
        """
        message = f"{self._settings.host} accepts this key."
        try:
            async with Registry(self._settings.host, self._settings, key, circuits=self._circuits) as registry:
                await registry.check_key(self._settings.frameworks[0].repository if self._settings.frameworks else "")
        except RegistryUnavailable as error:
            message = f"The key is stored, but could not be checked: {error.message}"
        async with self._work() as db:
            await db.merge(RegistryKey(owner=owner, sealed=self._cipher.encrypt(key.encode()), stored_at=self._now()))
        return (await self.state(owner)).model_copy(update={"message": message})

    async def forget(self, owner: str) -> None:
        async with self._work() as db:
            if (key := await db.get(RegistryKey, owner)) is not None:
                await db.delete(key)

    async def of(self, owner: str) -> str | None:
        """Return the owner's key. Raises Conflict if it was sealed with an older encryption key."""
        async with self._work() as db:
            key = await db.get(RegistryKey, owner)
        if key is None:
            return None
        try:
            return self._cipher.decrypt(key.sealed).decode()
        except InvalidToken:
            raise Conflict(
                "Your stored key can no longer be read: the site's encryption key was changed.",
                hint="Store your key again.",
            ) from None
