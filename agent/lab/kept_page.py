"""JupyterLab's page as a session leaves it in its user's home, for the next session to show before its server is there.

Standard library alone: Jupyter's extension writes it (`early_page.py`), the server's launcher reads it
(`agent/job/early.py`, through a link).
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Mapping, NamedTuple

FILE = "portal/lab-page.json"
BASE_URL, SERVER, TREE = "{portal:base_url}", "{portal:server}", "{portal:tree}"
"""What stands in the page for what differs between sessions and visits."""


class KeptPage(NamedTuple):
    """`policy`: its Content-Security-Policy. `server`, `hub`: the versions of Jupyter's server and of JupyterHub."""

    html: str
    policy: str
    server: str
    hub: str

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> KeptPage | None:
        """Return the page that the last session has left; None if there is none for this environment."""
        try:
            with open(_path(environ)) as file:
                kept = json.load(file)
            return cls(*(str(kept[name]) for name in cls._fields)) if kept["for"] == _for(environ) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, environ: Mapping[str, str]) -> None:
        """Replace the kept page. Raises OSError."""
        path = _path(environ)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        new = f"{path}.{os.getpid()}"
        try:
            with open(new, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                json.dump({"for": _for(environ), **self._asdict()}, file)
            os.replace(new, path)
        except OSError:
            with suppress(OSError):
                os.unlink(new)
            raise

    def fill(self, base_url: str, tree: str) -> str:
        """Return the page of the server at `base_url` that opens the file or folder `tree`."""
        html = self.html
        for name, value in ((BASE_URL, base_url), (SERVER, server_of(base_url)), (TREE, tree)):
            html = html.replace(name, _in_script(value))
        return html


def server_of(base_url: str) -> str:
    """Return the name of the server at `base_url`, as it stands there."""
    return base_url.rstrip("/").rpartition("/")[2]


def _path(environ: Mapping[str, str]) -> str:
    cache = environ.get("XDG_CACHE_HOME") or os.path.join(environ.get("HOME", ""), ".cache")
    return os.path.join(cache, FILE)


def _for(environ: Mapping[str, str]) -> list[str]:
    """Return what the page depends on and what is known without the server: the environment, and the portal's files.

    In an image, Python's place says little.
    """
    image = environ.get("APPTAINER_CONTAINER") or environ.get("SINGULARITY_CONTAINER", "")
    return [image, sys.prefix, environ.get("PORTAL_LAB_FILES", "")]


def _in_script(text: str) -> str:
    """Return text as part of a JSON string, inside a page's script."""
    quoted = json.dumps(text)[1:-1]
    return "".join(f"\\u{ord(char):04x}" if char in "<>&'" else char for char in quoted)
