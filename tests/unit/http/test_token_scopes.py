"""Narrow tokens of an administrator at every route: each refused everything but what its scope names."""

from __future__ import annotations

import re

import httpx2
import pytest

from portal import token_scopes
from portal.concurrency import ConcurrencyLimit
from portal.errors import PortalError
from portal.routing import SAFE_METHODS
from tests.unit.http.conftest import token
from tests.unit.http.test_routes import administrators_routes, every_route


def needed(method: str, path: str, administrators: list[tuple[str, str]]) -> str | None:
    """Return the scope that a route needs, told by its address; None: no scope is enough."""
    if (method, path) in administrators:
        return token_scopes.ADMIN
    if method in SAFE_METHODS:
        return token_scopes.READ
    of_sessions = ("sessions", "shares", "presets", "images", "ngc", "templates", "messages")
    kind = path.partition("/api/")[2].partition("/")[0]
    own = {"jobs": token_scopes.JOBS, "files": token_scopes.FILES}
    return own.get(kind, token_scopes.SESSIONS if kind in of_sessions else None)


class Admitted(PortalError):
    status = 418
    code = "admitted"


def admit(_limit: ConcurrencyLimit, username: str) -> None:
    """Stand where the limit is: after the gates, before the route."""
    raise Admitted(username)


@pytest.mark.parametrize("scope", token_scopes.DESCRIPTIONS)
async def test_narrow_token_is_refused_all_but_what_its_scope_names(
    http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    monkeypatch.setattr(ConcurrencyLimit, "of", admit)
    narrow = token(f"admins-{scope.removeprefix(token_scopes.PREFIX)}-token")
    routes, administrators = every_route(), administrators_routes()
    codes = {}
    for method, path in routes:
        answer = await http.request(method, re.sub(r"{\w+}", "1", path), json={}, headers=narrow)
        codes[method, path] = answer.json()["error"]["code"]
    expected = {
        route: "admitted" if needed(*route, administrators) in (scope, token_scopes.READ) else "scope_missing"
        for route in routes
    }
    assert codes == expected
    assert len(set(codes.values())) == 2


@pytest.mark.parametrize("name", ["admins-token", "admins-inheriting-token"])
async def test_token_that_was_given_no_scopes_may_do_what_its_user_may(
    http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The Hub gives such a token every scope of its user."""
    monkeypatch.setattr(ConcurrencyLimit, "of", admit)
    for method, path in every_route():
        answer = await http.request(method, re.sub(r"{\w+}", "1", path), json={}, headers=token(name))
        assert answer.json()["error"]["code"] == "admitted", (method, path)
