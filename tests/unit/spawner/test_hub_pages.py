"""The Hub's pages: the web app's look, and nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import jinja2
import pytest

from spawner.form import PAGES
from spawner.login_notices import LoginNotices
from spawner.portal_client import PortalAway

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


async def test_login_page_shows_what_is_announced_and_stands_without_the_portal() -> None:
    class Portal:
        items: ClassVar = [
            {
                "kind": "maintenance",
                "text": "New <b>switches</b>.",
                "partitions": ["sxm2"],
                "starts_at": "2026-12-03T08:00:00Z",
                "ends_at": "2026-12-03T12:00:00Z",
            }
        ]
        away = False

        async def announcements(self, *, timeout_s: float) -> list[dict[str, object]]:
            if self.away:
                raise PortalAway("gone")
            return self.items

    async def page(portal: Portal) -> str:
        environment = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGES), autoescape=True, enable_async=True)
        notices = LoginNotices(portal)  # type: ignore[arg-type]  # all that it asks
        assert not callable(notices), "the Hub would call it with the user"
        return await environment.get_template("login.html").render_async(site_name="Site", login_notices=notices)

    html = await page(Portal())
    assert "Maintenance on sxm2" in html
    notices = LoginNotices(Portal())  # type: ignore[arg-type]
    await notices.now()
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGES), autoescape=True)
    failed = environment.get_template("login.html").render(login_notices=notices, login_error="Wrong user name")
    assert "Maintenance on sxm2" in failed, "the Hub draws a failed login without waiting"
    assert "Wrong user name" in failed
    assert "Thu 3 Dec 08:00 UTC – Thu 3 Dec 12:00 UTC" in html
    assert "New &lt;b&gt;switches&lt;/b&gt;." in html
    away = Portal()
    away.away = True
    assert "User name" in await page(away)
