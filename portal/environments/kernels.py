"""Environments as kernels of another one's Jupyter.

An environment that `extends` another has no Jupyter server of its own. Its kernel is declared under
`share/portal` in the environment itself (not `share/jupyter`, where ipykernel's own `python3` would hide the
server's), and sessions find it through JUPYTER_PATH.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from portal.settings import Environment, Settings

SHARE = Path("share", "portal")
KERNELS = Path("share", "jupyter", "kernels")


def jupyter_path(settings: Settings) -> list[str]:
    """Return the folders for a session's JUPYTER_PATH.

    Environments not yet installed are included: Jupyter skips folders that do not exist, and a running session sees the
    kernel as soon as it is there.
    """
    return [
        str(environment.path / SHARE)
        for environment in settings.environments.values()
        if environment.extends and environment.kind == "path" and environment.path
    ]


def write_kernels(folder: Path, name: str, environment: Environment) -> list[Path]:
    """Declare the environment in `folder` as kernels and return their files, the one called `name` first.

    That one is its Python, if it has one; kernels of other languages in it are called `name-…`. They start from
    `folder`: for a build its own path, not the link to it, so that a running kernel does not switch packages when the
    link moves on.
    """
    own = [_python(folder)] if (folder / "bin" / "python").exists() else []
    kernels = [*own, *_others(folder)]
    title = f"{environment.title} {environment.version}".strip()
    files = []
    for number, (kernel, spec, logos) in enumerate(kernels):
        display = title if number < len(own) else f"{spec['display_name']} · {title}"
        files.append(_write(folder, f"{name}-{kernel}" if number else name, {**spec, "display_name": display}, logos))
    return files


def _python(folder: Path) -> tuple[str, dict[str, Any], Path]:
    spec = {
        "argv": [str(folder / "bin" / "python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "language": "python",
        "env": _path(folder) | {"VIRTUAL_ENV": str(folder)},
        "metadata": {"debugger": True},
    }
    return "python3", spec, folder / KERNELS / "python3"


def _others(folder: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    """Return the kernels that the environment's packages declare, except Python's: their `python` may be any."""
    for file in sorted((folder / KERNELS).glob("*/kernel.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            spec = json.loads(file.read_text())
            if spec["language"].lower() != "python":
                argv = [str(word).replace("{resource_dir}", str(file.parent)) for word in spec["argv"]]
                env = _path(folder) | spec.get("env", {})
                named = str(spec["display_name"])
                yield file.parent.name, {**spec, "argv": argv, "display_name": named, "env": env}, file.parent


def _path(folder: Path) -> dict[str, str]:
    return {"PATH": f"{folder / 'bin'}:${{PATH}}"}


def _write(folder: Path, name: str, spec: dict[str, Any], logos: Path) -> Path:
    kernel = folder / SHARE / "kernels" / name
    for part in (folder / SHARE.parent, folder / SHARE, kernel.parent, kernel):
        if not part.exists():
            part.mkdir()
            part.chmod(0o755)  # every user's Jupyter reads it, whatever our umask is
    file = kernel / "kernel.json"
    file.write_text(json.dumps(spec, indent=1) + "\n")
    for logo in logos.glob("logo-*"):
        shutil.copyfile(logo, kernel / logo.name)
    for part in kernel.iterdir():
        part.chmod(0o644)
    return file
