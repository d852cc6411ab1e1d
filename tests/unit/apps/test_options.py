"""What a user may enter in an app's form."""

from __future__ import annotations

from typing import Any

import pytest

from portal.apps.options import read_options
from portal.settings import App, AppOption


def app(**option: Any) -> App:
    asked = AppOption.model_validate({"name": "x", "label": "Workers", "kind": "number"} | option)
    return App(title="Viewer", kind="web", command=["viewer", "{port}", "--n={option:x}"], options=[asked])


def problem(value: str, **option: Any) -> str | None:
    values, problems = read_options(app(**option), {"x": value})
    assert values == ({} if problems else {"x": value.strip()})
    return problems[0].message if problems else None


@pytest.mark.parametrize("value", ["4", " 4 ", "-1", "0.25", "100000"])
def test_a_number_is_taken_as_it_was_written(value: str) -> None:
    assert problem(value) is None


@pytest.mark.parametrize("value", ["four", "1e3", "0x10", "1_000", "٤", "inf", "nan", "1.", "--help", "4;ls", "9" * 40])
def test_what_is_no_plain_number_is_refused(value: str) -> None:
    assert problem(value) == "Workers: enter a number, such as 0.5."


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("0", "Workers: enter a whole number of at least 1."),
        ("9", "Workers: enter a whole number of at most 8."),
        ("1.5", "Workers: enter a whole number, such as 8."),
        ("8", None),
        ("1", None),
    ],
)
def test_a_number_is_kept_within_what_the_app_allows(value: str, why: str | None) -> None:
    assert problem(value, least=1, most=8, whole=True) == why


def test_a_number_has_a_default_written_as_one() -> None:
    assert read_options(app(default=4), {}) == ({"x": "4"}, [])
    assert read_options(app(default=0.5), {}) == ({"x": "0.5"}, [])


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_path_is_a_full_one(kind: str) -> None:
    assert problem("~/app.py", kind=kind) is None
    assert problem("/home/alice/app.py", kind=kind) is None
    assert problem("app.py", kind=kind) == "Workers: enter the full path, starting with / or ~/."
