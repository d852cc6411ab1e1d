"""Small images for tests, made from the machine's own programs: no network, no debootstrap."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

STANDARD_LIBRARY = Path(f"/usr/lib/python3.{sys.version_info.minor}")
KERNEL_PACKAGES = """
ipykernel ipykernel_launcher IPython traitlets jupyter_client jupyter_core tornado zmq pyzmq comm matplotlib_inline
debugpy psutil nest_asyncio nest_asyncio2 prompt_toolkit pygments jedi parso stack_data executing asttokens pure_eval
decorator pexpect ptyprocess wcwidth packaging platformdirs dateutil six typing_extensions ipython_pygments_lexers
"""
FOLDERS = ("bin", "dev", "etc", "home", "lib", "lib64", "proc", "root", "run", "sys", "tmp", "usr/bin", "var/tmp")


def needed_by(program: Path) -> list[Path]:
    """Return the libraries that a program is linked with, including its loader."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return [Path(path) for path in re.findall(r"(?:=> )?(/\S+) \(0x", listed)]


def small_root(*programs: str) -> list[tuple[str, Path]]:
    """Return names and files of a root that can run `programs`."""
    paths: dict[str, Path] = {}
    for program in map(Path, programs):
        paths[str(program).lstrip("/")] = program.resolve()
        for library in needed_by(program):
            paths[str(library).lstrip("/")] = library.resolve()
    return list(paths.items())


def write_root(folder: Path, *programs: str) -> Path:
    """Make a sandbox folder with `programs` and /bin/sh."""
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, source in small_root("/bin/sh", "/usr/bin/env", "/bin/cat", "/usr/bin/id", "/usr/bin/printf", *programs):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755)
    return folder


#: What the desktop's programs read, besides libraries.
DESKTOP_DATA = (
    *("etc/fonts", "etc/X11/app-defaults", "etc/xdg/openbox", "lib/terminfo"),
    *("usr/share/X11", "usr/share/fontconfig", "usr/share/fonts/truetype/dejavu", "usr/share/themes/Clearlooks"),
)


def write_desktop(folder: Path) -> Path:
    """Make a sandbox with Xvnc, Openbox and xterm, and what these need."""
    write_root(folder, "/usr/bin/Xvnc", "/usr/bin/xkbcomp", "/usr/bin/openbox", "/usr/bin/xterm", "/usr/bin/xsetroot")
    for name in DESKTOP_DATA:
        shutil.copytree(Path("/", name), folder / name, dirs_exist_ok=True)
    shutil.copyfile("/usr/bin/openbox-session", folder / "usr/bin/openbox-session")
    (folder / "usr/bin/openbox-session").chmod(0o755)
    return folder


def add_python_kernel(folder: Path, packages: Path) -> None:
    """Give a sandbox the machine's Python 3, and ipykernel with what it needs from `packages` (site-packages)."""
    left_out = shutil.ignore_patterns(
        "__pycache__", "test", "tests", "idlelib", "tkinter", "ensurepip", "config-3*", "lib2to3"
    )
    library = folder / STANDARD_LIBRARY.relative_to("/")
    shutil.copytree(STANDARD_LIBRARY, library, ignore=left_out, dirs_exist_ok=True)
    for program in (Path("/usr/bin/python3"), *(library / "lib-dynload").glob("*.so")):
        bring(folder, needed_by(program))
    (folder / "usr/bin/python3").unlink(missing_ok=True)
    shutil.copyfile(Path("/usr/bin/python3").resolve(), folder / "usr/bin/python3")
    (folder / "usr/bin/python3").chmod(0o755)
    local = folder / "usr/local/lib" / STANDARD_LIBRARY.name / "dist-packages"
    for name in KERNEL_PACKAGES.split():
        for source in [*packages.glob(name), *packages.glob(f"{name}.py"), *packages.glob(f"{name}*.libs")]:
            target = local / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    for program in local.glob("*/**/*.so"):
        bring(folder, needed_by(program))


def bring(folder: Path, libraries: list[Path]) -> None:
    """Copy the machine's libraries to the same places below `folder`; existing files stay."""
    for library in libraries:
        target = folder / str(library).lstrip("/")
        if not target.exists() and not library.is_relative_to(folder):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(library.resolve(), target)
            target.chmod(0o755)
