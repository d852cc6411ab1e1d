"""Secrets of a session: the job's one-time secret, the agent's key, and what the Hub handed over.

Secrets and keys are stored as hashes; what must be read again is sealed with the site's encryption key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass

from cryptography.fernet import Fernet, InvalidToken

ID_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class HubHandover:
    """What a server needs from the Hub: its environment, including its token."""

    env: dict[str, str]
    api_token: str


def new_id(length: int = 12) -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(length))


def new_secret() -> str:
    return secrets.token_hex(32)


def digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


def matches(value: str, digest_: str | None) -> bool:
    return digest_ is not None and hmac.compare_digest(digest(value), digest_)


def fernet(encryption_key: str) -> Fernet:
    """Return the cipher for a key of any form: the file's text is hashed to 32 bytes."""
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(encryption_key.encode()).digest()))


class Seals:
    """Derives and seals secrets with one encryption key."""

    def __init__(self, encryption_key: str) -> None:
        self._key = encryption_key.encode()
        self._cipher = fernet(encryption_key)

    def secret_of(self, session_id: str) -> str:
        """Return a session's one-time secret, derived from its id, so that a lost row can be made again."""
        return hmac.new(self._key, f"session {session_id}".encode(), hashlib.sha256).hexdigest()

    def meter_key(self, submission_id: str, owner: str) -> str:
        """Return the key with which the job of a submission reports what its GPUs do."""
        return hmac.new(self._key, f"meter {submission_id} {owner}".encode(), hashlib.sha256).hexdigest()

    def end_key_of(self, session_id: str) -> str:
        """Return the key with which a session's pages ask how it ended."""
        return hmac.new(self._key, f"end {session_id}".encode(), hashlib.sha256).hexdigest()

    def is_end_key(self, session_id: str, key: str) -> bool:
        return hmac.compare_digest(key.encode(), self.end_key_of(session_id).encode())

    def seal(self, handover: HubHandover) -> bytes:
        return self._cipher.encrypt(json.dumps(asdict(handover)).encode())

    def unseal(self, sealed: bytes | None) -> HubHandover | None:
        """Return the handover; None if there is none, or if another key sealed it."""
        if sealed is None:
            return None
        try:
            return HubHandover(**json.loads(self._cipher.decrypt(sealed)))
        except InvalidToken:
            return None
