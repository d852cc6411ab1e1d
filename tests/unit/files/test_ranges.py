"""Ranges and versions of RFC 9110, as a table."""

from __future__ import annotations

import pytest

from portal.files.ranges import Wanted, wanted

TAG = '"v1"'


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({}, Wanted(200, 0, 100)),
        ({"range": "bytes=0-9"}, Wanted(206, 0, 10)),
        ({"range": "bytes=90-"}, Wanted(206, 90, 10)),
        ({"range": "bytes=90-1000"}, Wanted(206, 90, 10)),
        ({"range": "bytes=-10"}, Wanted(206, 90, 10)),
        ({"range": "bytes=-1000"}, Wanted(206, 0, 100)),
        ({"range": "bytes=100-"}, Wanted(416)),
        ({"range": "bytes=9-3"}, Wanted(416)),
        ({"range": "bytes=-0"}, Wanted(416)),
        ({"range": "bytes=0-1,5-6"}, Wanted(200, 0, 100)),
        ({"range": "lines=0-1"}, Wanted(200, 0, 100)),
        ({"range": "bytes=-"}, Wanted(200, 0, 100)),
        ({"range": "bytes=5-", "if-range": TAG}, Wanted(206, 5, 95)),
        ({"range": "bytes=5-", "if-range": '"v0"'}, Wanted(200, 0, 100)),
        ({"if-none-match": '"v0", W/"v1"'}, Wanted(304)),
        ({"if-none-match": '"v0"'}, Wanted(200, 0, 100)),
    ],
)
def test_what_a_request_gets(headers: dict[str, str], answer: Wanted) -> None:
    assert wanted(headers, 100, TAG) == answer


def test_empty_file() -> None:
    assert wanted({}, 0, TAG) == Wanted(200, 0, 0)
    assert wanted({"range": "bytes=0-"}, 0, TAG) == Wanted(416)
