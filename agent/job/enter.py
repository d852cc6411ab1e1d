"""Runs a command inside an environment: `enter-modules` loads environment modules first, `enter-image` goes through
Apptainer or Singularity.

The options come from the portal, the variables from the agent; no shell reads anything on the way.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import NoReturn

from .modules import ModuleError, load

CANNOT_ENTER = 78  # EX_CONFIG of sysexits(3)
NO_JUPYTER = NO_PROGRAM = 69  # EX_UNAVAILABLE
LACKS = " is not in this environment."

# Set for the node; inside an image they would hide the image's own values. JPY_PARENT_PID: a kernel in its own process
# namespace would think that its parent is dead.
NOT_INTO_IMAGES = frozenset(
    [
        "PATH",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "PYTHONPATH",
        "PYTHONHOME",
        "SHELL",
        "TMPDIR",
        "HOME",
        "PWD",
        "OLDPWD",
        "JPY_PARENT_PID",
    ]
)
#: Where `--nv` mounts the driver's libraries. Images that Apptainer built name it themselves; a plain folder does not.
NV_LIBRARIES = "/.singularity.d/libs"
OUTSIDE = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR")


def main(verb: str, arguments: list[str]) -> NoReturn:
    """Run `arguments` (options, `--`, a command) and never return."""
    at = arguments.index("--")
    options, command = arguments[:at], arguments[at + 1 :]
    try:
        if verb == "enter-modules":
            environ = _with_modules(options)
            _check_program(command[0], environ)
            os.execvpe(command[0], command, environ)  # noqa: S606 - an argv list, no shell
        argv = image_argv(options, command, dict(os.environ))
        os.execve(argv[0], argv, image_environ(dict(os.environ)))  # noqa: S606
    except ModuleError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or command[0]} cannot be started on this node: {error.strerror}.")


def fail(sentence: str, code: int = CANNOT_ENTER) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    raise SystemExit(code)


def _check_program(program: str, environ: dict[str, str]) -> None:
    """Exit unless the loaded modules have the program. One with a path is the node's, not the environment's."""
    if os.sep not in program and shutil.which(program, path=environ.get("PATH", os.defpath)) is None:
        fail(f"{program}{LACKS}", NO_PROGRAM)


def _with_modules(options: list[str]) -> dict[str, str]:
    parser = argparse.ArgumentParser("enter-modules", add_help=False, allow_abbrev=False)
    parser.add_argument("--command", required=True)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--load", action="append", default=[])
    chosen = parser.parse_args(options)
    return load(chosen.command, chosen.path, chosen.load, dict(os.environ))


def image_argv(options: list[str], command: list[str], environ: dict[str, str]) -> list[str]:
    """Return the argv that runs `command` in an image, isolated except for the home, the given folders and the GPUs.

    Adds `--nv` only if the job has GPUs. Also binds the folder with the session's sockets and connection files, and the
    folder of the agent's file. `/tmp` and `/var/tmp` are `tmp` and `var_tmp` in the session's folder: without
    `--workdir`, `--containall` gives them 64 MB of memory in all.
    """
    parser = argparse.ArgumentParser("enter-image", add_help=False, allow_abbrev=False)
    parser.add_argument("--apptainer", required=True)
    parser.add_argument("--image", required=True)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--bind", action="append", default=[])
    chosen = parser.parse_args(options)
    if not os.path.exists(chosen.image):
        fail(f"The image {chosen.image} does not exist on this node.")
    home = environ.get("HOME", "/")
    session = _session_folder(environ)
    folders = [*chosen.bind, *([session] if session else []), os.path.dirname(os.path.abspath(sys.argv[0]))]
    binds = [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder) and not _within(folder, home)]
    return [
        chosen.apptainer,
        "--silent",
        "exec",
        "--cleanenv",
        "--containall",
        "--no-umask",
        f"--home={home}:{home}",
        *([f"--workdir={session}"] if session else []),
        *(f"--bind={folder}:{folder}" for folder in binds),
        f"--pwd={_working_folder(home, binds)}",
        *(["--nv"] if has_gpus(environ) else []),
        *chosen.option,
        chosen.image,
        *command,
    ]


def _session_folder(environ: dict[str, str]) -> str | None:
    """Return the session's own folder on the node, which is deleted after it; None outside a session."""
    runtime = environ.get("JUPYTER_RUNTIME_DIR")
    folder = os.path.dirname(runtime) if runtime else None
    return folder if folder and os.path.isdir(folder) else None


def _working_folder(home: str, binds: list[str]) -> str:
    here = os.getcwd()
    return here if any(_within(here, folder) for folder in [home, *binds]) else home


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def has_gpus(environ: dict[str, str]) -> bool:
    """Return whether Slurm has given this job GPUs."""
    devices: str | None = environ.get("CUDA_VISIBLE_DEVICES") or environ.get("SLURM_JOB_GPUS")
    return devices not in (None, "", "NoDevFiles", "-1")


def image_environ(environ: dict[str, str]) -> dict[str, str]:
    """Return the variables for Apptainer itself. Those for inside carry its prefix, so that none appears in an argv."""
    inside = {name: value for name, value in environ.items() if name not in NOT_INTO_IMAGES}
    if has_gpus(environ):
        inside["LD_LIBRARY_PATH"] = NV_LIBRARIES
    outside: dict[str, str] = {name: environ[name] for name in OUTSIDE if name in environ}
    for prefix in ("APPTAINERENV_", "SINGULARITYENV_"):
        outside.update((prefix + name, value) for name, value in inside.items())
    return outside
