"""Build the single-file agent: `python agent/build.py OUT`.

A zip that Python runs, with the modules of `job`, the packages `h11` and `wsproto` and, if installed here, NVIDIA's
single-file `pynvml`. Modules are stored compiled beside their source: a node with the same Python starts faster, any
other falls back to the source.
`lab` and `kernel` are added as they are, for the session's JupyterLab and its kernels.
"""

from __future__ import annotations

import importlib.util
import os
import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "portal_agent"
HERE = Path(__file__).resolve().parent
JOB, LAB, KERNEL = HERE / "job", HERE / "lab", HERE / "kernel"
# The built web app, in a checkout and in the wheel (portal/data/agent); it contains the scripts of our own apps' pages.
WEB_APP = (HERE.parent / "frontend" / "dist", HERE.parents[1] / "web")
PAGES = ("terminal.js", "desktop.js")
# What speaks HTTP and websockets in the job: pure Python, and in these versions for Python 3.8.
PACKAGES = ("h11", "wsproto")
ENTRY = f"import sys\nfrom {PACKAGE}.__main__ import main\nsys.exit(main())\n"


def build(target: Path) -> Path:
    """Write the agent to `target` atomically with mode 0644, so that starting jobs see the old file or the new one."""
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".agent-")
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("__main__.py", ENTRY)
            for source in sorted(JOB.rglob("*.py")):
                _add(archive, source, f"{PACKAGE}/{source.relative_to(JOB)}")
            for script in sorted((JOB / "proxy" / "page").iterdir()):  # most are links into LAB
                archive.write(script, f"{PACKAGE}/{script.relative_to(JOB)}")
            for folder in (LAB, KERNEL):
                for part in sorted(folder.rglob("*")):
                    if part.is_file() and "__pycache__" not in part.parts:
                        archive.write(part, part.relative_to(HERE).as_posix())
            for name in PAGES:
                for script in (folder / name for folder in WEB_APP):
                    if script.is_file():
                        archive.write(script, f"{PACKAGE}/{name}")
                        break
            for package in PACKAGES:
                for source in sorted(_folder(package).glob("*.py")):
                    _add(archive, source, f"{package}/{source.name}")
            nvml = importlib.util.find_spec("pynvml")
            if nvml is not None and nvml.origin:
                _add(archive, Path(nvml.origin), "pynvml.py")
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return target


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.origin:
        raise FileNotFoundError(f"The agent contains {package}, which is not installed here.")
    return Path(spec.origin).parent


def _add(archive: zipfile.ZipFile, source: Path, name: str) -> None:
    archive.write(source, name)
    with tempfile.TemporaryDirectory() as folder:
        compiled = py_compile.compile(
            str(source),
            cfile=str(Path(folder) / "module.pyc"),
            dfile=name,
            doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        archive.write(str(compiled), f"{name}c")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python agent/build.py OUT")
    print(build(Path(sys.argv[1])))
