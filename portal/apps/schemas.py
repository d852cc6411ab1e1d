"""Request and response bodies of the app catalogue."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AppSourceOut(Wire):
    """An environment that the app runs in."""

    environment: str
    title: str
    version: str
    kind: Literal["path", "modules", "image"]
    own: bool = Field(description="Whether it is one of the caller's images.")
    where: str = Field(description="Its folder, modules or image.")
    reason: str | None = Field(description="Why the app cannot run in it now.")


class OfferOut(Wire):
    name: str
    title: str
    description: str
    icon: str
    group: str
    kind: Literal["jupyter", "web"]
    origin: Literal["portal", "site", "own"] = Field(
        description="Whether it ships with the portal, was added by the site, or is the caller's own."
    )
    program: str = Field(description="The program that an environment must have; empty if any will do.")
    network: bool = Field(description="Whether it can reach the network from its node.")
    sources: list[AppSourceOut]
    available: bool
    reason: str | None = Field(description="Why it cannot be started here.")
    remedy: str | None = Field(description="For administrators: how to make it available.")


class OfferPage(Wire):
    items: list[OfferOut]
