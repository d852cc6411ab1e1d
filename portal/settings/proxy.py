"""Settings of the proxy in front of everything, which `portal proxy` runs."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from portal.settings.base import Section


class Proxy(Section):
    program: Path = Field(
        Path("/opt/portal/proxy/node_modules/.bin/configurable-http-proxy"),
        description="configurable-http-proxy, as `npm ci` installed it.",
    )
    ip: str = Field("127.0.0.1", description="Address it listens on, behind a web server with TLS.")
    port: int = Field(8000, ge=1, le=65535, description="Port it listens on.")
    ssl_key: Path | None = Field(None, description="Private key, if the proxy itself serves TLS.")
    ssl_cert: Path | None = Field(None, description="Certificate for the key, with its chain.")

    @model_validator(mode="after")
    def _pair(self) -> Self:
        if (self.ssl_key is None) != (self.ssl_cert is None):
            raise ValueError("`ssl_key` and `ssl_cert` belong together")
        return self
