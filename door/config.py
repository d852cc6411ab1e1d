"""The door's configuration: a JSON file beside it that only root can write."""

from __future__ import annotations

import json
import os
import re

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from .refused import Config

MAX_SIZE = 65_536
CONFIG: Config = {
    "bin_dir": "/usr/bin",
    "conf": None,
    "min_uid": 1000,
    "groups": [],
    "python": "/usr/bin/python3",
    "agent": "/usr/share/portal/agent.pyz",
    "session_dir": ".portal/sessions",
    "log": "/var/log/portal-door.log",
    "path": "/usr/local/bin:/usr/bin:/bin",
    "lang": "C.UTF-8",
    "umask": "0022",
    "admin_groups": [],
    "operator": "slurm",
    "extend_minutes": 0,
    "quota": "/usr/bin/quota",
}


def load_config(path: str) -> Config:
    """Read `path`. It decides what root does, so it is refused if anybody but root can write it."""
    try:
        with open(path, "rb") as file:
            stat = os.fstat(file.fileno())
            given = json.loads(file.read(MAX_SIZE))
    except (OSError, ValueError) as error:
        raise Refused("configuration", f"{path} cannot be read: {error}") from None
    if stat.st_uid != 0 or stat.st_mode & 0o022:
        raise Refused("configuration", f"{path} must be owned by root and writable by nobody else.")
    if not isinstance(given, dict) or not given.keys() <= CONFIG.keys():
        raise Refused("configuration", f"{path} has keys that this door does not know.")
    config = CONFIG | given
    if type(config["extend_minutes"]) is not int:
        raise Refused("configuration", "extend_minutes must be a whole number.")
    folder = config["session_dir"]
    if folder.startswith("/") or ".." in folder.split("/") or re.search(r"[^A-Za-z0-9_./-]", folder):
        raise Refused("configuration", "session_dir must be a plain folder under the home.")
    return config
