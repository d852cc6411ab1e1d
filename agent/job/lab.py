"""Unpacks the portal's JupyterLab extension (`agent/lab`) for the session's Jupyter, and the `portal_jobs` package
(`agent/kernel`) for its kernels.

They go into the session's own folder, which is removed with the session. Nothing is installed into an environment, so
every environment gets them, in the portal's version.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

PACKAGE = "portal_lab"
PACKED = "lab/"
#: Modules that every Python kernel of the session can import, whatever its environment.
FOR_KERNELS = "kernel/"
CONFIG = {"ServerApp": {"jpserver_extensions": {PACKAGE: True}}}
BASHRC = "terminal.bashrc"


def bring(folder: Path, archive: str) -> None:
    """Unpack the extension into `folder`, which is on JUPYTER_CONFIG_PATH, and let this process's Jupyter find it.

    Raises OSError, or BadZipFile if `archive` is not the agent's file.
    """
    unpack(archive, folder)
    config = folder / "jupyter_server_config.d"
    config.mkdir(exist_ok=True)
    (config / f"{PACKAGE}.json").write_text(json.dumps(CONFIG))
    _terminals(folder)
    sys.path.append(str(folder / "extensions"))
    _for_kernels("PYTHONPATH", folder / "kernel")
    _for_kernels("JUPYTER_PATH", folder / "share")


def _terminals(folder: Path) -> None:
    """Start bash in JupyterLab's terminals so that it finds the session's programs.

    Jupyter starts a login shell, whose /etc/profile resets PATH. Other shells stay as Jupyter starts them.
    """
    shell = os.environ.get("SHELL") or shutil.which("bash") or ""
    if os.path.basename(shell) != "bash":
        return
    command = [shell, "--rcfile", str(folder / "extensions" / PACKAGE / BASHRC)]
    config = {"ServerApp": {"terminado_settings": {"shell_command": command}}}
    # Jupyter reads only extensions from jupyter_server_config.d.
    (folder / "jupyter_server_config.json").write_text(json.dumps(config))


def _for_kernels(variable: str, folder: Path) -> None:
    """Prepend `folder` to a path variable for this process's children."""
    paths = [str(folder), os.environ.get(variable, "")]
    os.environ[variable] = os.pathsep.join(path for path in paths if path)


def unpack(archive: str, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            target = _target(folder, name)
            if target is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.read(name))


def _target(folder: Path, name: str) -> Path | None:
    """Return where a file of the archive goes; None for the agent's own."""
    if name.startswith(FOR_KERNELS):
        return folder / name
    if not name.startswith(PACKED):
        return None
    inner = name[len(PACKED) :]
    if inner.startswith("labextension/"):
        return folder / "share" / "labextensions" / "portal-lab" / inner[len("labextension/") :]
    return folder / "extensions" / PACKAGE / inner
