"""Schemas of JupyterLab's settings are checked once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft7Validator, SchemaError

from agent.lab.schemas import Ahead, Once


class CountedValidator:
    """Counts the checks of jsonschema's own validator."""

    def __init__(self) -> None:
        self.checks = 0

    def __call__(self, schema: Any) -> Any:
        return Draft7Validator(schema)

    def check_schema(self, schema: Any) -> None:
        self.checks += 1
        Draft7Validator.check_schema(schema)


def test_a_valid_schema_is_checked_once_and_a_changed_one_again() -> None:
    counted = CountedValidator()
    once = Once(counted)
    for schema in ({"type": "object"}, {"type": "object"}, {"type": "object", "properties": {}}):
        once.check_schema(schema)
    assert counted.checks == 2
    assert not once({"type": "object"}).is_valid([])


def test_an_invalid_schema_is_refused_each_time() -> None:
    once = Once(CountedValidator())
    for _ in range(2):
        with pytest.raises(SchemaError):
            once.check_schema({"type": 7})


def test_page_reads_the_settings_in_advance_and_keeps_its_configuration() -> None:
    read: list[tuple[Any, ...]] = []
    app = SimpleNamespace(
        extra_labextensions_path=["/more"],
        labextensions_path=["/own"],
        app_settings_dir="/app",
        schemas_dir="/schemas",
        user_settings_dir="/user",
    )

    async def visit() -> dict[str, Any]:
        hook = Ahead(
            lambda *folders, labextensions_path: read.append((*folders, labextensions_path)),
            lambda handler, config: {**config, "before": True},
        )
        config = hook(SimpleNamespace(extensionapp=app), {"appName": "JupyterLab"})
        await asyncio.get_running_loop().shutdown_default_executor()
        return config

    assert asyncio.run(visit()) == {"appName": "JupyterLab", "before": True}
    assert read == [("/app", "/schemas", "/user", ["/more", "/own"])]
