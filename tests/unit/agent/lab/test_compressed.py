"""What a session's Jupyter compresses on its way to the browser, through a real Tornado server."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator

import pytest
from tornado import web
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.testing import bind_unused_port

from agent.lab import compressed

BASE = "/user/alice/s1/"
SETTINGS = json.dumps({"settings": ["x" * 100] * 1000})


class Answer(web.RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "application/json")
        self.finish(SETTINGS)


class Png(web.RequestHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "image/png")
        self.finish(SETTINGS)


def application() -> web.Application:
    app = web.Application(
        [
            (rf"{BASE}(?:lab/api/settings|lsp/status)", Answer),
            (rf"{BASE}api/logo", Png),
            (rf"{BASE}files/data.json", Answer),
        ],
        base_url=BASE,
    )
    compressed.compress(app)
    return app


@pytest.fixture
async def url() -> AsyncIterator[str]:
    sock, port = bind_unused_port()
    server = application().listen(0)
    server.add_socket(sock)
    yield f"http://127.0.0.1:{port}{BASE}"
    server.stop()


async def fetched(url: str, **headers: str) -> tuple[str, bytes]:
    """Return the answer's encoding, and its body as it came."""
    request = HTTPRequest(url, headers={"Accept-Encoding": "gzip"} | headers, decompress_response=False)
    answer = await AsyncHTTPClient().fetch(request)
    return answer.headers.get("Content-Encoding", ""), answer.body


@pytest.mark.parametrize("path", ["lab/api/settings", "lsp/status"])
async def test_settings_and_language_servers_are_compressed(url: str, path: str) -> None:
    encoding, body = await fetched(url + path)
    assert encoding == "gzip"
    assert gzip.decompress(body).decode() == SETTINGS
    assert len(body) < len(SETTINGS) / 20


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("files/data.json", {}),
        ("api/logo", {}),
        ("lab/api/settings", {"Accept-Encoding": "identity"}),
        ("lab/api/settings", {"Range": "bytes=0-9"}),
    ],
)
async def test_other_answers_are_left_as_they_are(url: str, path: str, headers: dict[str, str]) -> None:
    assert await fetched(f"{url}{path}", **headers) == ("", SETTINGS.encode())


async def test_very_large_answer_is_not_compressed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "MOST_BYTES", 1000)
    assert (await fetched(f"{url}lab/api/settings"))[0] == ""


def test_server_that_compresses_everything_is_left_alone() -> None:
    app = web.Application([], base_url=BASE, compress_response=True)
    before = list(app.transforms)
    compressed.compress(app)
    assert app.transforms == before
