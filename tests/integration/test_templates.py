"""Every template runs from top to bottom, as a session would run it, and reaches the accuracy that it promises.

The environments are installed by the portal's own code, with real pip, into a cache of the clone; a changed lock makes
a new one. As in a session, the base environment runs the notebook, and the kernel is found through JUPYTER_PATH.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portal.environments import jupyter_path
from portal.environments.pip import PackageMissing
from portal.environments.service import EnvironmentService
from portal.notebooks import gallery
from portal.settings import Environment, Settings, Templates

CLONE = Path(__file__).parents[2]
LOCKS = CLONE / "requirements"
CACHE = CLONE / ".cache" / "test-environments"
PYTHON = Path("/usr/bin/python3")
PROMISED_ACCURACY = 0.95
RUN_TIMEOUT_S = 600  # seconds on a quiet machine, minutes on a busy one

RUN_NOTEBOOK = """
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
try:
    nbclient.NotebookClient(notebook, timeout=540, resources={"metadata": {"path": sys.argv[2]}}).execute()
finally:
    nbformat.write(notebook, sys.argv[3])
"""


def environment(name: str, title: str, lock: str, extends: str | None = None) -> Environment:
    file = LOCKS / lock
    mark = hashlib.sha256(file.read_bytes() + str(PYTHON.resolve()).encode()).hexdigest()[:12]
    return Environment(title=title, path=CACHE / f"{name}-{mark}", packages=(file,), extends=extends)


@pytest.fixture(scope="module")
def settings() -> Settings:
    return Settings(
        environments_python=PYTHON,
        templates=Templates(folders=[CLONE / "templates"]),
        environments={
            "base": environment("base", "Base", "session.txt"),
            "pytorch": environment("pytorch", "PyTorch", "environment-pytorch-cpu.txt", "base"),
            "tensorflow": environment("tensorflow", "TensorFlow", "environment-tensorflow-cpu.txt", "base"),
        },
    )


@pytest.fixture(scope="module")
def installed(settings: Settings) -> Callable[[str], Path]:
    """Install an environment unless the cache has it, and return its folder."""
    service = EnvironmentService(settings)

    def install(name: str) -> Path:
        if not service.is_installed(name):
            try:
                asyncio.run(service.install(name))
            except PackageMissing as missing:
                pytest.skip(f"{missing.message} PyTorch's CPU build is not in the public index.")
        return settings.environments[name].path

    return install


@pytest.fixture
def run(settings: Settings, installed: Callable[[str], Path], tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """Run a template in the base environment, in a folder of its own, and return it with its outputs."""

    def run_template(template_id: str) -> dict[str, Any]:
        (one,) = [one for one in gallery(settings).found if one.template.id == template_id]
        python = installed("base") / "bin" / "python"
        if one.template.environment:
            installed(one.template.environment)
        work, ran = tmp_path / "templates", tmp_path / "ran.ipynb"
        work.mkdir()
        env = {
            "PATH": f"{python.parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "JUPYTER_PATH": ":".join(jupyter_path(settings)),
            "CUDA_VISIBLE_DEVICES": "0,1",  # as Slurm gives them; this machine may have none that work
        }
        done = subprocess.run(
            [str(python), "-c", RUN_NOTEBOOK, str(one.path), str(work), str(ran)],
            env=env,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        notebook: dict[str, Any] = json.loads(ran.read_text())
        return notebook

    return run_template


def printed(notebook: dict[str, Any], cell_id: str | None = None) -> str:
    """What the notebook, or one cell of it, wrote."""
    cells = [cell for cell in notebook["cells"] if cell_id in (None, cell["id"])]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")


def accuracy(notebook: dict[str, Any]) -> float:
    """The number that the last cell prints."""
    found = re.search(r"^Accuracy on .*: (\d\.\d+)", printed(notebook, notebook["cells"][-1]["id"]), re.MULTILINE)
    assert found, printed(notebook)
    return float(found[1])


def plots(notebook: dict[str, Any]) -> int:
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def complaints(notebook: dict[str, Any]) -> list[str]:
    """What a reader would see on red: nothing, please."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return ["".join(output["text"]) for output in outputs if output.get("name") == "stderr"]


def test_scikit_learn_digits(run: Callable[[str], dict[str, Any]], tmp_path: Path) -> None:
    notebook = run("scikit-learn-handwritten-digits")
    assert accuracy(notebook) >= PROMISED_ACCURACY
    assert plots(notebook) == 7
    assert complaints(notebook) == []
    assert "GPUs of this session:      0,1" in printed(notebook, "session")
    assert (tmp_path / "templates/results/scikit-learn-digits/model.joblib").exists()


def test_pytorch_digits(run: Callable[[str], dict[str, Any]], tmp_path: Path) -> None:
    notebook = run("pytorch-handwritten-digits")
    assert accuracy(notebook) >= PROMISED_ACCURACY
    assert plots(notebook) == 4
    assert complaints(notebook) == []
    assert "GPUs of this session (CUDA_VISIBLE_DEVICES): 0,1" in printed(notebook, "session")
    assert "scikit-learn's digits" in printed(notebook, "data")
    results = tmp_path / "templates/results/pytorch-digits"
    assert (results / "model.pt").exists()
    assert list(results.glob("runs/*/events.out.tfevents.*"))


@pytest.mark.slow
def test_tensorflow_digits(run: Callable[[str], dict[str, Any]], tmp_path: Path) -> None:
    notebook = run("tensorflow-handwritten-digits")
    assert accuracy(notebook) >= PROMISED_ACCURACY
    assert plots(notebook) == 4
    assert complaints(notebook) == []
    assert "GPUs of this session (CUDA_VISIBLE_DEVICES): 0,1" in printed(notebook, "session")
    results = tmp_path / "templates/results/tensorflow-digits"
    assert (results / "model.keras").exists()
    assert list(results.glob("runs/*/train/events.out.tfevents.*"))


def test_every_template_is_run_here(settings: Settings) -> None:
    tests = sys.modules[__name__]
    for one in gallery(settings).found:
        name = "test_" + one.template.id.replace("-handwritten", "").replace("-", "_")
        assert hasattr(tests, name), f"{name} is missing"


@pytest.mark.slow
def test_an_environment_is_renewed_under_a_kernel_that_runs(
    settings: Settings, installed: Callable[[str], Path]
) -> None:
    """Real venv and pip: what a session started from stays whole while a newer build takes its place."""
    path = installed("pytorch")
    before = path.resolve()
    kernel = subprocess.Popen(
        [str(before / "bin" / "python"), "-c", "input(); import sklearn; print(sklearn.__file__)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    asyncio.run(EnvironmentService(settings).install("pytorch"))
    assert path.resolve() != before
    output, _ = kernel.communicate("\n", timeout=60)
    assert output.startswith(str(before))
