"""The one file that the door is: standard library alone, started isolated, with or without its compiled modules."""

from __future__ import annotations

import ast
import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import door
from door import build
from door.__main__ import MODULES
from tests.pythons import python

PYTHON_3_9 = python("3.9")
#: What may be imported at a start; each module costs every session some of its start.
LIGHT = {"grp", "importlib", "json", "os", "pwd", "re", "resource", "select", "signal", "stat", "sys", "time"}
#: What the modules of rarer acts may import beside.
OTHERS = {
    "bin": {"errno", "urllib.parse"},
    "arrange": {"errno"},
    "bulk": {"errno"},
    "files": {"base64", "fnmatch"},
    "folder": {"heapq"},
    "meter": {"shlex"},
    "parts": {"itertools"},
    "place": {"errno", "itertools"},
    "save": {"base64", "errno"},
    "templates": {"hashlib"},
    "transfer": {"errno", "fcntl", "hashlib"},
    "trees": {"errno"},
}
SOURCES = sorted(Path(door.__file__).parent.glob("*.py"))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return build.build(tmp_path / "libexec" / "portal-door")


def ask(program: Path, request: object, *options: str) -> dict[str, object]:
    done = subprocess.run([*options, program], input=json.dumps(request), capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_door_is_one_file_that_everybody_may_start(program: Path) -> None:
    assert stat.S_IMODE(program.stat().st_mode) == 0o755
    assert program.read_bytes().startswith(b"#!/usr/bin/python3 -IS\n")
    assert [path.name for path in program.parent.iterdir()] == ["portal-door"]


def test_program_answers_in_json_even_when_it_may_do_nothing(program: Path) -> None:
    error = ask(program, {})["error"]
    assert isinstance(error, dict)
    assert error["code"] == "configuration"
    assert f"{program}.json" in error["message"] or "root" in error["message"]


def test_modules_are_taken_from_the_file_compiled_or_not(program: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(program) as archive:
        names = archive.namelist()
        sources = {name: archive.read(name) for name in names if name.endswith(".py")}
    assert {f"{name}c" for name in sources} == {name for name in names if name.endswith(".pyc")}
    assert "portal_door/build.py" not in sources
    plain = tmp_path / "plain"
    with zipfile.ZipFile(plain, "w") as archive:
        for name, source in sources.items():
            archive.writestr(name, source)
    answers = [ask(path, {}, sys.executable, "-IS")["ok"] for path in (program, plain)]
    assert answers == [False, False]


@pytest.mark.parametrize(
    "source", [source for source in SOURCES if source.name != "build.py"], ids=lambda value: value.stem
)
def test_door_needs_nothing_outside_the_standard_library_and_little_of_it(source: Path) -> None:
    names = set()
    for node in ast.parse(source.read_text()).body:  # what stands under TYPE_CHECKING is never imported
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module))
    assert names - {"__future__"} <= LIGHT | OTHERS.get(source.stem, set())


def test_every_verb_is_in_the_module_that_is_named_for_it() -> None:
    for verb, module in MODULES.items():
        assert verb in __import__(f"door.{module}", fromlist=["VERBS"]).VERBS


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_door_is_plain_python_3_9(source: Path) -> None:
    """The system's Python of Red Hat Enterprise Linux 9."""
    assert ast.parse(source.read_text(), feature_version=(3, 9)).body


@pytest.mark.skipif(PYTHON_3_9 is None, reason="no Python 3.9 here")
def test_every_module_of_the_door_can_be_imported_by_python_3_9(program: Path) -> None:
    modules = ", ".join(
        f"portal_door.{source.stem}" for source in SOURCES if source.stem not in {"__init__", "__main__", "build"}
    )
    code = f"import sys; sys.path.insert(0, {str(program)!r}); import {modules}"
    done = subprocess.run([str(PYTHON_3_9), "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
