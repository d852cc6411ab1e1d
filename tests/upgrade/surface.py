"""Prints what scripts and sites use of the version whose Python runs this: commands with options, and settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import typer

from portal.cli import app
from portal.settings import Settings


def commands(command: Any, path: str) -> Iterator[str]:
    yield path
    for parameter in command.params:
        names = parameter.opts if parameter.param_type_name == "option" else [parameter.name.upper()]
        yield from (f"{path} {name}" for name in names)
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{path} {name}")


def keys(schema: dict[str, Any], node: dict[str, Any], path: str = "") -> Iterator[str]:
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    for kind in ("anyOf", "allOf", "oneOf"):
        for choice in node.get(kind, []):
            yield from keys(schema, choice, path)
    for name, value in node.get("properties", {}).items():
        yield path + name
        yield from keys(schema, value, f"{path}{name}.")
    for kind in ("items", "additionalProperties"):
        if isinstance(below := node.get(kind), dict):
            yield from keys(schema, below, f"{path}*.")


if __name__ == "__main__":
    schema = Settings.model_json_schema()
    print(
        json.dumps(
            {
                "commands": sorted(set(commands(typer.main.get_command(app), "portal"))),
                "settings": sorted(set(keys(schema, schema))),
            }
        )
    )
