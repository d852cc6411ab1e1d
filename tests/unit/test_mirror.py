"""Unit tests stand where their source does: a folder of tests has the name of the folder that it tests."""

from __future__ import annotations

from pathlib import Path

UNIT = Path(__file__).parent
ROOT = UNIT.parents[1]
#: Folders and files that mirror nothing, and why.
OTHERS = {
    "http": "the portal's routes, through the whole application",
    "test_assertions.py": "a check of all tests",
    "test_mirror.py": "this check",
}


def test_each_folder_and_file_of_unit_tests_has_its_source() -> None:
    folders = {file.parent for file in UNIT.rglob("test_*.py")} - {UNIT}
    tested = [*folders, *UNIT.glob("test_*.py")]
    without = {str(path.relative_to(UNIT)) for path in tested if not _has_source(path.relative_to(UNIT))}
    assert without == set(OTHERS)


def _has_source(test: Path) -> bool:
    source = test.with_name(test.name.removeprefix("test_").removesuffix(".py"))
    tops = (ROOT / "portal", ROOT)
    module = test.suffix == ".py" and any((top / f"{source}.py").is_file() for top in tops)
    return module or any((top / source).is_dir() for top in tops)
