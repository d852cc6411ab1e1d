"""The API's description: names that client generators can use, and a page that shows it."""

from __future__ import annotations

import json
import re

import httpx2
from pydantic import TypeAdapter

from portal.answer_examples import unnamed
from portal.answers import described
from portal.api_examples import BODIES
from portal.app import describe, routes
from portal.settings import Settings


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [method["operationId"] for methods in describe()["paths"].values() for method in methods.values()]
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z][a-z_]*", name)] == []
    assert {"list_sessions", "create_session", "get_session", "delete_session", "create_job", "get_job"} <= set(names)


def test_every_schema_has_a_name_of_its_own() -> None:
    """Schemas that share a name get their module's as a prefix, and client generators leave out what uses them."""
    schemas = describe()["components"]["schemas"]
    assert [name for name in schemas if "__" in name] == []
    titles = [schema.get("title", name) for name, schema in schemas.items()]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


async def test_reference_page_shows_every_operation_and_needs_no_script(http: httpx2.AsyncClient) -> None:
    """It was blank: its script came from another host, which the Content-Security-Policy blocks."""
    answer = await http.get("/services/portal/api/docs")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<script" not in answer.text
    assert not re.findall(r"(?:src|href)='(?!#|openapi\.json)[^']*'", answer.text)
    shown = re.findall(r"<details id='(\w+)'>", answer.text)
    assert sorted(shown) == sorted(
        method["operationId"] for methods in describe()["paths"].values() for method in methods.values()
    )
    assert len(answer.content) < 1 << 20


def test_every_json_body_has_an_example_that_its_route_accepts() -> None:
    paths, bodies = describe()["paths"], {}
    for route in described(routes(Settings())):
        for method in route.methods or ():
            operation = paths[route.path_format][method.lower()]
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                assert route.body_field is not None
                example = content["application/json"].get("example")
                assert example is not None, (operation["operationId"], "has no example in portal/api_examples.py")
                bodies[operation["operationId"]] = example
                _, problems = route.body_field.validate(example, {}, loc=())
                assert not problems, (operation["operationId"], problems)
    assert bodies == BODIES, "no example is left over"


def test_every_json_answer_has_an_example_that_its_route_could_give() -> None:
    description = describe()
    schemas, examples = description["components"]["schemas"], 0
    for route in described(routes(Settings())):
        for method in route.methods or ():
            responses = description["paths"][route.path_format][method.lower()]["responses"]
            answer = responses[str(route.status_code or 200)].get("content", {}).get("application/json", {})
            if schema := answer.get("schema"):
                examples += 1
                TypeAdapter(route.response_model).validate_json(json.dumps(answer["example"]))
                assert set(unnamed(schema, schemas)) == set(), "choose a value in portal/answer_examples.py"
    assert examples > 100
