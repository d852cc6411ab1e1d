"""The option `--config` of every command that reads the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from portal.settings import DEFAULT_PATH

Config = Annotated[
    Path | None, typer.Option("--config", help=f"portal.toml; default: $PORTAL_CONFIG, else {DEFAULT_PATH}.")
]
