"""Codes for logins of devices work once, for a limited time, and only with the secret of the program that asked."""

from __future__ import annotations

import base64
import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from tornado import web

from spawner.devices import CODE_S, MOST_CODES, Asked, Codes

VERIFIER = "a-verifier-of-the-program"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
ASKED = Asked("laptop", 5000, CHALLENGE, "state")
FIT = {"device": "Alice's laptop", "port": "50123", "challenge": CHALLENGE, "state": "a-state_1"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_code_works_once() -> None:
    codes = Codes()
    code = codes.grant("alice", ASKED)
    granted = codes.redeem(code, VERIFIER)
    assert granted is not None
    assert (granted.username, granted.device) == ("alice", "laptop")
    assert codes.redeem(code, VERIFIER) is None


def test_a_code_with_the_wrong_secret_is_void() -> None:
    codes = Codes()
    code = codes.grant("alice", ASKED)
    assert codes.redeem(code, "somebody else's") is None
    assert codes.redeem(code, VERIFIER) is None


def test_a_code_expires_and_codes_are_bounded() -> None:
    clock = Clock()
    codes = Codes(clock)
    code = codes.grant("alice", ASKED)
    clock.now = CODE_S + 1
    assert codes.redeem(code, VERIFIER) is None
    first, *_ = [codes.grant("alice", ASKED) for _ in range(MOST_CODES + 1)]
    assert codes.redeem(first, VERIFIER) is None


def handler(**arguments: str) -> Any:
    return SimpleNamespace(get_argument=lambda name, default: arguments.get(name, default))


def test_what_the_program_asks_is_read() -> None:
    assert Asked.of(handler(**FIT)) == Asked("Alice's laptop", 50123, CHALLENGE, "a-state_1")


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": "80"},
        {"port": "70000"},
        {"port": "5000@evil.example"},
        {"port": "٥٠٠٠"},
        {"device": ""},
        {"device": "a\nb"},
        {"challenge": "plain"},
        {"state": "a&code=b"},
    ],
)
def test_anything_else_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(web.HTTPError) as refused:
        Asked.of(handler(**{**FIT, **wrong}))
    assert refused.value.status_code == 400
