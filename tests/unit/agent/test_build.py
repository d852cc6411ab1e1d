"""The one file: runs by itself, holds what it needs, and its source is Python 3.8."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agent.build import PACKAGES
from agent.job import lab, serve
from tests.pythons import python

FOLDER = Path(lab.__file__).parent
SOURCES = sorted(FOLDER.rglob("*.py"))
PYTHON_3_8 = python("3.8")


def test_agent_is_one_file_that_anybody_may_read(agent_file: Path) -> None:
    assert agent_file.stat().st_mode & 0o777 == 0o644
    names = zipfile.ZipFile(agent_file).namelist()
    assert {"pynvml.py", "h11/_connection.py", "wsproto/frame_protocol.py"} <= set(names)
    assert "portal_agent/session.py" in names
    assert not [name for name in names if Path(name).stem == "build"]
    done = subprocess.run([sys.executable, "-I", agent_file], capture_output=True, text=True, env={}, check=False)
    assert done.returncode == 2
    assert "DSP_PORTAL" in done.stdout


def test_agent_brings_jupyterlab_its_extension(
    agent_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", "/shared/kernels")
    monkeypatch.setattr(sys, "path", [*sys.path])
    lab.bring(tmp_path, str(agent_file))
    assert os.environ["JUPYTER_PATH"] == f"{tmp_path}/share:/shared/kernels"
    [extension] = (tmp_path / "share" / "labextensions").glob("*/package.json")
    data = json.loads(extension.read_text())
    assert extension.parent.name == data["name"]
    assert (extension.parent / data["jupyterlab"]["_build"]["load"]).is_file()
    assert [*(extension.parent / data["jupyterlab"]["schemaDir"] / data["name"]).glob("*.json")]
    config = json.loads((tmp_path / "jupyter_server_config.d" / "portal_lab.json").read_text())
    [module] = config["ServerApp"]["jpserver_extensions"]
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}; print({module}._jupyter_server_extension_points())"],
        env={"PYTHONPATH": sys.path[-1]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[{'module': 'portal_lab'}]"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_agent_is_plain_python_3_8(source: Path) -> None:
    tree = ast.parse(source.read_text(), feature_version=(3, 8))
    newer = {"removeprefix", "removesuffix", "readlink_path", "UTC"}
    assert not {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & newer
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []  # never imported
    names = {
        name.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {
        (node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    assert names <= sys.stdlib_module_names | set(PACKAGES)


def test_agent_speaks_http_and_websockets_by_what_is_packed_in(agent_file: Path) -> None:
    """In versions whose source is Python 3.8 too."""
    archive = zipfile.ZipFile(agent_file)
    packed = [name for name in archive.namelist() if name.endswith(".py") and name.partition("/")[0] in PACKAGES]
    for name in packed:
        ast.parse(archive.read(name), feature_version=(3, 8))
    look = "import sys; sys.path.insert(0, sys.argv[1]); import portal_agent.proxy, portal_agent.terminal, h11, wsproto"
    command = [sys.executable, "-I", "-S", "-c", f"{look}; print(h11.__file__, wsproto.__file__)", agent_file]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [str(Path(place).parent) for place in done.stdout.split()] == [f"{agent_file}/{name}" for name in PACKAGES]


def test_server_is_imported_as_usual_when_a_stand_in_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Singleuser:
        main = "the server"

    def import_module(name: str) -> object:
        asked.append(name)
        if len(asked) == 1:
            raise ImportError("cannot import name 'something new' from 'jupyterhub.orm'")
        return Singleuser

    monkeypatch.setattr("importlib.import_module", import_module)
    for name in [name for name in sys.modules if name.partition(".")[0] == "jupyterhub"]:
        monkeypatch.delitem(sys.modules, name)
    for name in serve.STAND_INS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert serve.import_server() == "the server"
    assert asked == ["jupyterhub.singleuser", "jupyterhub.singleuser"]
    assert not [name for name in serve.STAND_INS if name in sys.modules]


@pytest.mark.skipif(PYTHON_3_8 is None, reason="no Python 3.8 here")
def test_every_module_of_the_agent_can_be_imported_by_python_3_8(agent_file: Path) -> None:
    modules = [".".join(source.relative_to(FOLDER).with_suffix("").parts) for source in SOURCES]
    code = "".join(
        f"import portal_agent.{module}\n" for module in modules if "__init__" not in module and module != "__main__"
    )
    code = f"import sys; sys.path.insert(0, {str(agent_file)!r})\n{code}"
    done = subprocess.run([str(PYTHON_3_8), "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
