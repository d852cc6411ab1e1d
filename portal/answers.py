"""What the OpenAPI description has beyond FastAPI's: examples, names of operations, and the errors of each route.
A route's signature implies most of its errors.

A route that needs a login may refuse the caller (401, 403), an id in the path may not exist (404), a body may be too
large (413). A route declares the rest itself: `responses={409: {"description": "The session has already ended."}}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from portal.answer_examples import example
from portal.api_examples import BODIES
from portal.auth.dependencies import admin_user, current_user

REF = "#/components/schemas/{model}"
TOKEN = {
    "type": "apiKey",
    "in": "header",
    "name": "Authorization",
    "description": "`token …`, a JupyterHub token that may use the portal.",
}


class FieldError(BaseModel):
    field: str
    message: str


class ErrorBody(BaseModel):
    code: str = Field(description="Stable; see docs/reference/codes.md.")
    message: str = Field(description="What happened, in a sentence.")
    hint: str = Field(description="What to do next.")
    fields: list[FieldError] = Field(description="What is wrong with the request, field by field.")
    request_id: str


class Error(BaseModel):
    """The body of every error."""

    error: ErrorBody


def describe_errors(app: FastAPI) -> None:
    """Make `app.openapi()` say all this. Call it after all routes are included."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _add(plain(), app)
        return plain()

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way to extend it


def _add(description: dict[str, Any], app: FastAPI) -> None:
    schemas = description["components"]["schemas"]
    for theirs in ("HTTPValidationError", "ValidationError"):
        schemas.pop(theirs, None)
    error = Error.model_json_schema(ref_template=REF)
    schemas |= error.pop("$defs") | {"Error": error}
    description["components"]["securitySchemes"] = {"token": TOKEN}
    for route in described(app):
        path = route.path_format
        for method in route.methods or ():
            operation = description["paths"][path][method.lower()]
            operation["operationId"] = operation_id(method.lower(), path.partition("/api/")[2])
            if (body := BODIES.get(operation["operationId"])) is not None:
                operation["requestBody"]["content"]["application/json"]["example"] = body
            responses = operation["responses"]
            if _of_people(route.dependant):
                operation["security"] = [{"token": []}]
            for status in sorted(_implied(route.dependant, has_body=route.body_field is not None)):
                responses.setdefault(str(status), {"description": HTTPStatus(status).phrase})
            for status, response in responses.items():
                if int(status) >= 400:
                    response["content"] = {"application/json": {"schema": {"$ref": REF.format(model="Error")}}}
                elif schema := response.get("content", {}).get("application/json", {}).get("schema"):
                    response["content"]["application/json"]["example"] = example(schema, schemas)


#: POSTs to anything but a collection are acts, named after themselves.
_VERBS = {"get": "get", "post": "create", "put": "set", "patch": "change", "delete": "delete"}


def operation_id(method: str, path: str) -> str:
    """Return a name that client generators make a function of: `GET sessions` is list_sessions,
    `GET sessions/{session_id}` get_session, `POST sessions/check` check_sessions.
    """
    words = [part.replace("-", "_") for part in path.split("/") if not part.startswith("{")]
    *within, last = [_singular(word) for word in words]
    is_collection = last != words[-1] and not path.endswith("}")
    if method == "get" and is_collection:
        return "_".join(["list", *within, words[-1]])
    if method == "post" and not is_collection:
        return "_".join([last, *words[:-1]])
    return "_".join([_VERBS[method], *within, last])


def _singular(word: str) -> str:
    return "person" if word == "people" else word.removesuffix("s")


def described(app: FastAPI) -> Iterator[APIRoute]:
    """Yield the routes that the description has."""
    yield from (route for route in app.routes if isinstance(route, APIRoute) and route.include_in_schema)


def _implied(dependant: Dependant, *, has_body: bool) -> set[int]:
    """Return the errors implied by the route's callers and parameters."""
    statuses = {503}
    if _of_people(dependant):
        statuses |= {401, 403, 429}
    if dependant.path_params:
        statuses |= {404}
    if has_body:
        statuses |= {408, 413}
    if has_body or dependant.path_params or dependant.query_params:
        statuses |= {422}
    return statuses


def _of_people(dependant: Dependant) -> bool:
    return not {current_user, admin_user}.isdisjoint(_calls(dependant))


def _calls(dependant: Dependant) -> Iterator[Any]:
    yield dependant.call
    for inner in dependant.dependencies:
        yield from _calls(inner)
