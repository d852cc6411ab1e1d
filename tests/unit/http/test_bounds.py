"""What a request may be: its caller is known before its body is read, and what it holds is bounded on every route."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from portal.app import describe
from portal.auth.cookies import LoginState
from portal.auth.dependencies import current_user
from portal.images.agent_endpoints import agent_pull
from portal.routing import Route
from portal.sessions.agent_endpoints import agent_session
from portal.usage.endpoints import meter_owner
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN, token

PREFIX = "/services/portal"
AT_MOST_S = 1.0
"""Of the processor, for a request that is refused; the old way took seconds."""


def every_route(app: FastAPI) -> Iterator[tuple[str, str, APIRoute]]:
    """Yield method, path and route of everything that the portal serves."""
    for route in app.routes:
        assert isinstance(route, APIRoute), "each is made once, and none stands in a router of its own"
        for method in route.methods:
            yield method, re.sub(r"{[^}]*}", "1", route.path_format), route


def with_bodies(app: FastAPI) -> list[tuple[str, str, Route]]:
    results = [value for value in every_route(app) if value[2].body_field is not None]
    assert len(results) > 20
    assert all(isinstance(route, Route) for _, _, route in results)
    return results  # type: ignore[return-value]


async def let_in(request: Request) -> None:
    return None


def test_every_route_is_one_that_decides_first(app: FastAPI) -> None:
    plain = [path for _, path, route in every_route(app) if not isinstance(route, Route)]
    assert not plain


async def test_body_of_a_stranger_is_not_read(app: FastAPI, http: httpx2.AsyncClient) -> None:
    read: list[str] = []

    async def body(path: str) -> AsyncIterator[bytes]:
        read.append(path)
        yield b"{"

    gated = [(method, path) for method, path, route in with_bodies(app) if route.gates]
    for method, path in gated:
        answer = await http.request(
            method, path, content=body(path), headers={"Content-Type": "application/json", "Content-Length": "900000"}
        )
        assert answer.status_code in (401, 403), path
    assert not read
    assert {path for _, path, route in with_bodies(app) if not route.gates} == {
        f"{PREFIX}/agent/hello",
        f"{PREFIX}/agent/pull/hello",
    }


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 60_000,
        b"{" + b",".join(b'"%06d":1' % number for number in range(85_000)) + b"}",
        b"[" + b"1," * 30_000 + b"1]",
        b"[" + b"9" * 60_000 + b"]",
        b'{"a":' * 50 + b"1" + b"}" * 50,
    ],
    ids=["deep", "85,000 keys", "many items", "a long number", "fifty levels"],
)
async def test_body_that_is_too_much_is_refused_at_once(
    body: bytes, app: FastAPI, portal: Portal, http: httpx2.AsyncClient
) -> None:
    app.dependency_overrides |= {agent_session: let_in, agent_pull: let_in, meter_owner: let_in}
    hub = {"Authorization": f"token {portal.settings.secrets.hub_key}"}
    for method, path, _ in with_bodies(app):
        who = hub if "/internal/" in path else ADMIN
        began = time.process_time()
        answer = await http.request(method, path, content=body, headers=who | {"Content-Type": "application/json"})
        assert time.process_time() - began < AT_MOST_S, path
        assert answer.status_code in (413, 422), (path, answer.text[:200])
        assert len(answer.content) < 16_384, path


async def test_problems_are_told_up_to_a_number(http: httpx2.AsyncClient) -> None:
    body = {"app": "jupyterlab"} | {f"unknown_{number}": 1 for number in range(1_500)}
    answer = await http.post(f"{PREFIX}/api/sessions/check", json=body, headers=token("alices-token"))
    error = answer.json()["error"]
    assert answer.status_code == 422
    assert len(error["fields"]) == 20
    assert error["message"].endswith("And 1,495 more problems.")
    long = await http.post(f"{PREFIX}/api/sessions/check", json={"x" * 60_000: 1}, headers=token("alices-token"))
    assert long.status_code == 422
    assert len(long.content) < 4_096


@pytest.mark.parametrize(
    "body",
    [
        '{"app": "jupyterlab", "app": "tensorboard"}',
        '{"app": "jupyterlab", "resources": {"gpus": NaN}}',
        '{"app": "jupyterlab", "resources": {"gpus": 1e999}}',
        '{"app": "jupyterlab", "resources": {"gpus": 18446744073709551616}}',
        '{"app": "jupyterlab", "name": "\\ud800"}',
        '{"app": "jupyterlab", "\\udfff": 1}',
    ],
    ids=["a key twice", "NaN", "infinite", "beyond 64 bits", "half a character", "half a character in a key"],
)
async def test_body_of_odd_json_is_refused(body: str, http: httpx2.AsyncClient) -> None:
    headers = token("alices-token") | {"Content-Type": "application/json"}
    answer = await http.post(f"{PREFIX}/api/sessions/check", content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


async def test_body_that_does_not_come_is_given_up(http: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.routing.READ_WITHIN_S", 0.05)

    class Stalled(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"{"
            await asyncio.Event().wait()

    answer = await http.post(f"{PREFIX}/api/sessions/check", content=Stalled(), headers=token("alices-token"))
    assert answer.status_code == 408


# --- what used to be an error of the server ---


@pytest.mark.parametrize("value", ["token é", "Bearer é", "token \xff", "Basic é", "é"])
async def test_authorization_beyond_ascii_is_no_login(value: str, http: httpx2.AsyncClient) -> None:
    for method, path in (("GET", "/api/me"), ("GET", "/internal/alive"), ("POST", "/agent/orders")):
        answer = await http.request(method, PREFIX + path, headers={"Authorization": value.encode("latin-1")})
        assert answer.status_code in (401, 403, 404), path


async def test_login_that_returns_with_another_alphabet_is_refused(portal: Portal, http: httpx2.AsyncClient) -> None:
    response = Response()
    portal.cookies.set_state(response, LoginState("state", "verifier", "/"))
    http.cookies["portal-oauth-state"] = response.headers["set-cookie"].split("=", 1)[1].split(";", 1)[0]
    answer = await http.get(f"{PREFIX}/oauth_callback", params={"code": "x", "state": "é"})
    assert answer.status_code == 401


def test_every_number_in_an_address_has_bounds() -> None:
    """SQLite takes 64 bits, PostgreSQL often 32; a larger number would be a server error."""
    boundless = [
        (method, path, value["name"])
        for path, methods in describe()["paths"].items()
        for method, described in methods.items()
        for value in described.get("parameters", [])
        for schema in value["schema"].get("anyOf", [value["schema"]])
        if schema.get("type") in ("integer", "number")
        and not ({"minimum", "exclusiveMinimum"} & schema.keys() and {"maximum", "exclusiveMaximum"} & schema.keys())
    ]
    assert not boundless


async def test_number_beyond_every_database_is_refused(http: httpx2.AsyncClient) -> None:
    answer = await http.get(f"{PREFIX}/api/audit", params={"before": "9" * 30}, headers=ADMIN)
    assert answer.status_code == 422
    answer = await http.get(f"{PREFIX}/api/jobs/{'9' * 5_000}", headers=ADMIN)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "line",
    [
        "--array=0-9%²",
        "--array=0-9%" + "9" * 5_000,
        "--nodes=" + "9" * 5_000,
        "--gres=gpu:" + "9" * 5_000,
        "--gpus-per-node=" + "9" * 5_000,
        "--mem=" + "9" * 5_000 + "G",
        "--time=" + "9" * 5_000,
        "--time=" + "9" * 5_000 + "-1:1:1",
        "--cpus-per-task=²",
        "--array=" + "9" * 5_000,
    ],
    ids=lambda line: line[:20],
)
async def test_script_with_odd_numbers_is_read(line: str, http: httpx2.AsyncClient) -> None:
    script = f"#!/bin/bash\n#SBATCH {line}\nhostname\n"
    answer = await http.post(f"{PREFIX}/api/jobs/parse", json={"script": script}, headers=token("alices-token"))
    assert answer.status_code == 200, answer.text[:300]
    assert answer.json()["kept"] == [f"#SBATCH {line}"]
    checked = await http.post(f"{PREFIX}/api/jobs/check", json={"script": script}, headers=token("alices-token"))
    assert checked.status_code != 500


async def test_script_of_directives_alone_is_refused(http: httpx2.AsyncClient) -> None:
    script = "#!/bin/bash\n" + "#SBATCH -N1\n" * 15_000
    began = time.process_time()
    answer = await http.post(f"{PREFIX}/api/jobs/parse", json={"script": script}, headers=token("alices-token"))
    assert time.process_time() - began < AT_MOST_S
    assert answer.status_code == 422
    assert "#SBATCH" in answer.json()["error"]["message"]


async def test_failure_of_the_portal_itself_is_answered_like_all_else(app: FastAPI, http: httpx2.AsyncClient) -> None:
    async def broken(request: Request) -> None:
        raise RuntimeError("broken")

    app.dependency_overrides[current_user] = broken
    answer = await http.get(f"{PREFIX}/api/me")
    assert answer.status_code == 500
    assert answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    error = json.loads(answer.text)["error"]
    assert (error["code"], error["request_id"]) == ("internal", answer.headers["x-request-id"])
