"""Writing on shared storage where root may be nobody: NFS servers squash it (exports(5), "User ID Mapping")."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from portal.errors import ConfigurationError

SQUASHED = (
    "The folder is probably exported with root_squash. On the file server, make the portal's account its owner and run "
    "this command again: it then writes as that account. Or export the folder to this machine with no_root_squash."
)


@contextmanager
def writing_below(folder: Path) -> Iterator[None]:
    """Let root write below `folder` in the block: as the folder's owner, where root itself may not.

    Nobody may write to a read-only file system, and what is up to date there need not be written: the block decides.

    Raises ConfigurationError if root may not, and owns the folder.
    """
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if os.geteuid() != 0 or os.access(there, os.W_OK) or os.statvfs(there).f_flag & os.ST_RDONLY:
        yield
        return
    owner = there.stat()
    if owner.st_uid == 0:
        raise ConfigurationError(f"root is not allowed to write to {there}.", hint=SQUASHED)
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
