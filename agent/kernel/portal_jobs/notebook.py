"""Submits a notebook as a job: a copy with its parameters set, executed from top to bottom."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import time
from pathlib import Path
from typing import Any, Mapping

from .client import PortalError
from .jobs import Job, run

FOLDER = Path("~/.portal/jobs")


def submit_notebook(
    path: str | os.PathLike[str] | None = None, parameters: Mapping[str, Any] | None = None, **form: Any
) -> Job:
    """Submit a notebook (default: this one) to be executed from top to bottom; the result is written beside it.

    Parameters are set in a new cell after the cell tagged `parameters`, or at the top.
    """
    source = Path(path or _this_notebook()).expanduser().resolve()
    notebook = json.loads(source.read_text(encoding="utf-8"))
    _parameterize(notebook, parameters or {})
    folder = FOLDER.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / f"{source.stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.ipynb"
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    jupyter = shutil.which("jupyter") or "jupyter"
    words = [jupyter, "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=-1"]
    lines = [
        *(f"export {name}={shlex.quote(os.environ[name])}" for name in ("JUPYTER_PATH",) if name in os.environ),
        f"cd {shlex.quote(str(source.parent))}",
        f"{shlex.join(words)} --output-dir . "
        f'--output {shlex.quote(source.stem)}-"$SLURM_JOB_ID".ipynb {shlex.quote(str(copy))}',
    ]
    return run("\n".join(lines), **{"name": _plain(source.stem), **form})


def _plain(name: str) -> str:
    return (
        "".join(character if character.isalnum() or character in " ._-" else "_" for character in name)[:100]
        or "notebook"
    )


def _parameterize(notebook: dict[str, Any], parameters: Mapping[str, Any]) -> None:
    for name in parameters:
        if not name.isidentifier():
            raise PortalError(f"{name!r} is not a variable name.")
    if not parameters:
        return
    cells = notebook["cells"]
    tagged = [at for at, cell in enumerate(cells) if "parameters" in cell.get("metadata", {}).get("tags", ())]
    lines = "".join(f"{name} = {value!r}\n" for name, value in parameters.items())
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"tags": ["injected-parameters"]},
        "outputs": [],
        "source": f"# Parameters\n{lines}",
    }
    if notebook.get("nbformat_minor", 0) >= 5:
        cell["id"] = "injected-parameters"
    cells.insert(tagged[0] + 1 if tagged else 0, cell)


def _this_notebook() -> str:
    path = os.environ.get("JPY_SESSION_NAME", "")
    if not path.endswith(".ipynb"):
        raise PortalError("Cannot tell which notebook this is; give its file name.")
    return path
