"""What sessions use besides apps and environments: mounts, templates."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import Field, field_validator

from portal.settings.base import Name, Section


class Mount(Section):
    name: Name = Field(description="Name of the link in the session's home.")
    path: Path = Field(description="Target of the link, on the compute nodes.")
    title: str = Field("", description="Shown in the web app.")


class Repository(Section):
    url: str = Field(
        pattern=r"^(?:(?:https|ssh|file)://|[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:)[^\s\x00-\x1f-][^\s\x00-\x1f]*$",
        description="Where git fetches from: `https://…`, `ssh://…`, `git@host:path`, `file://…`; without a password.",
    )
    branch: str = Field("main", pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$", description="The branch to follow.")
    path: Path = Field(
        description="Where its files are, at the same path on the nodes; a symbolic link that each "
        "fetch points to the new version."
    )
    folder: str = Field(
        "",
        pattern=r"^[^/\x00-\x1f][^\x00-\x1f]*$|^$",
        description="Folder of the repository that has the index.toml; empty: its root.",
    )

    @field_validator("url")
    @classmethod
    def _no_password(cls, value: str) -> str:
        if re.match(r"\w+://[^/@]*:[^/@]*@", value):
            raise ValueError(
                "must not contain a password: every user of the machine would see it; use git's credential helpers"
            )
        return value

    @field_validator("branch", "folder")
    @classmethod
    def _inside(cls, value: str) -> str:
        if ".." in value or value.endswith(("/", ".lock")) or "//" in value:
            raise ValueError("must be a plain name, without '..'")
        return value


class Templates(Section):
    folders: list[Path] = Field(
        default_factory=list, description="Folders that the nodes can read, each with an index.toml."
    )
    repositories: dict[Name, Repository] = Field(
        default_factory=dict, description="Git repositories, each with an index.toml; shown after the folders."
    )
    refresh_s: float = Field(
        900.0, ge=0, description="How often repositories are fetched; 0: only by `portal templates fetch`."
    )
    fetch_timeout_s: float = Field(120.0, gt=0, description="Deadline of one fetch.")

    def all_folders(self) -> list[Path]:
        """Return every folder that has an index, in order of precedence."""
        return [*self.folders, *(repository.path / repository.folder for repository in self.repositories.values())]
