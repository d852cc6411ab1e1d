"""Writes the reference pages that the code knows best: settings, API and commands. A test keeps them current.

Run: .venv/bin/python docs/generate.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import typer.main
from click import Command, Group
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from portal.app import describe
from portal.cli import app
from portal.settings import ENV_PREFIX, Settings

REFERENCE = Path(__file__).parent / "reference"


def settings() -> str:
    lines = [
        "# Settings",
        "",
        "Everything in `portal.toml`. Any key can be overridden by an environment variable: `policy.max_gpus` by",
        f"`{ENV_PREFIX}POLICY__MAX_GPUS`. Unknown keys are refused; `portal check` names them.",
        "",
        *_section("", Settings),
    ]
    return "\n".join(lines) + "\n"


def _section(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    plain = [(name, field) for name, field in model.model_fields.items() if _nested(field) is None]
    if plain:
        yield f"## {f'`[{prefix}]`' if prefix else 'Top level'}"
        yield ""
        yield "| key | default | what it is |"
        yield "|---|---|---|"
        for name, field in plain:
            yield f"| `{name}` | {_default(field)} | {(field.description or '').replace('|', chr(92) + '|')} |"
        yield ""
    for name, field in model.model_fields.items():
        if (nested := _nested(field)) is not None:
            inner, kind = nested
            path = f"{prefix}.{name}" if prefix else name
            yield from _section({"one": path, "list": f"[{path}]", "table": f"{path}.NAME"}[kind], inner)


def _nested(field: FieldInfo) -> tuple[type[BaseModel], str] | None:
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind, "one"
    inner = get_args(kind)[-1] if get_args(kind) else None
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        return inner, "table" if get_origin(kind) is dict else "list"
    return None


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value: Any = field.get_default(call_default_factory=True)
    if isinstance(value, Path):
        value = str(value)
    if isinstance(value, tuple):
        value = [str(one) if isinstance(one, Path) else one for one in value]
    return "–" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def api() -> str:
    lines = [
        "# API",
        "",
        "Under `/services/portal/api`; described for programs at `/services/portal/api/openapi.json` and for people at",
        "`/services/portal/api/docs`. Send a JupyterHub token: `Authorization: token …`. Errors have one shape:",
        '`{"error": {"code", "message", "hint", "fields": [{"field", "message"}], "request_id"}}`.',
        "",
        "| route | what it does |",
        "|---|---|",
    ]
    for path, methods in sorted(describe()["paths"].items()):
        for method, route in methods.items():
            text = (route.get("description") or route["summary"]).split("\n")[0]
            lines.append(f"| `{method.upper()} {path}` | {text} |")
    return "\n".join(lines) + "\n"


def commands() -> str:
    lines = ["# Commands", "", "`portal --help` says the same.", ""]
    lines += _command("portal", typer.main.get_command(app))
    return "\n".join(lines) + "\n"


def _command(name: str, command: Command) -> Iterator[str]:
    if isinstance(command, Group):
        for child, one in sorted(command.commands.items()):
            yield from _command(f"{name} {child}", one)
        return
    yield f"## `{name}`"
    yield ""
    yield (command.help or "").strip()
    yield ""
    for parameter in command.params:
        if parameter.name == "help":
            continue
        names = ", ".join(f"`{one}`" for one in [*parameter.opts, *parameter.secondary_opts])
        yield f"- {names if parameter.param_type_name == 'option' else f'`{parameter.name}`'}" + (
            f": {help_}" if (help_ := getattr(parameter, "help", None)) else ""
        )
    yield ""


PAGES = {"settings.md": settings, "api.md": api, "commands.md": commands}


if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for page, write in PAGES.items():
        (REFERENCE / page).write_text(write())
