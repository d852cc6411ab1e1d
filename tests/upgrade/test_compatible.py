"""What scripts and sites of the earlier version use still exists, or the changelog names what has changed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.demo_site import CLONE
from tests.upgrade.site_before import installed_before

Json = dict[str, Any]


def surface(checkout: Path) -> dict[str, set[str]]:
    """Return the commands and settings of an installed version."""
    program = CLONE / "tests" / "upgrade" / "surface.py"
    done = subprocess.run(
        [checkout / ".venv" / "bin" / "python", program], cwd=checkout, check=True, capture_output=True, text=True
    )
    return {kind: set(names) for kind, names in json.loads(done.stdout).items()}


@pytest.fixture(scope="module")
def surfaces() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    return surface(installed_before()), surface(CLONE)


@pytest.mark.parametrize("kind", ["commands", "settings"])
def test_each_name_still_exists(kind: str, surfaces: tuple[dict[str, set[str]], dict[str, set[str]]]) -> None:
    before, now = surfaces
    assert len(before[kind]) > 100
    assert before[kind] - now[kind] == set()


def test_each_route_still_takes_and_returns_what_it_did_or_the_changelog_says_so() -> None:
    before, now = (json.loads((path / "frontend" / "openapi.json").read_text()) for path in (installed_before(), CLONE))
    old, new = set(contract(before)), set(contract(now))
    assert len(old) > 1000
    changelog = (CLONE / "CHANGELOG.md").read_text()
    silent = {line for line in old - new if f"`{line.rpartition('.')[2]}`" not in changelog}
    assert silent == set()


def test_no_route_requires_what_it_did_not() -> None:
    before, now = (json.loads((path / "frontend" / "openapi.json").read_text()) for path in (installed_before(), CLONE))
    routes = {line for line in contract(before) if line.count(" ") == 1}
    new = {line for line in required(now) if " ".join(line.split()[:2]) in routes}
    assert new - set(required(before)) == set()


def operations(api: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def contract(api: Json) -> Iterator[str]:
    """List routes, parameters, and fields of bodies and answers, each as one line."""
    for route, operation in operations(api):
        yield route
        for parameter in operation.get("parameters", []):
            yield f"{route} {parameter['in']}.{parameter['name']}"
        yield from (f"{route} body.{name}" for name, _ in fields(api, operation.get("requestBody", {})))
        for status, response in operation["responses"].items():
            if status < "300":
                yield f"{route} {status}"
                yield from (f"{route} {status}.{name}" for name, _ in fields(api, response))


def required(api: Json) -> Iterator[str]:
    """List what a request must have, at the top level of its body and among its parameters."""
    for route, operation in operations(api):
        for parameter in operation.get("parameters", []):
            if parameter.get("required"):
                yield f"{route} {parameter['in']}.{parameter['name']}"
        for name, needed in fields(api, operation.get("requestBody", {})):
            if needed and "." not in name:
                yield f"{route} body.{name}"


def fields(api: Json, message: Json) -> Iterator[tuple[str, bool]]:
    for content in message.get("content", {}).values():
        yield from below(api, content.get("schema", {}), "", ())


def below(api: Json, schema: Json, path: str, inside: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield the path of each field below a schema, and whether it is required there; stop where schemas recur."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        if name not in inside:
            yield from below(api, api["components"]["schemas"][name], path, (*inside, name))
        return
    for kind in ("anyOf", "allOf", "oneOf"):
        for choice in schema.get(kind, []):
            yield from below(api, choice, path, inside)
    if "items" in schema:
        yield from below(api, schema["items"], path, inside)
    for name, value in schema.get("properties", {}).items():
        yield path + name, name in schema.get("required", [])
        yield from below(api, value, f"{path}{name}.", inside)
