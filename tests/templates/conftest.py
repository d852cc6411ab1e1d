"""Environments and a runner for the templates.

The environments are installed by the portal's own code, with real pip, into a cache of the clone; a changed lock makes
a new one. The base environment that a demo site has built from the same lock serves here, too. As in a session, the
base environment runs the notebook, and the kernel is found through JUPYTER_PATH.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portal.environments import jupyter_path
from portal.environments.pip import PackageMissing
from portal.environments.service import EnvironmentService
from portal.notebooks import gallery
from portal.settings import Environment, Settings, Templates
from tests.templates.ran import Ran

CLONE = Path(__file__).parents[2]
LOCKS = CLONE / "requirements"
CACHE = CLONE / ".cache" / "test-environments"
SITES_BASE = CLONE / ".cache" / "environments" / "base"
PYTHON = Path("/usr/bin/python3")
RUN_TIMEOUT_S = 1300  # a minute or five on a quiet machine, many on a busy one

RUN_NOTEBOOK = """
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
try:
    nbclient.NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": sys.argv[2]}}).execute()
finally:
    nbformat.write(notebook, sys.argv[3])
"""


def environment(name: str, title: str, lock: str, extends: str | None = None) -> Environment:
    file = LOCKS / lock
    made_of = hashlib.sha256(file.read_bytes() + str(PYTHON.resolve()).encode()).hexdigest()
    path = CACHE / f"{name}-{made_of[:12]}"
    stamp = SITES_BASE / "made-of"  # demo/environment.py
    if name == "base" and stamp.exists() and stamp.read_text() == made_of:
        path = SITES_BASE
    return Environment(title=title, path=path, packages=(file,), extends=extends)


@pytest.fixture(scope="module")
def settings() -> Settings:
    return Settings(
        environments_python=PYTHON,
        templates=Templates(folders=[CLONE / "templates"]),
        environments={
            "base": environment("base", "Base", "session.txt"),
            "pytorch": environment("pytorch", "PyTorch", "environment-pytorch-cpu.txt", "base"),
            "jax": environment("jax", "JAX", "environment-jax-cpu.txt", "base"),
            "mxnet": environment("mxnet", "MXNet", "environment-mxnet.txt", "base"),
            "pytensor": environment("pytensor", "PyTensor", "environment-pytensor.txt", "base"),
            "xgboost": environment("xgboost", "XGBoost", "environment-xgboost-cpu.txt", "base"),
            "tensorflow": environment("tensorflow", "TensorFlow", "environment-tensorflow-cpu.txt", "base"),
        },
    )


def node_has(kernel: str) -> bool:
    """Whether the machine itself has a kernel, from its own packages."""
    return any(Path(share, "jupyter/kernels", kernel).is_dir() for share in ("/usr/share", "/usr/local/share"))


@pytest.fixture(scope="module")
def installed(settings: Settings) -> Callable[[str], Path]:
    """Install an environment unless the cache has it, and return its folder."""
    service = EnvironmentService(settings)

    def install(name: str) -> Path:
        if not service.is_installed(name):
            with pytest.MonkeyPatch.context() as patched:
                patched.setenv("PIP_COMPILE", "0")  # a template imports few of the modules
                try:
                    asyncio.run(service.install(name))
                except PackageMissing as missing:
                    pytest.skip(f"{missing.message} PyTorch's CPU build is not in the public index.")
        return settings.environments[name].path

    return install


@pytest.fixture
def run(settings: Settings, installed: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Ran]:
    """Run a template in the base environment, in a folder of its own, and return it with its outputs."""

    def run_template(template_id: str) -> Ran:
        (template,) = [template for template in gallery(settings).found if template.template.id == template_id]
        python = installed("base") / "bin" / "python"
        if template.template.kernel_of_node and not node_has(template.template.kernel_of_node):
            pytest.skip(f"This machine has no kernel “{template.template.kernel_of_node}”.")
        if template.template.environment:
            installed(template.template.environment)
        work, ran = tmp_path / "templates", tmp_path / "ran.ipynb"
        work.mkdir()
        env = {
            "PATH": f"{python.parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "JUPYTER_PATH": ":".join(jupyter_path(settings)),
            "CUDA_VISIBLE_DEVICES": "0,1",  # as Slurm gives them; this machine may have none that work
        }
        done = subprocess.run(
            [str(python), "-c", RUN_NOTEBOOK, str(template.path), str(work), str(ran)],
            env=env,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return Ran(json.loads(ran.read_text())["cells"], work)

    return run_template
