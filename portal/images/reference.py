"""References to images in registries: `docker://HOST/REPOSITORY:TAG`, or `@sha256:…` in place of the tag."""

from __future__ import annotations

import re
from dataclasses import dataclass

HOST = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?"
REPOSITORY = r"[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*"
TAG = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
REFERENCE = rf"^docker://{HOST}/{REPOSITORY}(?::{TAG}|@sha256:[0-9a-f]{{64}})$"

_PARTS = re.compile(
    rf"docker://(?P<host>{HOST})/(?P<repository>{REPOSITORY})(?::(?P<tag>{TAG})|@(?P<digest>sha256:\w+))"
)


@dataclass(frozen=True, slots=True)
class Reference:
    host: str
    repository: str
    tag: str | None
    digest: str | None

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference that matches REFERENCE. Raises ValueError."""
        match = _PARTS.fullmatch(text)
        if match is None:
            raise ValueError(f"{text[:100]!r} is not an image reference")
        return cls(match["host"], match["repository"], match["tag"], match["digest"])

    @property
    def name(self) -> str:
        """`pytorch 24.05-py3`, for display."""
        return f"{self.repository.rpartition('/')[2]} {self.tag or (self.digest or '')[7:19]}"

    @property
    def file_name(self) -> str:
        return f"{self.name.replace(' ', '_')}.sif"

    @property
    def of(self) -> str:
        """The registry's name of the manifest: the digest, or the tag."""
        return self.digest or self.tag or "latest"

    def pinned(self, digest: str | None) -> str:
        """Return the reference with `digest` in place of the tag; with the tag if the digest is None."""
        base = f"docker://{self.host}/{self.repository}"
        return f"{base}@{digest}" if digest else f"{base}:{self.tag}"
