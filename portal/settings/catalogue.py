"""What sessions are made of besides their apps and environments: mounts, templates."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from portal.settings.base import Name, Section


class Mount(Section):
    name: Name = Field(description="The link's name in the session's home.")
    path: Path = Field(description="What it points to, on the compute nodes.")
    title: str = Field("", description="Shown in the web app.")


class Templates(Section):
    folders: list[Path] = Field(default_factory=list, description="Folders with an index.toml each, seen by nodes.")
