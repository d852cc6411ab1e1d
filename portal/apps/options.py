"""The options of an app that a user sets: checked, and completed with defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping

from portal.errors import FieldProblem
from portal.settings import App, AppOption

Value = str | bool


def read_options(app: App, given: Mapping[str, Value]) -> tuple[dict[str, Value], list[FieldProblem]]:
    """Return the value of each option that has one, and the problems, one sentence per field."""
    values: dict[str, Value] = {}
    problems = [
        FieldProblem(f"options.{name}", f"{app.title} has no option “{name}”.")
        for name in given
        if all(option.name != name for option in app.options)
    ]
    for option in app.options:
        value = given.get(option.name, option.default)
        if isinstance(value, str):
            value = value.strip() or None
        if (wrong := _wrong(option, value)) is not None:
            problems.append(FieldProblem(f"options.{option.name}", wrong))
        elif value is not None:
            values[option.name] = value
    return values, problems


def _wrong(option: AppOption, value: Value | None) -> str | None:
    """Return what is wrong with an option's value; None if nothing is."""
    if value is None:
        return f"{option.label}: a value is required." if option.required else None
    if option.kind == "bool":
        return None if isinstance(value, bool) else f"{option.label}: must be true or false."
    if isinstance(value, bool):
        return f"{option.label}: must be text, not true or false."
    if option.kind == "choice" and value not in option.choices:
        return f"{option.label}: choose one of {', '.join(option.choices)}."
    if option.kind == "number" and (problem := option.wrong_number(value)) is not None:
        return f"{option.label}: {problem}."
    if option.is_path and not re.match(r"/|~(/|$)", value):
        return f"{option.label}: enter the full path, starting with / or ~/."
    if option.pattern and not re.fullmatch(option.pattern, value):
        return f"{option.label}: “{value[:60]}” does not have the right format. {option.help}".strip()
    return None
