"""What a program has put on the disk: a library, preloaded, notes how long each file is whenever it is synced."""

from __future__ import annotations

import subprocess
from pathlib import Path


def build(folder: Path) -> Path:
    """Compile the library into a folder; return it. It writes to the file that SYNCED_NOTES names."""
    library = folder / "synced.so"
    source = Path(__file__).with_name("synced.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def lengths(notes: Path) -> dict[Path, int]:
    """Return how long each file was, in bytes, when it was last synced."""
    lines = (line.split(" ", 1) for line in notes.read_text().splitlines())
    return {Path(path): int(length) for length, path in lines}
