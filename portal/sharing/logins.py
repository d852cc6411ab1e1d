"""Logins of guests, as agents keep them: sealed, so that a session's owner cannot read or change them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from cryptography.fernet import Fernet, InvalidToken

PURPOSE = "guest"


@dataclass(frozen=True, slots=True)
class GuestLogin:
    """A user's login at the portal, used for one share of one session; it ends with the user's token."""

    share: int
    session: str
    user: str
    token: str


class Logins:
    def __init__(self, cipher: Fernet) -> None:
        self._cipher = cipher

    def seal(self, login: GuestLogin) -> str:
        return self._cipher.encrypt(json.dumps({"for": PURPOSE} | asdict(login)).encode()).decode()

    def unseal(self, sealed: str) -> GuestLogin | None:
        """Return the login; None if it is not one that this portal sealed."""
        try:
            value = json.loads(self._cipher.decrypt(sealed.encode()))
        except (InvalidToken, ValueError):
            return None
        return GuestLogin(**value) if isinstance(value, dict) and value.pop("for", None) == PURPOSE else None
