"""The reference pages say what the code says, and no page names a setting or a command that is not there."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin

import pytest
import typer.main
from pydantic import BaseModel

from portal.app import describe
from portal.cli import app
from portal.settings import Settings
from tests.unit.docs.conftest import MADE_PAGES, PAGES, ROOT, blocks, name_of, prose, shell_lines

SETTING = re.compile(r"`([a-z_]+\.[a-z_.]+[a-z])`")
SOURCES = "".join(source.read_text() for source in (ROOT / "portal").rglob("*.py"))
SECTIONS = {name for name, field in Settings.model_fields.items() if field.annotation and name != "apps"}
PORTAL_COMMAND = re.compile(r"(?:^|[\s/(=])portal ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)((?: .*)?)$")
DEV_COMMAND = re.compile(r"\./dev ([a-z]+)")


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = [*sys.path]
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    return module


@pytest.mark.parametrize("page", sorted(MADE_PAGES))
def test_made_page_is_current(page: str, generate: ModuleType) -> None:
    there = (ROOT / "docs" / "reference" / page).read_text()
    assert there == generate.PAGES[page](), "Run: .venv/bin/python docs/generate.py"


def test_every_setting_says_what_it_is(generate: ModuleType) -> None:
    assert [row for row in generate.PAGES["settings.md"]().splitlines() if row.endswith("|  |")] == []


def test_every_made_page_is_known() -> None:
    made = {page.name for page in PAGES if "Made by docs/generate.py" in page.read_text()}
    assert made == MADE_PAGES


def test_description_that_the_web_app_is_made_from_is_current() -> None:
    there = json.loads((ROOT / "frontend" / "openapi.json").read_text())
    assert there == json.loads(json.dumps(describe())), (
        "Run: .venv/bin/portal openapi > frontend/openapi.json, and npm run generate"
    )


def _model_at(path: list[str]) -> Any:
    """Return the model or field type at a key's path; KeyError when there is none."""
    model: Any = Settings
    for part in path:
        if get_origin(model) is dict:
            model = get_args(model)[-1]
            continue
        if get_args(model) and not isinstance(model, type):
            model = get_args(model)[0]
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            raise KeyError(".".join(path))
        model = model.model_fields[part].annotation
    return model


def _keys(tree: Any, path: tuple[str, ...] = ()) -> Iterator[list[str]]:
    for key, value in tree.items():
        yield [*path, key]
        inner = value if isinstance(value, list) else [value]
        for item in inner:
            if isinstance(item, dict):
                yield from _keys_of_list((*path, key), item, isinstance(value, list))


def _keys_of_list(path: tuple[str, ...], tree: dict[str, Any], listed: bool) -> Iterator[list[str]]:
    for key in tree:
        yield [*path, *(["0"] if listed else []), key]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in MADE_PAGES], ids=name_of)
def test_page_names_settings_that_exist(page: Path) -> None:
    unknown = []
    for named in SETTING.findall(prose(page)):
        if named.split(".")[0] in SECTIONS and f'"{named}"' not in SOURCES:  # the rest are events of the log
            try:
                _model_at(named.replace("NAME", "name").split("."))
            except KeyError:
                unknown.append(named)
    assert unknown == []


TOML = [
    block for page in PAGES for block in blocks(page) if block.language == "toml" and "[[template]]" not in block.text
]


@pytest.mark.parametrize("number", range(len(TOML)), ids=lambda n: f"{name_of(TOML[n].page)}-{n}")
def test_example_settings_are_accepted(number: int) -> None:
    """Errors of missing keys are fine, since an example may show a part; unknown keys and wrong values are not."""
    from pydantic import ValidationError

    tree = tomllib.loads(TOML[number].text)
    if "command" in tree:  # a file that declares one app
        tree = {"apps": {"name": {"kind": "web"} | tree}}
    try:
        Settings.model_validate(tree)
    except ValidationError as error:
        wrong = [item for item in error.errors() if item["type"] not in ("missing", "value_error")]
        assert wrong == []


def _commands(command: Any, name: str = "") -> dict[str, Any]:
    if not hasattr(command, "commands"):
        return {name: command}
    results: dict[str, Any] = {}
    for child, value in command.commands.items():
        results |= _commands(value, f"{name} {child}".strip())
    return results


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_page_names_portal_commands_that_exist(page: Path) -> None:
    known = _commands(typer.main.get_command(app))
    groups = {name.split()[0] for name in known if " " in name}
    wrong = []
    for line in shell_lines(page):
        named = PORTAL_COMMAND.search(line.split(" | ")[0].split(" && ")[0].rstrip(")").split(" #")[0])
        if named is None or named[1].split()[0] not in groups | known.keys():
            continue
        words = named[1].split()
        name = " ".join(words[:2]) if words[0] in groups else words[0]
        if name not in known:
            if name not in groups:  # `portal sessions …` names the group
                wrong.append(line)
            continue
        spellings = {text for param in known[name].params for text in (*param.opts, *param.secondary_opts)}
        wrong += [
            line for option in re.findall(r"(?<= )--?[a-z][a-z-]*", named[2]) if option not in {*spellings, "--help"}
        ]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_page_names_dev_commands_that_exist(page: Path) -> None:
    script = (ROOT / "dev").read_text()
    body = script[script.index("case $command in") :]
    known = {
        word for line in re.findall(r"^    ([a-z| -]+)\)", body, re.M) for word in line.replace(" ", "").split("|")
    }
    assert [name for name in DEV_COMMAND.findall(page.read_text()) if name not in known] == []
