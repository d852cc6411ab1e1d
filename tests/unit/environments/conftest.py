"""A site with one installable environment, and a Python that stands in for venv and pip.

The name of the lock selects which recorded output of pip (tests/recorded/pip) it prints, and its exit status.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from portal.environments.schemas import EnvironmentChange
from portal.environments.service import EnvironmentService
from portal.events.bus import Bus
from portal.settings import Environment, Settings

RECORDED = Path(__file__).parents[2] / "recorded" / "pip"

STAND_IN = f"""#!{sys.executable}
import pathlib, shutil, sys, time

arguments = sys.argv[1:]
if arguments[:2] == ["-m", "venv"]:
    bin = pathlib.Path(arguments[2], "bin")
    bin.mkdir(parents=True)
    shutil.copy(__file__, bin / "python")
elif arguments[:3] == ["-m", "pip", "install"]:
    name = pathlib.Path(arguments[-1]).stem
    if name == "hangs":
        print("Collecting torch==2.13.0", flush=True)
        time.sleep(600)
    said = pathlib.Path({str(RECORDED)!r}, name + ".txt").read_text()
    print(said, end="")
    sys.exit("ERROR:" in said)
elif arguments[:3] == ["-m", "pip", "check"] and pathlib.Path(__file__).parents[3].joinpath("not-whole").exists():
    print("torch 2.13.0 requires sympy, which is not installed.")
    sys.exit(1)
"""


@pytest.fixture
def python(tmp_path: Path) -> Path:
    path = tmp_path / "python"
    path.write_text(STAND_IN)
    path.chmod(0o755)
    return path


@pytest.fixture
def lock(tmp_path: Path) -> Callable[[str], Path]:
    """Make a lock for which pip will say what was recorded under `name`."""

    def make(name: str, size_mb: int = 1) -> Path:
        path = tmp_path / f"{name}.txt"
        packages = (
            "torch==2.13.0",
            "absl-py==2.5.1",
            "tensorboard==2.21.0",
            "appnope==1.0.0 ; sys_platform == 'darwin'",
        )
        lines = [f"# installed-size-mb: {size_mb}", *(f"{package} \\\n    --hash=sha256:00" for package in packages)]
        path.write_text("\n".join(lines) + "\n")
        return path

    return make


@pytest.fixture
def site(tmp_path: Path, python: Path) -> Callable[..., Settings]:
    """Make settings with the environment `pytorch`, a kernel of `base`, from the locks given."""

    def make(*locks: Path, **settings: object) -> Settings:
        environments = {
            "base": Environment(title="Base", path=tmp_path / "base"),
            "pytorch": Environment(
                title="PyTorch", version="2.13", path=tmp_path / "envs" / "pytorch", packages=locks, extends="base"
            ),
        }
        return Settings(environments_python=python, environments=environments, **settings)  # type: ignore[arg-type]

    return make


class Heard(list[EnvironmentChange]):
    """The progress that an installation reported."""

    @property
    def messages(self) -> list[str]:
        return [change.message for change in self]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def service(site: Callable[..., Settings], lock: Callable[[str], Path]) -> EnvironmentService:
    """A service whose one lock installs."""
    return EnvironmentService(site(lock("installed")), Bus())
