"""The API keeps to its own description, whatever is sent: generated requests, by schemathesis."""

from __future__ import annotations

import gc
from functools import cache

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from portal.app import describe

PREFIX = "/services/portal/api"
# Slurm, the Hub and the directory are not there for these routes, and they say so.
NOBODY_ANSWERS = {
    "directory_unavailable",
    "files_unavailable",
    "hub_unavailable",
    "outcome_unknown",
    "slurm_unavailable",
}
OPERATIONS = [
    (path, method)
    for path, methods in describe()["paths"].items()
    for method in methods
    if not path.endswith(("/events", "/follow"))  # streams
]


@cache
def described(app: FastAPI) -> BaseSchema:
    return schemathesis.openapi.from_asgi(f"{PREFIX}/openapi.json", app)


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the client's loops end with sockets open
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)  # the stricter of the two about values
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_request_crashes_a_route(app: FastAPI, path: str, method: str) -> None:
    operation = described(app)[path][method.upper()]

    @given(data=st.data())
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def holds(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy())
        response = case.call(headers={"Authorization": "token alices-token"}, timeout=60)
        if response.status_code == 503:
            assert response.json()["error"]["code"] in NOBODY_ANSWERS
            return
        case.validate_response(
            response, checks=[not_a_server_error, content_type_conformance, response_schema_conformance]
        )

    holds()
    gc.collect()
    gc.freeze()  # the next collection looks at what is new


def test_the_description_holds_the_routes_that_scripts_rely_on() -> None:
    paths = describe()["paths"]
    assert set(paths[f"{PREFIX}/sessions"]) == {"get", "post"}
    assert set(paths[f"{PREFIX}/sessions/{{session_id}}"]) == {"get", "delete"}
    assert set(paths[f"{PREFIX}/sessions/{{session_id}}/events"]) == {"get"}


def test_the_description_tells_the_errors_that_a_route_implies() -> None:
    session = describe()["paths"][f"{PREFIX}/sessions/{{session_id}}"]["get"]
    assert {"401", "403", "404", "422", "503"} <= set(session["responses"])
    assert session["responses"]["404"]["content"]["application/json"]["schema"]["$ref"].endswith("/Error")
    assert session["security"] == [{"token": []}]
    assert "409" in describe()["paths"][f"{PREFIX}/sessions"]["post"]["responses"]
