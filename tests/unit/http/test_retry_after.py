"""A refusal that knows when to try again says so in its Retry-After header, in JSON and on a page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from starlette.datastructures import State
from starlette.requests import Request

from portal.errors import SlurmUnavailable, TooManyRequests
from portal.http import answer
from portal.settings import Settings


def request(path: str, accept: str) -> Request:
    headers = [(b"accept", accept.encode())]
    app = SimpleNamespace(state=State({"services": {Settings: Settings()}}))
    return Request({"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b"", "app": app})


@pytest.mark.parametrize(("path", "accept"), [("/x/api/me", "application/json"), ("/x/me", "text/html")])
@pytest.mark.parametrize(("seconds", "header"), [(None, None), (0.0, "1"), (2.1, "3"), (30, "30")])
def test_refusal_says_when_to_try_again(path: str, accept: str, seconds: float | None, header: str | None) -> None:
    for kind in (TooManyRequests, SlurmUnavailable):
        answered = answer(request(path, accept), kind("Busy.", retry_after_s=seconds))
        assert answered.status_code == kind.status
        assert answered.headers.get("Retry-After") == header
