"""The table of the catalogue in docs/how-to/apps.md: every shipped app, as it is declared, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

from portal.settings.apps import App, shipped

CLONE = Path(__file__).parents[3]
PAGE = CLONE / "docs" / "how-to" / "apps.md"


def rows() -> dict[str, list[str]]:
    """Return the table's cells by the app's name."""
    section = PAGE.read_text().partition("## The catalogue\n")[2]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {cells[1].strip("`"): cells for cells in table if re.fullmatch(r"`[a-z]+`", cells[1])}


def test_the_table_shows_each_shipped_app_as_it_is_declared() -> None:
    declared = {name: App.model_validate(app) for name, app in shipped().items()}
    assert {name: [cells[0], cells[2], cells[4].strip("`")] for name, cells in rows().items()} == {
        name: [app.title, "yes" if app.enabled else "no", "–" if app.kind == "jupyter" else app.listen]
        for name, app in declared.items()
    }


def test_the_tests_that_it_names_exist_and_name_the_app() -> None:
    for name, cells in rows().items():
        for path in re.findall(r"`(tests/[^`]+)`", " ".join(cells[5:])):
            assert (CLONE / path).exists(), path
            beside = (CLONE / path).parent if path.endswith(".py") else CLONE / path
            assert any(f'"{name}"' in file.read_text() for file in beside.glob("*.py")), (name, path)


def test_every_app_that_is_off_says_what_it_needs() -> None:
    assert [name for name, app in shipped().items() if app.get("enabled", True) is False and not app.get("needs")] == []
