"""Whether users may share apps and ports of their sessions with colleagues."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Sharing(Section):
    enabled: bool = Field(
        True,
        description="Whether users may share apps and ports of their running sessions. Needs `hub.subdomains`: without "
        "a host of the owner's own, the shared app could act as whoever opens it.",
    )
    same_group_only: bool = Field(
        False, description="Whether users may share only with people who are in one of their own groups."
    )
    keys: bool = Field(
        True,
        description="Whether users may make keys, with which programs use a shared app or port without a login. Never "
        "with `same_group_only`, since whoever has a key gets in.",
    )
    key_rate: str = Field("10/minute", description="Wrong keys per session and address (`limits` notation).")
    max_hours: int = Field(168, ge=1, description="Longest time of a share, in hours; it ends with the session, too.")
