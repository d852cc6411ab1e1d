"""What sessions are made of besides their apps: environments, mounts, templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from portal.settings.base import Name, Section


class Mount(Section):
    name: Name = Field(description="The link's name in the session's home.")
    path: Path = Field(description="What it points to, on the compute nodes.")
    title: str = Field("", description="Shown in the web app.")


class Environment(Section):
    title: str = Field(description="Shown in New session.")
    description: str = ""
    path: Path = Field(description="A virtual or conda environment, as seen on the compute nodes.")
    packages: tuple[Path, ...] = Field(
        (),
        description="Locked requirements (a file or a list of them: the first that this machine can get is taken); "
        "with them, `portal environments install NAME` makes the environment.",
    )
    extends: Name | None = Field(None, description="Environment that serves Jupyter; this one is then a kernel in it.")
    version: str = ""
    size_mb: int = Field(0, description="Roughly, once installed; shown before installing.")

    @field_validator("packages", mode="before")
    @classmethod
    def _one_lock(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str | Path) else value


class Templates(Section):
    folders: list[Path] = Field(default_factory=list, description="Folders with an index.toml each, seen by nodes.")
