"""Writes the reference pages that the code knows best, such as settings, API and commands. A test keeps them current.

Run: .venv/bin/python docs/generate.py
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin

import typer.main
from pydantic import BaseModel
from pydantic.fields import FieldInfo

import portal
from portal import errors
from portal.app import describe
from portal.cli import app
from portal.health.checks import PART_NAMES
from portal.metrics import FAMILIES
from portal.sessions.endings import ENDINGS, SLURM_KNOWS_BETTER
from portal.sessions.models import PROGRESS
from portal.settings import ENV_PREFIX, Settings

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from openapi_page import api_page

from tests.unit.http.limit_rules import MISSING, RULES, WAYS_OF_JOBS, WAYS_OF_SESSIONS

REFERENCE = Path(__file__).parent / "reference"
MADE = "<!-- Made by docs/generate.py; change the code, not this page. -->"

VALUES = {str: "text", int: "whole number", float: "number", Path: "path", datetime: "time, such as `2026-12-03T08:00`"}

STATES = {
    "submitted": "The row is written; the job is on its way to Slurm.",
    "queued": "Slurm has the job and has not placed it yet. `reason` says why, in words.",
    "allocated": "Slurm has given it a node; the job is starting.",
    "starting": "The agent runs in the job and starts the app.",
    "ready": "The app can be opened at `url`.",
    "stopping": "It is ending; the job may still be there for some seconds.",
    "ended": "The job is gone. `end` says how it ended.",
}


def settings() -> str:
    lines = [
        "# Settings",
        "",
        MADE,
        "",
        "Everything in `portal.toml`: `/etc/portal/portal.toml`, or the file that `$PORTAL_CONFIG` names.",
        "Any key can be overridden by an environment variable, with two underscores between section and key:",
        f"`log_level` by `{ENV_PREFIX}LOG_LEVEL`, `policy.max_gpus` by `{ENV_PREFIX}POLICY__MAX_GPUS`. Unknown keys",
        "are refused by name. Secrets are never settings: each is a file in `secrets_dir`, made by",
        "`portal init-secrets`.",
        "",
        "Times are in seconds (`_s`), sizes in MiB (`_mib`). The processes read the file when they start.",
        "",
        *_section("", Settings),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _section(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    plain = [(name, field) for name, field in model.model_fields.items() if _nested(field) is None]
    if plain:
        yield f"## {f'`[{prefix}]`' if prefix else 'Top level'}"
        yield ""
        yield "| key | default | what it is |"
        yield "|---|---|---|"
        for name, field in plain:
            text = field.description or _choices(field)
            yield f"| `{name}` | {_default(field)} | {_cell(text)} |"
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


def _choices(field: FieldInfo) -> str:
    options = [option for option in get_args(field.annotation) if isinstance(option, str)]
    return f"One of {', '.join(f'`{option}`' for option in options)}." if options else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value: Any = field.get_default(call_default_factory=True)
    if value is None:
        return "–"
    return _cell(f"`{json.dumps(value, ensure_ascii=False, default=str)}`")


def commands() -> str:
    lines = [
        "# Commands",
        "",
        MADE,
        "",
        "The `portal` command. `portal COMMAND --help` says the same. What `./dev` does is in [./dev](dev.md).",
        "",
        "| command | what it does |",
        "|---|---|",
    ]
    every = list(_commands("portal", typer.main.get_command(app)))
    lines += [f"| [`{name}`](#{_anchor(name)}) | {_cell(_summary(command))} |" for name, command in every]
    for name, command in every:
        lines += ["", *_command(name, command)]
    return "\n".join(lines).rstrip() + "\n"


def _commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield every command below a group; the types are Click's, which Typer brings along under a name of its own."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child, value in sorted(children.items()):
        yield from _commands(f"{name} {child}", value)


def _command(name: str, command: Any) -> Iterator[str]:
    shown = [param for param in command.params if param.name != "help"]
    options = [value for value in shown if value.param_type_name == "option"]
    arguments = [value.name.upper() for value in shown if value not in options]
    yield f"## `{name}`"
    yield ""
    yield (command.help or "").strip()
    yield ""
    yield "```"
    yield " ".join([name, *(["[OPTIONS]"] if options else []), *arguments])
    yield "```"
    if options:
        yield ""
        yield "| option | value | what it is |"
        yield "|---|---|---|"
        for option in options:
            names = ", ".join(f"`{spelling}`" for spelling in [*option.opts, *option.secondary_opts])
            yield f"| {names} | {_value(option)} | {_cell(option.help or '')} |"


def _value(option: Any) -> str:
    if option.is_flag:
        return (
            f"default: `{(option.opts if option.default else option.secondary_opts)[0]}`"
            if option.secondary_opts
            else ""
        )
    annotation = option.type_descriptor.annotation
    if get_origin(annotation) is list:
        return f"{VALUES[get_args(annotation)[0]]}, may be given more than once"
    if issubclass(annotation, Enum):
        values = ", ".join(f"`{value.value}`" for value in annotation)
        return values if option.default is None else f"{values} (default: `{option.default.value}`)"
    kind = VALUES[annotation]
    return f"{kind} (default: `{option.default}`)" if option.default not in (None, "") else kind


def _summary(command: Any) -> str:
    return (command.help or "").strip().split("\n")[0].split(". ")[0].rstrip(".") + "."


def codes() -> str:
    """Everything that a script may compare: states, ends, errors."""
    lines = [
        "# Codes",
        "",
        MADE,
        "",
        "The words that scripts may rely on. Sentences (`reason`, `message`, `text`, `hint`) are for people and may",
        "change.",
        "",
        "## States of a session",
        "",
        "| `state` | `progress` | what it says |",
        "|---|---|---|",
        *(f"| `{state.value}` | {progress} | {STATES[state.value]} |" for state, progress in PROGRESS.items()),
        "",
        "## How a session ended",
        "",
        "`end.code`, `end.text` and `end.advice` of an ended session. What the agent saw may follow the text. In these",
        f"cases Slurm's word outweighs the agent's: {', '.join(f'`{code}`' for code in sorted(SLURM_KNOWS_BETTER))}.",
        "",
        "| `end.code` | what happened | what to do |",
        "|---|---|---|",
        *(f"| `{code}` | {ending.text} | {ending.advice or ''} |" for code, ending in ENDINGS.items()),
        "",
        "## Errors of the API",
        "",
        "`error.code` and the HTTP status it comes with. `http` stands for an error of the protocol itself, such as a",
        "wrong method, with its own status.",
        "",
        "| `error.code` | status | hint |",
        "|---|---|---|",
        *dict.fromkeys(f"| `{error.code}` | {error.status} | {error.hint} |" for error in _all_errors()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def metrics() -> str:
    lines = [
        "# Metrics",
        "",
        MADE,
        "",
        "What Prometheus can read from `/services/portal/metrics` ([how](../how-to/administer.md#monitor-the-portal)).",
        "[grafana/portal.json](../grafana/portal.json) is a dashboard for Grafana that shows them: import it, and",
        "choose the data source.",
        "",
        "| metric | kind | labels | what it is |",
        "|---|---|---|---|",
    ]
    for family in FAMILIES:
        names = ", ".join(f"`{name}`" for name in family.series)
        labels = ", ".join(f"`{label}`" for label in family.labels)
        lines.append(f"| {names} | {family.kind} | {labels} | {_cell(family.help)} |")
    lines += ["", "Parts: " + ", ".join(f"`{name}`" for name in PART_NAMES) + "."]
    return "\n".join(lines) + "\n"


def _all_errors() -> list[type[errors.PortalError]]:
    """The errors of every module, whatever has been imported so far: the rooms' own after the general ones."""
    for module in pkgutil.walk_packages(portal.__path__, "portal."):
        importlib.import_module(module.name)
    general = errors.__name__
    return sorted(
        _error_tree(errors.PortalError),
        key=lambda kind: (kind.__module__ != general, kind.code if kind.__module__ != general else ""),
    )


