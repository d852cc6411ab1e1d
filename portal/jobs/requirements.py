"""Finds what a script requires and its environment lacks, before submission.

Judges only what this machine can see: environments that are folders, and the system's own programs. What modules,
images or the script's own lines add is unknown here and assumed to be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from portal.jobs.script.form import JobForm
from portal.settings import Environment

_PROGRAMS = (Path("/usr/bin"), Path("/usr/local/bin"))
_PACKAGES = (Path("/usr/lib"), Path("/usr/local/lib"))
#: Lines with which a script sets up software itself.
_OWN = re.compile(r"\bPATH=|\bconda\b|\bmodule\b|\bactivate\b|\b(source|apptainer|singularity)\s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A program or a Python package; `used` finds it in a script, `brings` says in words what provides it."""

    brings: str
    used: re.Pattern[str]
    program: str = ""
    package: str = ""

    def met_by(self, environment: Environment) -> bool:
        programs = environment.programs
        return programs is not None and self._in([programs], [programs.parent / "lib"])

    def met_by_system(self) -> bool:
        return self._in(_PROGRAMS, _PACKAGES)

    def _in(self, programs: Iterable[Path], libraries: Iterable[Path]) -> bool:
        if self.program:
            return any((folder / self.program).exists() for folder in programs)
        kept = ("site-packages", "dist-packages")
        return any(
            (python / name / self.package).is_dir()
            for lib in libraries
            for python in lib.glob("python3*")
            for name in kept
        )


TORCHRUN = Requirement("PyTorch", re.compile(r"\btorchrun\b"), program="torchrun")
TENSORFLOW = Requirement("TensorFlow", re.compile(r"^\s*import tensorflow\b", re.M), package="tensorflow")
NBCLIENT = Requirement("Jupyter", re.compile(r"^\s*(from|import) nbclient\b", re.M), package="nbclient")
MPI = Requirement("MPI for Python (mpi4py)", re.compile(r"^\s*(from|import) mpi4py\b", re.M), package="mpi4py")
ALL = (TORCHRUN, TENSORFLOW, NBCLIENT, MPI)


def where(need: Requirement, environments: Mapping[str, Environment]) -> tuple[str | None, str | None]:
    """Return the first environment that has it, None if the system has; and the caution if neither does."""
    for name, environment in environments.items():
        if need.met_by(environment):
            return name, None
    if need.met_by_system():
        return None, None
    return None, f"It needs {need.brings}, which no environment here is known to have. {_ADVICE}"


def cautions(form: JobForm, environments: Mapping[str, Environment]) -> list[str]:
    """Return what a job is likely to lack where it runs."""
    chosen = environments.get(form.environment or "")
    if chosen is not None and chosen.programs is None:
        return []
    if form.modules or _OWN.search(form.command):
        return []
    wanted = [need for need in ALL if need.used.search(form.command)]
    if chosen is None:
        missing = [need for need in wanted if form.environment is None and not need.met_by_system()]
        return [f"It uses {need.brings}, but no environment that has it is chosen. {_ADVICE}" for need in missing]
    missing = [need for need in wanted if not need.met_by(chosen)]
    return [f"It uses {need.brings}, which “{chosen.title}” does not have. {_ADVICE}" for need in missing]


_ADVICE = "Choose an environment or load modules that provide it."
