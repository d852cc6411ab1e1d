"""The files of an environment, and the state of its last installation.

<parent>/NAME                 symlink to the build in use: swapped in one step
<parent>/.NAME/builds/<id>/   the builds: the one in use, the one before it (sessions may still run from it)
<parent>/.NAME/state.json     state, message and progress of the last installation
<parent>/.NAME/install.log    output of pip
<parent>/.NAME/lock           held during an installation, by whichever process
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from portal.environments.kernels import SHARE
from portal.errors import Conflict, InstallFailed

KEPT_BUILDS = 2
INTERRUPTED = "The last installation was interrupted. The previous installation is untouched; install it again."


class State(StrEnum):
    ABSENT = "absent"
    INSTALLING = "installing"
    INSTALLED = "installed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Status:
    state: State
    message: str = ""
    progress: int = 0


class Store:
    """The folders of one environment; `path` is the one in the settings."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.root = path.parent / f".{path.name}"
        self.builds = self.root / "builds"
        self.log = self.root / "install.log"
        self._state = self.root / "state.json"
        self._lock = self.root / "lock"

    @property
    def installed(self) -> bool:
        """Return whether the environment has a Python or declares kernels (one for R has no Python)."""
        return os.access(self.path / "bin" / "python", os.X_OK) or (self.path / SHARE / "kernels").is_dir()

    @property
    def foreign(self) -> bool:
        """Return whether `path` holds something that the portal did not create."""
        return os.path.lexists(self.path) and not (
            self.path.is_symlink() and self.path.readlink().parent == self.builds
        )

    def status(self) -> Status:
        """Return the state of the last installation; failed if its process is gone."""
        status = self._read()
        if status and status.state is State.INSTALLING and not self._locked():
            status = Status(State.FAILED, INTERRUPTED)
        if status is None or (status.state is State.INSTALLED and not self.installed):
            return Status(State.INSTALLED, "", 100) if self.installed else Status(State.ABSENT)
        return status

    def write_status(self, status: Status) -> None:
        beside = self._state.with_suffix(".new")
        beside.write_text(json.dumps(asdict(status)))
        beside.replace(self._state)

    def lock(self) -> int:
        """Take the lock and return its open file; closing it releases the lock.

        Raises Conflict if somebody else is installing, InstallFailed if the folder cannot be written.
        """
        try:
            for folder in (self.path.parent, self.root, self.builds):
                if not folder.exists():
                    folder.mkdir(parents=True)
                    folder.chmod(0o755)  # all users' sessions run from here, whatever our umask is
            handle = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise InstallFailed(
                f"{error.filename} cannot be written ({error.strerror}).",
                hint=f"Make {self.path.parent} writable by the account that the portal runs as.",
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise Conflict(
                "This environment is already being installed.",
                hint="Wait until it finishes; the list shows its progress.",
            ) from error
        return handle

    def new_build(self) -> Path:
        """Remove interrupted builds, start a log, and return the path of a new build (not created yet)."""
        self.remove_builds(keep=KEPT_BUILDS)
        self.log.write_text("")
        self.log.chmod(0o640)
        return self.builds / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}"

    def activate(self, build: Path) -> None:
        """Replace the current build with `build` in one step, so that `path` always exists."""
        beside = self.path.with_name(f".{self.path.name}.{build.name}")
        (build / ".complete").touch()
        beside.symlink_to(build)
        beside.replace(self.path)

    def remove_builds(self, *, keep: int) -> None:
        """Remove unfinished builds, and all finished ones but the newest `keep` and the one in use."""
        in_use = self.path.resolve()
        builds = sorted(self.builds.iterdir(), reverse=True)
        finished = [build for build in builds if (build / ".complete").exists()]
        for build in builds:
            if build != in_use and build not in finished[:keep]:
                shutil.rmtree(build, ignore_errors=True)

    def _read(self) -> Status | None:
        try:
            data = json.loads(self._state.read_text())
            return Status(State(data["state"]), str(data["message"]), int(data["progress"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _locked(self) -> bool:
        try:
            handle = os.open(self._lock, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False
