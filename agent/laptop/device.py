"""What is kept on this machine: the portal's address and this device's token, readable only by its user."""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import sys
from pathlib import Path
from typing import NamedTuple

from .errors import NotLoggedIn


class Device(NamedTuple):
    url: str
    username: str
    token: str


def folder() -> Path:
    """Return the folder of this program's own settings."""
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home()) / "portal"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "portal"


def _file() -> Path:
    return folder() / "device.json"


def load() -> Device:
    """Return what `portal login` has kept. Raises NotLoggedIn."""
    try:
        kept = json.loads(_file().read_text())
        return Device(str(kept["url"]), str(kept["username"]), str(kept["token"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotLoggedIn("You are not logged in on this machine. Run: portal login") from error


def keep(device: Device) -> None:
    """Keep the login with mode 0600, whole or not at all. Raises OSError."""
    write_private(_file(), json.dumps(device._asdict()) + "\n")


def forget() -> bool:
    """Delete the login; return whether there was one."""
    with contextlib.suppress(FileNotFoundError):
        _file().unlink()
        return True
    return False


def write_private(path: Path, text: str) -> None:
    """Write a file that only its user can read, atomically. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    with contextlib.suppress(FileNotFoundError):
        beside.unlink()
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    os.replace(beside, path)


def shipped() -> dict[str, str]:
    """Return what the portal wrote into this file: its `version`, and the `url` that it came from."""
    try:
        return dict(json.loads(pkgutil.get_data(__package__ or "", "shipped.json") or b"{}"))
    except (OSError, ValueError):
        return {}


def program() -> Path:
    """Return the path of the running program."""
    return Path(sys.argv[0]).resolve()
