"""Where the command line finds the Hub."""

from __future__ import annotations

import pytest

from portal.client import http


@pytest.mark.parametrize(
    ("url", "reached", "headers"),
    [
        ("http://hub.localhost:8000", "http://127.0.0.1:8000", {"Host": "hub.localhost:8000"}),
        ("http://localhost:8000", "http://localhost:8000", {}),
        ("https://hub.localhost", "https://hub.localhost", {}),
        ("https://hub.example.org", "https://hub.example.org", {}),
    ],
)
def test_names_below_localhost_are_this_machine(url: str, reached: str, headers: dict[str, str]) -> None:
    assert http.reachable(url) == (reached, headers)
