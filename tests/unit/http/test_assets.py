"""The web app's files: compressed by the build, chosen by what the browser accepts."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx2
import pytest

SCRIPT = b"console.log('portal');" * 100
PLACE = "/services/portal/assets"


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("portal.app.WEB_APP", tmp_path)
    folder = tmp_path / "assets"
    folder.mkdir()
    (folder / "index-1a.js").write_bytes(SCRIPT)
    (folder / "index-1a.js.br").write_bytes(b"as Brotli")
    (folder / "index-1a.js.gz").write_bytes(gzip.compress(SCRIPT))
    return folder


@pytest.mark.parametrize(
    ("accepts", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("GZIP", "gzip"),
        ("identity", None),
    ],
)
async def test_asset_is_sent_as_its_build_compressed_it(
    http: httpx2.AsyncClient, assets: Path, accepts: str, coding: str | None
) -> None:
    async with http.stream("GET", f"{PLACE}/index-1a.js", headers={"Accept-Encoding": accepts}) as answer:
        raw = b"".join([piece async for piece in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == coding
    assert raw == {"br": b"as Brotli", "gzip": (assets / "index-1a.js.gz").read_bytes(), None: SCRIPT}[coding]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_asset_without_compressed_files_is_sent_as_it_is(http: httpx2.AsyncClient, assets: Path) -> None:
    (assets / "dot.png").write_bytes(b"\x89PNG")
    answer = await http.get(f"{PLACE}/dot.png", headers={"Accept-Encoding": "br"})
    assert (answer.content, answer.headers.get("content-encoding")) == (b"\x89PNG", None)
    assert answer.headers["content-type"] == "image/png"


async def test_documentation_is_served_to_everybody(http: httpx2.AsyncClient) -> None:
    first = await http.get("/services/portal/docs", follow_redirects=True)
    assert first.url.path == "/services/portal/docs/README.md"
    assert "<title>Documentation</title>" in first.text
    picture = await http.get("/services/portal/docs/images/lab.png")
    assert picture.headers["content-type"] == "image/png"
    assert (await http.get("/services/portal/docs/generate.py")).status_code == 404


async def test_examples_in_the_documentation_have_the_sites_own_address(http: httpx2.AsyncClient) -> None:
    page = (await http.get("/services/portal/docs/how-to/ssh.md")).text
    assert "curl -fsSLo portal.pyz http://localhost:8000/services/portal/laptop/portal.pyz" in page
