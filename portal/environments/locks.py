"""Reads a lock of an environment: how many packages it has, and how much room they take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from portal.errors import ConfigurationError

_REQUIREMENT = re.compile(r"^[A-Za-z0-9][\w.-]*(\[[\w,.-]+\])?==", re.MULTILINE)
_SIZE = re.compile(r"^# installed-size-mb: (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Lock:
    path: Path
    packages: int
    installed_size_mb: int

    @property
    def needed_mb(self) -> int:
        """Room to install: the packages, and their archives beside them while they are unpacked."""
        return 2 * self.installed_size_mb


def read_lock(path: Path, *, default_size_mb: int) -> Lock:
    """Read the lock at `path`; `default_size_mb` holds when its head does not name its size.

    Raises ConfigurationError when it cannot be read or holds a package without a hash.
    """
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The lock {path} cannot be read: {error}.") from error
    packages = len(_REQUIREMENT.findall(text))
    if not packages or "--hash=" not in text:
        raise ConfigurationError(
            f"{path} is not a lock: it needs pinned packages (`name==version`) with hashes.",
            hint="Make it with `uv pip compile --generate-hashes`; see docs/how-to/environments.md.",
        )
    size = _SIZE.search(text)
    return Lock(path, packages, int(size[1]) if size else default_size_mb)
