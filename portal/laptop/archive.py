"""Builds the laptop's program: one file that Python runs. Each build gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from functools import lru_cache

from portal.shipped import AGENT

PACKAGE = "portal_laptop"
SOURCES = AGENT / "laptop"
ENTRY = f"import sys\nfrom {PACKAGE}.__main__ import main\nsys.exit(main())\n"
FIRST_LINE = b"#!/usr/bin/env python3\n"
WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest date in a zip archive


@dataclass(frozen=True, slots=True)
class Program:
    content: bytes
    version: str
    sha256: str


@lru_cache(maxsize=2)
def program(url: str, version: str) -> Program:
    """Return the program of this version for the portal at `url`."""
    files = {f"{PACKAGE}/{source.name}": source.read_bytes() for source in sorted(SOURCES.glob("*.py"))}
    files[f"{PACKAGE}/shipped.json"] = json.dumps({"url": url, "version": version}).encode()
    files["__main__.py"] = ENTRY.encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), content, zipfile.ZIP_DEFLATED)
    content = FIRST_LINE + packed.getvalue()
    return Program(content, version, hashlib.sha256(content).hexdigest())
