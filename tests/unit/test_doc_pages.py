"""The documentation as the portal serves it: every page, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from portal import doc_pages
from portal.cli import app
from portal.errors import NotFound
from portal.shipped import DOCS

PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
LINK = re.compile(r"(?:href|src)=[\"']([^\"']+)[\"']")


@pytest.mark.parametrize("path", PAGES)
def test_links_of_a_page_lead_to_pages_pictures_and_headings(path: str) -> None:
    html = doc_pages.page(path)
    for target in LINK.findall(html):
        if re.match(r"[a-z]+:", target):
            continue
        there, _, anchor = target.partition("#")
        file = doc_pages.file(((DOCS / path).parent / there).resolve().relative_to(DOCS).as_posix() if there else path)
        if anchor and file.suffix == ".md":
            assert f'id="{anchor}"' in doc_pages.page(file.relative_to(DOCS).as_posix()), target


def test_page_has_its_title_and_a_way_back() -> None:
    html = doc_pages.page("how-to/alarms/portal-away.md")
    assert "<title>PortalAway: " in html
    assert "<a href='../../README.md'>" in html


@pytest.mark.parametrize("path", ["../pyproject.toml", "generate.py", "nothing.md", "how-to", "/etc/passwd"])
def test_other_files_are_not_served(path: str) -> None:
    with pytest.raises(NotFound):
        doc_pages.file(path)


def test_html_of_a_source_is_shown_not_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# A & B\n\n<script>alert(1)</script> [x](javascript:alert(1))\n")
    monkeypatch.setattr(doc_pages, "DOCS", tmp_path)
    html = doc_pages.page("page.md")
    assert "<script>" not in html
    assert 'href="javascript' not in html
    assert "<title>A &amp; B</title>" in html


@pytest.mark.parametrize("name", ["how-to/alarms/portal-away", "docs/how-to/alarms/portal-away.md"])
def test_pages_are_shown_in_the_terminal(name: str) -> None:
    done = CliRunner().invoke(app, ["docs", name])
    assert done.exit_code == 0
    assert "PortalAway" in done.output
    assert "Tutorial" in CliRunner().invoke(app, ["docs"]).output
    assert isinstance(CliRunner().invoke(app, ["docs", "../pyproject"]).exception, NotFound)
