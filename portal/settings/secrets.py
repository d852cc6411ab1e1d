"""Reads secrets: each is a file of its own, never a setting."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from portal.errors import ConfigurationError

SECRET_NAMES = ("hub_key", "service_token", "proxy_token", "encryption_key", "cookie_key")
WEAK_SECRETS = {"", "secret", "changeme", "change-me", "password", "default", "token", "portal"}


class Secrets:
    """The site's secrets, read from files once; refuses missing, weak and world-readable ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getattr__(self, name: str) -> str:
        if name not in SECRET_NAMES:
            raise AttributeError(name)
        value = self.read(self._folder / name)
        setattr(self, name, value)
        return value

    @property
    def gate_token(self) -> str:
        """The Hub token of the gate in front of sessions: a service of its own, so a token of its own."""
        return hmac.new(self.service_token.encode(), b"gate", hashlib.sha256).hexdigest()

    @staticmethod
    def read(path: Path) -> str:
        try:
            if path.stat().st_mode & 0o007:
                raise ConfigurationError(f"{path} can be read by others; run: chmod o= {path}")
            value = path.read_text().strip()
        except OSError as error:
            hint = "The portal's account must own it; `portal init-secrets` creates missing secrets."
            raise ConfigurationError(f"The secret {path} cannot be read: {error.strerror}.", hint=hint) from error
        if value.lower() in WEAK_SECRETS or len(value) < 16:
            raise ConfigurationError(f"The secret in {path} is too short or a well-known word; create a new one.")
        return value
