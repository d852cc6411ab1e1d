"""Texts that count go through one function: "1 cores" is said nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from portal.plurals import plural

ROOT = Path(__file__).parents[2]
COUNTED = (
    "account|attempt|byte|cell|component|core|day|error|event|field|file|folder|GPU|GPU-hour|group|hour|image|job|kernel|"
    "line|log|machine|member|message|minute|month|node|notebook|partition|problem|record|request|reservation|route|row|"
    "second|session|snooze|step|table|task|template|terminal|time|token|user|week"
)
ADJECTIVE = "(?:free|more|new|other|selected|shared|unused)"
AFTER = re.compile(rf"[ \u00a0](?:{ADJECTIVE} )?(?:{COUNTED})s\b")
#: A JavaScript template with a count, other than the second branch of `count === 1 ? … : …`.
IN_SCRIPT = re.compile(rf"(?<!: `)\$\{{[^}}]+\}} (?:{ADJECTIVE} )?(?:{COUNTED})s\b")
#: What looks like a count and is a name or a list of names.
NAMES = {
    ("portal/apps/folders.py", "option.holds"),
    ("portal/placement/gpu_memory.py", "_listed(larger)"),
    ("portal/policy/gpu_types.py", "', '.join(sorted(types))"),
    ("portal/policy/resolve.py", "ask.gpu_type"),
}


def counted(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the expression of each f-string `{expression} cores`, unless it is compared with a number."""
    tree = ast.parse(source)
    chosen = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp) and _by_number(node)
        for part in ast.walk(node)
    }
    for text in ast.walk(tree):
        if not isinstance(text, ast.JoinedStr) or id(text) in chosen:
            continue
        for value, after in zip(text.values, text.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            if AFTER.match(str(after.value)) and not _constant(value.value):
                yield value.lineno, ast.unparse(value.value)


def _by_number(choice: ast.IfExp) -> bool:
    return isinstance(choice.test, ast.Compare) and any(
        isinstance(side, ast.Constant) and isinstance(side.value, int) for side in choice.test.comparators
    )


def _constant(value: ast.expr) -> bool:
    """`MOST_NODES`, `TIMEOUT_S / 60`: the text is right as long as the constant is above 1."""
    names = [node.id for node in ast.walk(value) if isinstance(node, ast.Name)]
    return bool(names) and all(name.isupper() for name in names)


def test_no_text_counts_without_a_plural() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {expression}"
        for folder in ("agent", "door", "portal", "spawner")
        for path in (ROOT / folder).rglob("*.py")
        for line, expression in counted(path.read_text())
        if (str(path.relative_to(ROOT)), expression) not in NAMES
    ]
    assert wrong == []


def test_no_text_in_jupyterlab_counts_without_a_plural() -> None:
    scripts = (ROOT / "agent/lab/labextension/static").glob("*.js")
    wrong = [found for script in scripts for found in IN_SCRIPT.findall(script.read_text())]
    assert wrong == []


def test_texts_that_count_are_found() -> None:
    source = 'f"{n} cores"\nf"{len(x):,} free GPUs"\nf"{MOST} nodes"\n"1" if n == 1 else f"{n} jobs"\nf"{n} runs"\n'
    assert list(counted(source)) == [(1, "n"), (2, "len(x)")]
    assert IN_SCRIPT.findall("(n) => `${n} cores`") == ["${n} cores"]
    assert IN_SCRIPT.findall('(n) => (n === 1 ? "1 core" : `${n} cores`)') == []


def test_one_is_singular() -> None:
    assert [plural(number, "core") for number in (0, 1, 2, 1024, 1.5)] == [
        "0 cores", "1 core", "2 cores", "1,024 cores", "1.5 cores",
    ]  # fmt: skip
    assert [plural(number, "entry", "entries") for number in (1, 3)] == ["1 entry", "3 entries"]
