"""The API's OpenAPI description as a page: routes by subject, then the shapes they send and take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Tree = dict[str, Any]

PREFIX = "/services/portal/api"
SUBJECTS = {
    "me": "Who is calling",
    "cluster": "The site and what can be asked of it",
    "sessions": "Sessions",
    "templates": "Templates",
    "environments": "Environments",
    "announcements": "Announcements",
    "messages": "Messages from administrators",
    "admin": "Administration",
    "audit": "Audit",
}
#: FastAPI's own description of a 422, which this API answers in its own shape.
NOT_OURS = {"HTTPValidationError", "ValidationError"}
INTRODUCTION = f"""\
Addresses are relative to `{PREFIX}`. The description for programs is at `{PREFIX}/openapi.json`, a page to try the
routes at `{PREFIX}/docs`; `portal openapi` prints it without a server.

Send a JupyterHub token with each request: `Authorization: token …`. A page with the login cookie sends the header
`X-CSRF-Token` with each write, whose value is in the answer of `GET /me`. How to use it from scripts:
[Work from the command line and from scripts](../how-to/scripts.md).

Errors have one shape, `{{"error": {{"code", "message", "hint", "fields": [{{"field", "message"}}], "request_id"}}}}`,
and [stable codes](codes.md). Times are ISO 8601 in UTC. Unknown fields of a body are refused."""


def api_page(description: Tree, made: str) -> str:
    schemas: Tree = description["components"]["schemas"]
    lines = ["# API", "", made, "", INTRODUCTION]
    operations = list(_operations(description))
    for tag in dict.fromkeys([*SUBJECTS, *(operation["tags"][0] for _, _, operation in operations)]):
        mine = [(method, path, operation) for method, path, operation in operations if operation["tags"][0] == tag]
        if mine:
            lines += ["", f"## {SUBJECTS.get(tag, tag.capitalize())}"]
        for method, path, operation in mine:
            lines += ["", *_operation(method, path, operation)]
    lines += ["", "## Shapes"]
    for name in sorted(schemas.keys() - NOT_OURS):
        lines += ["", *_shape(name, schemas[name])]
    return "\n".join(lines).rstrip() + "\n"


def _operations(description: Tree) -> Iterator[tuple[str, str, Tree]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path.removeprefix(PREFIX), operation


def _operation(method: str, path: str, operation: Tree) -> Iterator[str]:
    yield f"### `{method} {path}`"
    yield ""
    yield " ".join((operation.get("description") or operation["summary"]).split())
    parameters = operation.get("parameters", [])
    if parameters:
        yield ""
        yield "| parameter | in | type | default |"
        yield "|---|---|---|---|"
        for parameter in parameters:
            default = parameter["schema"].get("default")
            yield (
                f"| `{parameter['name']}` | {parameter['in']} | {_type(parameter['schema'])} |"
                f" {'needed' if parameter.get('required') else '' if default is None else f'`{default}`'} |"
            )
    yield ""
    yield " · ".join(_body_and_answer(operation))
    example = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    if example is not None:
        yield ""
        yield "```json"
        yield json.dumps(example, ensure_ascii=False)
        yield "```"


def _body_and_answer(operation: Tree) -> Iterator[str]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        yield f"Body: {_type(body)}"
    for status, answer in operation["responses"].items():
        if not status.startswith("2"):
            continue
        content = answer.get("content", {})
        if "text/event-stream" in content:
            yield f"Answer {status}: a stream of server-sent events"
        elif schema := content.get("application/json", {}).get("schema"):
            yield f"Answer {status}: {_type(schema)}"
        else:
            yield f"Answer {status}"


def _shape(name: str, schema: Tree) -> Iterator[str]:
    yield f"### {name}"
    if text := schema.get("description"):
        yield ""
        yield " ".join(text.split())
    if "enum" in schema:
        yield ""
        yield f"One of {', '.join(f'`{value}`' for value in schema['enum'])}."
        return
    needed = set(schema.get("required", ()))
    yield ""
    yield "| field | type | what it is |"
    yield "|---|---|---|"
    for field, inner in schema.get("properties", {}).items():
        words = [inner.get("description", "")]
        if field not in needed:
            default = inner.get("default")
            words.append("May be left out." if default in (None, [], {}, "") else f"Default: `{default}`.")
        yield f"| `{field}` | {_type(inner)} | {' '.join(words).strip()} |"


def _type(schema: Tree) -> str:
    """Return the type in words, a named shape as a link to it."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(option) for option in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" or kind is None:
        return "object"
    if schema.get("format") == "date-time":
        return "time"
    return f"{kind}{_bounds(schema)}"


def _bounds(schema: Tree) -> str:
    low = schema.get("minimum", schema.get("minLength"))
    high = schema.get("maximum", schema.get("maxLength"))
    unit = " characters" if "maxLength" in schema or "minLength" in schema else ""
    words = []
    if low is not None and high is not None:
        words.append(f"{low:g} to {high:.12g}{unit}")
    elif low is not None:
        words.append(f"at least {low:g}{unit}")
    elif high is not None:
        words.append(f"at most {high:.12g}{unit}")
    if pattern := schema.get("pattern"):
        words.append("matches `" + pattern.replace("|", "\\|") + "`")
    return f" ({', '.join(words)})" if words else ""
