"""The parts of this version that live outside its package: door, agent, templates. Replaced at each upgrade."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from portal.errors import ConfigurationError
from portal.settings import Settings
from portal.shipped import AGENT, DOOR, TEMPLATES

SYSTEM_PYTHON = Path("/usr/bin/python3")
"""For the door: only root can change what it imports."""


def of_site(settings: Settings) -> tuple[Path, Path, Path | None]:
    """Return where a site has its door, its agent and its first folder of templates.

    Raises ConfigurationError if the door's configuration does not say.
    """
    door = Path(settings.slurm.door[-1])
    config = door.with_name(f"{door.name}.json")
    try:
        agent = Path(json.loads(config.read_text())["agent"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{config} does not say where the agent is: {error}.") from error
    return door, agent, next(iter(settings.templates.folders), None)


def put_door(target: Path) -> None:
    """Build the door with the Python that will run it."""
    _run([SYSTEM_PYTHON, "-I", DOOR / "build.py", target])


def put_agent(target: Path) -> None:
    _run([sys.executable, "-I", AGENT / "build.py", target])


def put_templates(target: Path) -> None:
    """Copy the shipped templates into `target`: each changed file is replaced as a whole; other files stay.

    Raises ConfigurationError if a file cannot be written. A read-only folder that is up to date is fine.
    """
    for source in sorted(TEMPLATES.rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            to = target / source.relative_to(TEMPLATES)
            try:
                _put(source.read_bytes(), to)
            except OSError as error:
                raise ConfigurationError(
                    f"{to} cannot be written: {error.strerror}.",
                    hint=f"Make {target} writable for this account, or name another folder first in templates.folders.",
                ) from error


def _put(content: bytes, to: Path) -> None:
    if to.is_file() and to.read_bytes() == content:
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=to.parent, prefix=".new-", delete=False) as new:
        new.write(content)
    Path(new.name).chmod(0o644)
    Path(new.name).replace(to)


def _run(argv: Sequence[str | Path]) -> None:
    done = subprocess.run(
        [str(argument) for argument in argv], capture_output=True, text=True, timeout=120, check=False, cwd="/"
    )
    if done.returncode:
        message = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ConfigurationError(f"{Path(argv[-1])} could not be built: {message}", hint="Fix it and run this again.")
