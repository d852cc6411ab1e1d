"""Who passes the gate before sessions that share a host, and what they take along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from starlette.responses import Response

from portal.auth.cookies import Cookies
from portal.auth.people import People
from portal.errors import Forbidden, NotAuthenticated
from portal.gate.endpoints import safe_next
from portal.gate.service import Gate, NotLoggedIn, the_gate
from portal.gate.target import Ambiguous, owner_of
from portal.hub.client import HubIdentity
from portal.settings import SECRET_NAMES, Settings
from tests.unit.sessions.conftest import FakeDirectory

COOKIES = Cookies(Fernet(Fernet.generate_key()), path="/services/portal", secure=True, own_host=True, csrf_key="0" * 64)


class FakeIdentities:
    async def known(self, token: str) -> HubIdentity:
        name = token.removesuffix("-token")
        if name == token:
            raise NotAuthenticated("This token is not known.")
        return HubIdentity(name, frozenset())


def gate(folder: Path, **hub: Any) -> Gate:
    for number, name in enumerate(SECRET_NAMES):
        (folder / name).write_text(f"{number:064x}")
        (folder / name).chmod(0o600)
    settings = Settings.model_validate(
        {"secrets_dir": folder, "hub": {"public_url": "https://jupyter.example.org", **hub}}
    )
    return the_gate(settings, FakeIdentities(), People(FakeDirectory()), COOKIES)  # type: ignore[arg-type]


def logged_in(gate: Gate, token: str) -> dict[str, str]:
    response = Response()
    gate.client.cookies.set_login(response, token)
    name, value = response.headers["set-cookie"].split(";")[0].split("=", 1)
    return {name: value}


async def test_owner_passes_with_cookie_or_token_and_nobody_else(tmp_path: Path) -> None:
    result = gate(tmp_path)
    await result.judge("/user/alice/lab/x?y=1", bearer="alice-token", cookies={})
    await result.judge("/user/alice/lab", bearer=None, cookies=logged_in(result, "alice-token"))
    for name in ("bob", "admin"):
        with pytest.raises(Forbidden, match="another user"):
            await result.judge("/user/alice/lab", bearer=f"{name}-token", cookies={})
        with pytest.raises(Forbidden, match="another user"):
            await result.judge("/user/alice/lab", bearer=None, cookies=logged_in(result, f"{name}-token"))
    with pytest.raises(Forbidden, match="may not use"):
        await result.judge("/user/eva/lab", bearer="eva-token", cookies={})


async def test_administrators_pass_where_the_site_says_so(tmp_path: Path) -> None:
    result = gate(tmp_path, admins_open_sessions=True)
    await result.judge("/user/alice/lab", bearer="admin-token", cookies={})
    with pytest.raises(Forbidden):
        await result.judge("/user/alice/lab", bearer="bob-token", cookies={})


async def test_browser_logs_in_and_a_program_with_a_bad_token_is_refused(tmp_path: Path) -> None:
    result = gate(tmp_path)
    for cookies in ({}, {"__Host-portal-gate": "forged"}, logged_in(result, "revoked")):
        with pytest.raises(NotLoggedIn):
            await result.judge("/user/alice/lab", bearer=None, cookies=cookies)
    with pytest.raises(Forbidden):
        await result.judge("/user/alice/lab", bearer="revoked", cookies=logged_in(result, "alice-token"))


async def test_what_is_no_session_passes_without_a_login(tmp_path: Path) -> None:
    for target in ("/", "/hub/login?next=%2Fuser%2Falice", "/hub/api/users/alice", "/favicon.ico"):
        await gate(tmp_path).judge(target, bearer=None, cookies={})


def test_portals_and_gates_cookies_are_not_taken_for_each_other(tmp_path: Path) -> None:
    result = gate(tmp_path)
    ((name, value),) = logged_in(result, "alice-token").items()
    assert name.startswith("__Host-"), "no other host can set it"
    assert COOKIES.login({name: value, "__Host-portal-login": value}) is None
    response = Response()
    COOKIES.set_login(response, "alice-token")
    portals = response.headers["set-cookie"].split(";")[0].split("=", 1)[1]
    assert result.client.cookies.login({name: portals}) is None


def test_session_never_gets_the_gates_cookies(tmp_path: Path) -> None:
    result, own = gate(tmp_path), "__Host-portal-gate"
    assert result.without_its_own([f"a=1; {own}=x;b=2", f"{own}-state=y; c=3"]) == "a=1; b=2; c=3"
    assert own not in result.without_its_own([f"{own}=x", f" {own} =y", ";;"])
    assert result.without_its_own([]), "never empty: then a web server may leave the browser's own"


@pytest.mark.parametrize(
    "target",
    [
        *("/%75ser/alice/x", "/user%2falice/x", "/user/alice/../bob/x", "/user/bob/%2E%2e/alice/x", "/./user/alice"),
        *("//user/alice/x", "//x/user/alice/x", "/\\user/alice", "/user\\alice", "http://x/user/alice", "user/alice"),
        *("/user", "/user/", "/user//alice/x", "/us\ter/alice", "/user/alice/#", "/user/älice/x", "", "*", "/%2fuser"),
    ],
)
def test_address_that_can_be_read_in_two_ways_is_refused(target: str) -> None:
    with pytest.raises(Ambiguous):
        owner_of(target)
    assert safe_next(target) == "/"


def test_name_that_is_written_otherwise_is_not_its_owners() -> None:
    for target in ("/user/%61lice/x", "/user/Alice/x", "/user/alice%2fx", "/user/alice;/x"):
        assert owner_of(target) not in (None, "alice")
    assert owner_of("/user/alice/files/a%2Fb/%2e.txt?x=../..") == "alice"


async def test_site_with_a_host_for_each_user_has_no_gate(tmp_path: Path) -> None:
    assert gate(tmp_path).is_here
    assert not gate(tmp_path, subdomains=True).is_here
    assert not gate(tmp_path, public_url="").is_here
