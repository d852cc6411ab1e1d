"""Checks the schemas of JupyterLab's settings before its page requests them, and each only once.

Jupyter would check them all at each such request, in its only thread, and the page would wait a tenth of a second.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
from typing import Any, Callable, Dict

Config = Dict[str, Any]
Hook = Callable[[Any, Config], Config]


class Once:
    """Replaces a validator class of jsonschema: a schema that was valid is not checked again."""

    def __init__(self, validator: Any) -> None:
        self._validator = validator
        self._valid: set[bytes] = set()

    def __call__(self, schema: Any) -> Any:
        return self._validator(schema)

    def check_schema(self, schema: Any) -> None:
        """Raises jsonschema's SchemaError."""
        digest = hashlib.sha256(json.dumps(schema).encode()).digest()
        if digest not in self._valid:
            self._validator.check_schema(schema)
            self._valid.add(digest)


class Ahead:
    """A `page_config_hook` of JupyterLab; `before` is the hook that was there."""

    def __init__(self, read: Callable[..., Any], before: Hook | None = None) -> None:
        self._read = read
        self._before = before

    def __call__(self, handler: Any, config: Config) -> Config:
        asyncio.get_running_loop().run_in_executor(None, self._read_all, handler.extensionapp)
        return config if self._before is None else self._before(handler, config)

    def _read_all(self, app: Any) -> None:
        folders = [*app.extra_labextensions_path, *app.labextensions_path]
        self._read(app.app_settings_dir, app.schemas_dir, app.user_settings_dir, labextensions_path=folders)


def check_once(server: Any) -> None:
    settings_utils: Any = importlib.import_module("jupyterlab_server.settings_utils")
    settings_utils.Validator = Once(settings_utils.Validator)
    settings = server.web_app.settings
    settings["page_config_hook"] = Ahead(settings_utils.get_settings, settings.get("page_config_hook"))
