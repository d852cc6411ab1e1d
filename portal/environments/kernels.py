"""Environments as kernels of another one's Jupyter.

An environment that `extends` another brings no Jupyter server of its own. Its kernel is declared under
`share/portal` in the environment itself (not `share/jupyter`, where ipykernel's own `python3` would hide the
server's), and sessions find it through JUPYTER_PATH.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from portal.settings import Environment, Settings

SHARE = Path("share", "portal")
_LOGOS = Path("share", "jupyter", "kernels", "python3")


def jupyter_path(settings: Settings) -> list[str]:
    """Return the folders for a session's JUPYTER_PATH.

    Those not yet installed are among them: Jupyter passes over a folder that does not exist, and a running session
    sees the kernel as soon as it is there.
    """
    return [
        str(environment.path / SHARE)
        for environment in settings.environments.values()
        if environment.extends and environment.kind == "path" and environment.path
    ]


def write_kernel(folder: Path, name: str, environment: Environment) -> Path:
    """Declare the environment in `folder` as the kernel `name` and return the file.

    `folder` is what its interpreter is started from: for a build its own path, not the link to it, so that a kernel
    that runs is not moved to other packages when the link moves on.
    """
    kernel = folder / SHARE / "kernels" / name
    for part in (folder / SHARE.parent, folder / SHARE, kernel.parent, kernel):
        if not part.exists():
            part.mkdir()
            part.chmod(0o755)  # every user's Jupyter reads it, whatever our umask is
    spec = {
        "argv": [str(folder / "bin" / "python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": f"{environment.title} {environment.version}".strip(),
        "language": "python",
        "env": {"PATH": f"{folder / 'bin'}:${{PATH}}", "VIRTUAL_ENV": str(folder)},
        "metadata": {"debugger": True},
    }
    file = kernel / "kernel.json"
    file.write_text(json.dumps(spec, indent=1) + "\n")
    for logo in (folder / _LOGOS).glob("logo-*"):
        shutil.copyfile(logo, kernel / logo.name)
    for part in kernel.iterdir():
        part.chmod(0o644)
    return file
