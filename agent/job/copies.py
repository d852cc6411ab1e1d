"""Copies the site's notebook templates into the user's home.

Never overwrites a file that the user changed: `.shipped.json` records what was copied, and only a file that is
unchanged since then is replaced by a newer one, or removed when the same notebook is now at another path. Standard
library only, Python 3.8 or newer; runs in the job, as the user, before the server starts.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

FOLDER = "templates"
MANIFEST = ".shipped.json"


def bring(copies: Iterable[Mapping[str, str]], home: Path) -> list[str]:
    """Copy each `source` to `target` (relative to `home`) where nothing is lost.

    Return the failures as sentences; they do not keep the session from starting.
    """
    folder = home / FOLDER
    shipped = _read_manifest(folder / MANIFEST)
    before = dict(shipped)
    problems = []
    targets: set[str] = set()
    current: set[str] = set()
    try:
        for copy in copies:
            target = copy["target"]
            targets.add(target)
            try:
                content = Path(copy["source"]).read_bytes()
            except OSError as error:
                problems.append(
                    f"The template {target} cannot be read on this node ({error.strerror}); tell the administrators."
                )
                continue
            new = hashlib.sha256(content).hexdigest()
            there = _digest(home / target)
            if there is None or (there != new and there == shipped.get(target)):
                _write(home / target, content)
            if there in (None, new, shipped.get(target)):
                shipped[target] = new
                current.add(new)
        for target in shipped.keys() - targets:
            if shipped[target] in current and _digest(home / target) in (None, shipped[target]):
                _remove(home / target)
                del shipped[target]
        if shipped != before:
            _write(folder / MANIFEST, json.dumps(shipped, indent=1, sort_keys=True).encode())
    except OSError as error:
        problems.append(
            f"The templates could not be copied to your home ({error.strerror}). "
            "Free some space there, or move files that are in the way, and start a new session."
        )
    return problems


def _read_manifest(path: Path) -> dict[str, str]:
    """Read the manifest. If it is missing or broken, nothing is known, so no existing file is replaced."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in content.items()} if isinstance(content, dict) else {}


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _remove(path: Path) -> None:
    """Remove a copy whose content is now at another path, and its folder if nothing else is in it."""
    with suppress(OSError):  # the old copy can stay
        path.unlink()
        path.parent.rmdir()


def _write(path: Path, content: bytes) -> None:
    """Write the whole file or nothing: a full disk must not leave half a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
