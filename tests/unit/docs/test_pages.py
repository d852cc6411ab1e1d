"""Links, pictures and indexes of the documentation."""

from __future__ import annotations

import json
import re
import struct
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.unit.docs.conftest import PAGES, ROOT, name_of, prose

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|(?:href|src|srcset)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
DOCS = ROOT / "docs"
MAX_PICTURE_BYTES = 150 * 1024
MAX_PICTURE_WIDTH = 1280


def anchors(page: Path) -> set[str]:
    """The anchors GitHub gives to a page's headings."""
    results = set()
    for heading in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        results.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return results


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_page_links_lead_somewhere(page: Path) -> None:
    broken = []
    for groups in LINK.findall(prose(page)):
        target = next(filter(None, groups))
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        result = (page.parent / path).resolve() if path else page
        if not result.exists() or (anchor and result.suffix == ".md" and anchor not in anchors(result)):
            broken.append(target)
    assert not broken


def test_index_names_every_page() -> None:
    index = (DOCS / "README.md").read_text()
    pages = [page for page in DOCS.rglob("*.md") if page.parent.name != "decisions" and page.name != "README.md"]
    assert [name_of(page) for page in pages if f"({page.relative_to(DOCS)})" not in index] == []


def test_index_of_decisions_names_every_decision() -> None:
    folder = DOCS / "decisions"
    index = (folder / "README.md").read_text()
    pages = [page.name for page in folder.glob("*.md") if page.name != "README.md"]
    assert [page for page in pages if f"({page})" not in index] == []


def test_dependencies_page_names_every_dependency() -> None:
    page = (DOCS / "reference" / "dependencies.md").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    web = json.loads((ROOT / "frontend" / "package.json").read_text())
    names = {re.split(r"[\[<>=~! ;]", line)[0] for line in python} - {project["name"]}
    names |= web["dependencies"].keys() | web["devDependencies"].keys()
    named = set(re.findall(r"[@\w/.-]+", page))
    assert sorted(names - named) == []


def test_pictures_are_small() -> None:
    large = []
    for picture in (DOCS / "images").glob("*.png"):
        head = picture.read_bytes()
        width = struct.unpack(">I", head[16:20])[0]
        if len(head) > MAX_PICTURE_BYTES or width > MAX_PICTURE_WIDTH:
            large.append(f"{picture.name}: {len(head)} bytes, {width} px wide")
    assert large == []


def test_pictures_are_shown_on_some_page() -> None:
    text = "".join(page.read_text() for page in PAGES)
    assert [picture.name for picture in (DOCS / "images").glob("*.png") if picture.name not in text] == []


def test_the_code_map_names_each_folder_and_each_says_what_it_owns() -> None:
    code_map = (DOCS / "explanation/architecture.md").read_text().partition("## Code map")[2]
    named = set(re.findall(r"`([\w/]+)/`", code_map))
    packages = [file.parent for file in (ROOT / "portal").glob("*/__init__.py")]
    pages = [folder for folder in (ROOT / "frontend/src").iterdir() if folder.is_dir()]
    assert {folder.name for folder in [*packages, *pages]} - named - {"test"} == set()
    assert {folder.name for folder in packages if not (folder / "__init__.py").read_text().startswith('"""')} == set()
