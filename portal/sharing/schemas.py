"""Request and response bodies of shares."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from portal.sharing.models import Mode

FIRST_PORT, LAST_PORT = 1024, 65535
NamePart = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]

KeyName = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]


class ShareAsk(BaseModel):
    """Whom to let in, to what, for how long."""

    model_config = ConfigDict(extra="forbid")

    port: int | None = Field(
        None, ge=FIRST_PORT, le=LAST_PORT, description="A port of the session; null: the session's app itself."
    )
    mode: Mode | None = Field(
        None,
        description="`look`: they only see what you do; `use`: they use it as you. Null: look, where that is possible.",
    )
    users: list[NamePart] = Field(default_factory=list, max_length=20, description="User names.")
    groups: list[NamePart] = Field(default_factory=list, max_length=20, description="Groups that you are in.")
    key: KeyName | None = Field(
        None,
        description="Instead of people: the name of a new key, with which programs get in without a login. A key of "
        "the same name for the same app or port is replaced.",
    )
    hours: int | None = Field(
        None, ge=1, le=8784, description="How long; null: until the session ends, or for the longest time allowed."
    )


class ShareOut(BaseModel):
    """A share of one of your sessions: with a user, all members of a group, or whoever has a key."""

    model_config = ConfigDict(extra="forbid")

    id: int
    port: int | None
    mode: Mode = Field(description="Whether they may use it as you, or only look.")
    user: str | None
    group: str | None
    key_name: str | None
    key: str = Field(description="The key, in the answer to the request that made it alone; else empty.")
    created_at: datetime
    ends_at: datetime = Field(description="It ends earlier if the session does, or if its owner ends it.")
    link: str = Field(
        description="What to send to the people it is shared with: it works for nobody else. With a key: the address "
        "for programs, which send the key as `Authorization: Bearer KEY`."
    )


class ShareList(BaseModel):
    """Shares of a session, oldest first, and what may be shared."""

    items: list[ShareOut]
    app: bool = Field(description="Whether the session's app itself may be shared.")
    ports: bool = Field(description="Whether ports of it may be shared.")
    keys: bool = Field(description="Whether what may be shared to use may be shared with a key.")
    max_hours: int = Field(description="The longest time of a share.")
    reason: str = Field(description="Why the app may not be shared; empty if it may.")
    modes: list[Mode] = Field(description="What the app may be shared for; empty if it may not be shared.")
    mode_reason: str = Field(description="Why you cannot choose between looking and using the app; empty if you can.")


class SharedOut(BaseModel):
    """What another user shares with you."""

    model_config = ConfigDict(extra="forbid")

    id: int
    owner: str
    session: str = Field(description="The session's name.")
    app_title: str
    port: int | None
    mode: Mode = Field(description="Whether you may use it as its owner, or only look.")
    ends_at: datetime
    link: str


class SharedList(BaseModel):
    """What other users share with you now, oldest first."""

    items: list[SharedOut]


class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    state: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9_-]{16,64}$",
        description="What the session's host gave the browser, which binds the login to it.",
    )


class EntryOut(BaseModel):
    location: str = Field(description="URL for the browser to open next.")


class GuestAsk(BaseModel):
    """What an agent asks about a guest: a new one by the code from the URL, a known one by its login, or by a key."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field("", max_length=100)
    login: str = Field("", max_length=4000)
    key: str = Field("", max_length=100)
    peer: str = Field("", max_length=100, description="Who sent a key that the agent does not know; empty for others.")
    forwarded: str = Field("", max_length=4000, description="The X-Forwarded-For of that request.")


class GuestOut(BaseModel):
    """A guest of a session. `login` is for asking again, and means nothing to anybody but the portal.

    It is empty for who came with a key.
    """

    user: str
    port: int | None
    mode: Mode
    ends_in_s: float
    landing: str
    login: str


class GuestAnswer(BaseModel):
    guest: GuestOut | None
    wait_s: float | None = Field(None, description="Seconds until a key from this address is checked again.")
