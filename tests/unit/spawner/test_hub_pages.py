"""The Hub's pages: the web app's look, and nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest

from spawner.form import PAGES

ROOT = Path(__file__).parents[3]


def test_tokens_are_the_web_apps() -> None:
    assert (PAGES / "tokens.css").read_text() == (ROOT / "frontend/src/theme/tokens.css").read_text()


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.html")))
def test_page_loads_nothing_from_elsewhere(page: str) -> None:
    source = (PAGES / page).read_text()
    jinja2.Environment(autoescape=True).parse(source)
    addresses = re.findall(r"""(?:src|href|action)=["']([^"'{][^"']*)["']""", source)
    assert not [address for address in addresses if not address.startswith(("#", "data:"))]


def test_styles_load_nothing_from_elsewhere() -> None:
    assert not [path for path in PAGES.glob("*.css") if "url(" in path.read_text() or "@import" in path.read_text()]


def test_error_page_shows_the_sentence_escaped() -> None:
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGES), autoescape=True)
    html = environment.get_template("error.html").render(
        site_name="Site",
        portal_url="/services/portal/",
        status_code=503,
        status_message="x",
        message="No <b>directory</b>.",
    )
    assert "No &lt;b&gt;directory&lt;/b&gt;." in html
