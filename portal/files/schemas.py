"""Request and response bodies of files."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from portal.files.types import FileKind


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class FileEntry(Wire):
    name: str
    kind: FileKind
    size: int = Field(description="Bytes.")
    modified: datetime | None


class TextOut(Wire):
    """A small text file as it is now."""

    path: str = Field(description="As requested.")
    text: str
    size: int = Field(description="Bytes.")


class FilesOut(Wire):
    """A path and, for a folder, its contents."""

    path: str = Field(description="As requested.")
    kind: FileKind
    entries: list[FileEntry]
    truncated: bool = Field(description="Whether the folder has more entries than are listed.")
