"""Mail and webhooks that tell users about their sessions. Both are off until the site names a server or hosts."""

from __future__ import annotations

from email.errors import MessageError
from email.headerregistry import Address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from portal.settings.base import Section

LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORTS = {"starttls": 587, "tls": 465, "none": 25}
#: A host, or `*.` and the domain whose hosts are all meant; with its port unless that is 443.
WebhookHost = Annotated[str, Field(pattern=r"^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$")]


class Mail(Section):
    server: str = Field("", description="SMTP server. Empty: the portal sends no mail.")
    port: int | None = Field(
        None, ge=1, le=65_535, description="Default: 587 with `starttls`, 465 with `tls`, 25 with `none`."
    )
    security: Literal["starttls", "tls", "none"] = Field(
        "starttls",
        description="How the connection is encrypted; the server's certificate is verified. `none` is only for a "
        "server on this machine.",
    )
    ca_file: Path | None = Field(None, description="CA of the server's certificate. Default: the system's.")
    username: str = Field("", description="Login at the server. Empty: no login.")
    password_file: Path | None = Field(None, description="File with the password of `username`.")
    sender: str = Field("", description="Address that mail comes from.")
    timeout_s: float = Field(20.0, gt=0, le=120, description="How long the server may take for each step.")

    @field_validator("sender")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value:
            try:
                Address(addr_spec=value)
            except (MessageError, ValueError, IndexError) as error:
                raise ValueError("not a mail address, such as portal@example.org") from error
        return value

    @model_validator(mode="after")
    def _complete(self) -> Mail:
        if self.server and not self.sender:
            raise ValueError("sender: set the address that mail comes from")
        if self.username and self.password_file is None:
            raise ValueError("password_file: set it, since username is set")
        if self.server and self.security == "none" and self.server not in LOOPBACK:
            raise ValueError(f"security: {self.server} is not this machine; use starttls or tls")
        return self

    @property
    def at(self) -> int:
        return self.port or PORTS[self.security]


class Webhooks(Section):
    hosts: list[WebhookHost] = Field(
        default_factory=list,
        description="Hosts on the internet that users' webhooks may call: `hooks.slack.com`, "
        "`*.webhook.office.com`. Empty, like `private_hosts`: users have no webhooks.",
    )
    private_hosts: list[WebhookHost] = Field(
        default_factory=list,
        description="Hosts of your own network that users' webhooks may call, such as your Mattermost.",
    )
    ca_file: Path | None = Field(None, description="CA of these hosts' certificates. Default: the system's.")
    timeout_s: float = Field(10.0, gt=0, le=60, description="How long a receiver may take.")

    @property
    def on(self) -> bool:
        return bool(self.hosts or self.private_hosts)


class Notifications(Section):
    mail: Mail = Mail()
    webhooks: Webhooks = Webhooks()
    ending_minutes: int = Field(
        15,
        ge=1,
        le=1440,
        description='Minutes before a session\'s time limit at which "ending soon" is sent; for short sessions at most '
        "a quarter of their time.",
    )
    idle_minutes: int = Field(
        60, ge=5, le=10_080, description='Minutes without use of any of its GPUs after which "idle" is sent.'
    )
    hourly_per_user: int = Field(60, ge=1, le=10_000, description="Most messages to one user within an hour.")
