"""Builds the single-file door: `/usr/bin/python3 door/build.py OUT`, with the Python that will run it.

A zip that Python runs, with the modules compiled beside their source: this Python starts it without compiling, any
other falls back to the source.
"""

from __future__ import annotations

import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "portal_door"
PYTHON = b"#!/usr/bin/python3 -IS\n"
ENTRY = f"from {PACKAGE}.__main__ import main\nmain()\n"
LEFT_OUT = {"build.py"}


def build(target: Path) -> Path:
    """Write the door to `target` atomically, mode 0755."""
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".door-") as folder:
        entry, made = Path(folder, "__main__.py"), Path(folder, "door")
        entry.write_text(ENTRY)
        with made.open("wb") as file:
            file.write(PYTHON)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                _add(archive, entry, "__main__.py")
                for source in sorted(Path(__file__).parent.glob("*.py")):
                    if source.name not in LEFT_OUT:
                        _add(archive, source, f"{PACKAGE}/{source.name}")
        made.chmod(0o755)
        made.replace(target)
    return target


def _add(archive: zipfile.ZipFile, source: Path, name: str) -> None:
    archive.write(source, name)
    with tempfile.TemporaryDirectory() as folder:
        compiled = py_compile.compile(
            str(source),
            cfile=str(Path(folder, "module.pyc")),
            dfile=name,
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        archive.write(str(compiled), f"{name}c")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 door/build.py OUT")
    print(build(Path(sys.argv[1])))
