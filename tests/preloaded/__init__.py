"""Libraries that a test loads into a program: one notes what has been synced, one sets the program's clock wrong."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

FOLDER = "DSP_DEMO_PRELOADED"
"""Variable of the environment that names a folder of `prepare` to a demo site."""


def build(folder: Path, name: str) -> Path:
    """Compile a library into a folder; return it."""
    library = folder / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def prepare(folder: Path) -> None:
    """Make the folder that a demo site loads into portal and Hub: both libraries, and the files they go by."""
    for name in ("synced", "clock"):
        build(folder, name)
    notes = folder / "notes"
    notes.touch()
    notes.chmod(0o666)  # it is the portal's account that writes it
    (folder / "offset").write_bytes(bytes(8))


def set_clock(folder: Path, seconds: int) -> None:
    """Put the clocks of the programs that have `clock` ahead by so many seconds; negative: back."""
    with (folder / "offset").open("r+b") as file:  # it is mapped: never shorter
        file.write(struct.pack("=q", seconds))


def synced_lengths(notes: Path) -> dict[Path, int]:
    """Return how long each file was, in bytes, when it was last synced, from what `synced` noted in SYNCED_NOTES."""
    lines = (line.split(" ", 1) for line in notes.read_text().splitlines())
    return {Path(path): int(length) for length, path in lines}
