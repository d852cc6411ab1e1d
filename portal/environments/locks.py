"""Reads an environment's lock file: the number of packages, and the disk space they need."""

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
        """Disk space for an installation: the packages, and their archives while they are unpacked."""
        return 2 * self.installed_size_mb


def read_lock(path: Path, *, default_size_mb: int) -> Lock:
    """Read the lock at `path`; `default_size_mb` applies if its header does not state its size.

    Raises ConfigurationError if it cannot be read or has a package without a hash.
    """
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The lock {path} cannot be read: {error}.") from error
    packages = len(_REQUIREMENT.findall(text))
    if not packages or "--hash=" not in text:
        raise ConfigurationError(
            f"{path} is not a lock file: it needs pinned packages (`name==version`) with hashes.",
            hint="Make it with `uv pip compile --generate-hashes`; see docs/how-to/environments.md.",
        )
    size = _SIZE.search(text)
    return Lock(path, packages, int(size[1]) if size else default_size_mb)
