"""Every test asserts something, itself or through a function of the tests that it calls."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
#: Functions outside the tests that assert on their behalf.
FAILING = {"raises", "fail", "warns", "raise_for_status", "timeout"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: str) -> Iterator[Function]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, Function))


def called(function: Function) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


def asserts(function: Function) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or bool(called(function) & FAILING)


def without_assertion(*sources: str) -> list[str]:
    """Return the names of the tests that neither assert nor call, at any depth, a function that does."""
    calls: dict[str, set[str]] = defaultdict(set)
    tests, asserting = [], set(FAILING)
    for source in sources:
        for function in functions(source):
            calls[function.name] |= called(function)
            if asserts(function):
                asserting.add(function.name)
            elif function.name.startswith("test_"):
                tests.append(function.name)
    while new := {name for name, below in calls.items() if name not in asserting and below & asserting}:
        asserting |= new
    return [test for test in tests if test not in asserting]


def test_each_test_asserts_something() -> None:
    assert without_assertion(*(path.read_text() for path in TESTS.rglob("*.py"))) == []


def test_test_that_only_runs_something_is_reported() -> None:
    source = "def look(): assert ask()\ndef deeper(): look()\ndef test_well(): deeper()\ndef test_badly(): ask()\n"
    assert without_assertion(source) == ["test_badly"]
