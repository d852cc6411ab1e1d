"""The tables of images and of the registry's keys."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from portal.agent_jobs import AgentJob
from portal.db.base import Base


class Scope(StrEnum):
    USER = "user"
    SITE = "site"


class ImageState(StrEnum):
    PULLING = "pulling"
    READY = "ready"
    FAILED = "failed"
    MISSING = "missing"
    """Never stored: the image was ready, and its file is missing now."""


class ImageRecord(AgentJob, Base):
    """An image that a user registered or pulled. The file is its owner's; only the file system knows whether it
    exists.
    """

    __tablename__ = "images"

    owner: Mapped[str] = mapped_column(String(255), index=True)
    scope: Mapped[str] = mapped_column(String(8))
    title: Mapped[str] = mapped_column(String(100))
    reference: Mapped[str | None] = mapped_column(Text)
    path: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), index=True)
    progress: Mapped[int]
    message: Mapped[str] = mapped_column(Text)
    size_mb: Mapped[int | None]
    digest: Mapped[str | None] = mapped_column(String(128))
    """The registry's digest of the pulled image, or the file's own if the registry's is unknown."""


class RegistryKey(Base):
    """A user's key for the registry, sealed with the site's encryption key."""

    __tablename__ = "registry_keys"

    owner: Mapped[str] = mapped_column(String(255), primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    stored_at: Mapped[datetime]
