"""API schemas of images, the registry's key, and the catalogue."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from portal.images.models import ImageState, Scope
from portal.images.reference import REFERENCE
from portal.one_line import OneLine


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class ImageOut(Wire):
    id: str
    title: str
    reference: str | None = Field(
        description="What it was built from, such as `docker://nvcr.io/nvidia/pytorch:24.05-py3`."
    )
    path: str
    scope: Scope
    state: ImageState
    progress: int = Field(ge=0, le=100)
    message: str
    size_mb: int | None
    digest: str | None
    job_id: int | None = Field(description="The Slurm job that pulls it.")
    environment: str | None = Field(description="Its name as an environment, once it is ready.")
    mine: bool = Field(description="Whether the caller may remove it from the list.")


class QuotaOut(Wire):
    """Space where your images are stored: of your quota if known, else of the file system, which you share."""

    total_mb: int
    free_mb: int
    own: bool = Field(description="Whether it is the caller's own quota.")


class ImagePage(Wire):
    items: list[ImageOut]
    folder: str = Field(description="Where the images that the caller pulls are stored.")
    site_folder: str | None = Field(description="Where the images for all users are stored.")
    quota: QuotaOut | None


class ImageIn(Wire):
    """Either a reference to pull, or the path of an existing image."""

    model_config = ConfigDict(extra="forbid", strict=True)

    reference: Annotated[str, Field(pattern=REFERENCE, max_length=512)] | None = None
    path: Annotated[str, Field(pattern=r"^(~/|/)[^\x00-\x1f]*$", max_length=4096)] | None = None
    title: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=100)] | None = None
    scope: Literal["user", "site"] = "user"

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.reference is None) == (self.path is None):
            raise ValueError("give either a reference or a path")
        return self


class NgcOut(Wire):
    stored: bool
    stored_at: datetime | None
    message: str = Field(description="Result of checking the key when it was stored; empty otherwise.")


class NgcIn(Wire):
    key: Annotated[SecretStr, Field(min_length=8, max_length=512)]


class TagOut(Wire):
    tag: str
    note: str


class FrameworkOut(Wire):
    framework: str
    title: str
    description: str
    repository: str = Field(description="With the registry's host; a reference is `docker://`, this, `:` and a tag.")
    tags: list[TagOut]


class CatalogueOut(Wire):
    items: list[FrameworkOut]


# --- between the job that pulls and the portal ---


class PullProgress(Wire):
    message: Annotated[str, OneLine] = Field(max_length=500)
    progress: int = Field(ge=0, le=100)


class PullEnded(Wire):
    ok: bool
    message: Annotated[str, OneLine] = Field("", max_length=1000)
    size_mb: int | None = Field(None, ge=0, le=1 << 30)
    digest: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None


class PullOrder(Wire):
    """What the job that pulls needs. The password is the user's own key, for the program that pulls only."""

    reference: str
    apptainer: str
    target: str
    work: str
    username: str | None
    password: str | None
    plain_http: bool
    size_bytes: int | None
    digest: str | None