def _error_tree(kind: type[errors.PortalError]) -> Iterator[type[errors.PortalError]]:
    """Yield the classes that the server itself may answer with; not the client's own, nor those of a test."""
    if not kind.__module__.startswith("portal.") or kind.__module__.startswith("portal.client"):
        return
    yield kind
    for child in kind.__subclasses__():
        yield from _error_tree(child)


def _cell(text: str) -> str:
    return text.strip().replace("\n", " ").replace("|", "\\|")


def _anchor(heading: str) -> str:
    return heading.replace(" ", "-")


def api() -> str:
    return api_page(describe(), MADE)


def limits() -> str:
    """Write which rule holds at which way in: all that `tests/unit/http/test_limits_everywhere.py` asks."""
    ways = [f"session: {name}" for name in WAYS_OF_SESSIONS] + [f"job: {name}" for name in WAYS_OF_JOBS]
    sentences = {f"`{name}`": sentence for name, (_, sentence) in RULES.items()}
    sentences |= {name: sentence for name, (*_, sentence) in MISSING.items()}
    return "\n".join(
        [
            "# Limits, and where they hold",
            "",
            MADE,
            "",
            "Each rule holds at every way to ask for GPUs, and is explained in the same words. A test makes a request",
            "that breaks the rule at each of them (`tests/unit/http/test_limits_everywhere.py`), and tries the limits",
            "with every spelling of `sbatch`'s options, too. Rules in code style are [limits that administrators",
            "set](../how-to/administer.md#set-limits); the others say what Slurm does not have.",
            "",
            f"| rule | {' | '.join(ways)} |",
            f"|---|{'---|' * len(ways)}",
            *(f"| {rule} | {' | '.join('✓' for _ in ways)} |" for rule in sentences),
            "",
            "## What the refusals say",
            "",
            "Examples, for a request for 4 V100s for 20 hours, or for what the site does not have:",
            "",
            "| rule | words |",
            "|---|---|",
            *(f"| {rule} | {_cell(sentence)} |" for rule, sentence in sentences.items()),
            "",
        ]
    )


PAGES: dict[str, Callable[[], str]] = {
    "settings.md": settings,
    "api.md": api,
    "commands.md": commands,
    "codes.md": codes,
    "metrics.md": metrics,
    "limits.md": limits,
}


if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for page, write in PAGES.items():
        (REFERENCE / page).write_text(write())
