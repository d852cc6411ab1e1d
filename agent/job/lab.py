"""Brings the portal's extension of JupyterLab (`agent/lab`) from the agent's one file to the session's Jupyter,
and to its kernels what a notebook can say to the portal (`agent/kernel`).

Unpacked into the session's own folder, which goes with the session: nothing is installed into an environment, so that
every environment has it, in the version of the portal.
"""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path

PACKAGE = "portal_lab"
PACKED = "lab/"
#: Modules that every Python kernel of the session can import, whatever its environment.
FOR_KERNELS = "kernel/"
CONFIG = {"ServerApp": {"jpserver_extensions": {PACKAGE: True}}}


def bring(folder: Path, archive: str) -> None:
    """Unpack the extension into `folder`, a folder of JUPYTER_CONFIG_PATH, and have this process's Jupyter find it.

    Raises OSError, or BadZipFile when `archive` is not the agent's file.
    """
    _unpack(archive, folder)
    config = folder / "jupyter_server_config.d"
    config.mkdir(exist_ok=True)
    (config / f"{PACKAGE}.json").write_text(json.dumps(CONFIG))
    sys.path.append(str(folder / "extensions"))
    _for_kernels("PYTHONPATH", folder / "kernel")
    _for_kernels("JUPYTER_PATH", folder / "share")


def _for_kernels(variable: str, folder: Path) -> None:
    """Put `folder` before what a path variable has, for this process's children."""
    paths = [str(folder), os.environ.get(variable, "")]
    os.environ[variable] = os.pathsep.join(path for path in paths if path)


def _unpack(archive: str, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            target = _target(folder, name)
            if target is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.read(name))


def _target(folder: Path, name: str) -> Path | None:
    """Where a file of the archive goes; None for the agent's own."""
    if name.startswith(FOR_KERNELS):
        return folder / name
    if not name.startswith(PACKED):
        return None
    inner = name[len(PACKED) :]
    if inner.startswith("labextension/"):
        return folder / "share" / "labextensions" / "portal-lab" / inner[len("labextension/") :]
    return folder / "extensions" / PACKAGE / inner
