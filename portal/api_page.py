"""The API reference as one page without scripts, so that it works under the portal's Content-Security-Policy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from portal.shipped import API_DESCRIPTION

STYLE = """
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; background: light-dark(#ffffff, #14181b); }
body { max-width: 900px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin: 32px 0 8px; text-transform: capitalize; }
details { border-top: 1px solid light-dark(#dde1e4, #293036); padding: 8px 0; }
summary { cursor: pointer; overflow-wrap: anywhere; } summary b { display: inline-block; min-width: 60px; }
code, pre { font: 13px/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: 12px; border-radius: 6px; }
pre, th { background: light-dark(#eceef0, #1e2428); }
div { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 4px 8px; }
td { border-top: 1px solid light-dark(#dde1e4, #293036); vertical-align: top; }
a { color: light-dark(#00668a, #4dbfe2); }
"""
#: Schemas within schemas are shown this far.
_DEPTH = 3


@cache
def page() -> str:
    """Return the page of the OpenAPI description that ships with the program."""
    description = json.loads(API_DESCRIPTION.read_text(encoding="utf-8"))
    by_tag: dict[str, list[str]] = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            shown = _operation(method, path, operation, description)
            by_tag.setdefault(operation.get("tags", ["other"])[0], []).append(shown)
    info = description["info"]
    body = "".join(f"<h2 id='{escape(tag)}'>{escape(tag)}</h2>{''.join(by_tag[tag])}" for tag in sorted(by_tag))
    links = " · ".join(f"<a href='#{escape(tag)}'>{escape(tag)}</a>" for tag in sorted(by_tag))
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>API · {escape(info['title'])}</title><style>{STYLE}</style></head><body>"
        f"<main><h1>API of the {escape(info['title'])} {escape(info['version'])}</h1>"
        f"<p>{escape(info['description'])}"
        f" <a href='openapi.json'>openapi.json</a> is the same for programs.</p><nav>{links}</nav>"
        f"{body}</main></body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any], whole: dict[str, Any]) -> str:
    parts = [f"<p>{_prose(operation.get('description', ''))}</p>"]
    if parameters := operation.get("parameters"):
        rows = [(parameter["name"], parameter["in"], parameter.get("description", "")) for parameter in parameters]
        parts.append(_table(("parameter", "in", ""), rows))
    if body := operation.get("requestBody"):
        (media, content), *_ = body["content"].items()
        parts.append(f"<p>Body, <code>{escape(media)}</code>:</p>{_fields(content.get('schema', {}), whole)}")
        if (example := content.get("example")) is not None:
            parts.append(f"<p>For example:</p>{_json(example)}")
    rows = []
    for status, response in sorted(operation["responses"].items()):
        rows.append((status, response["description"], ""))
        content = response.get("content", {}).get("application/json", {})
        if status.startswith("2") and (schema := content.get("schema")):
            parts.append(f"<p>Answer {escape(status)}:</p>{_fields(schema, whole)}")
            parts.append(f"<p>For example:</p>{_json(content['example'])}")
    parts.append(_table(("status", "meaning", ""), rows))
    return (
        f"<details id='{escape(operation['operationId'])}'><summary><b>{method.upper()}</b> <code>{escape(path)}</code>"
        f" {escape(operation.get('summary', ''))}</summary>{''.join(parts)}</details>"
    )


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _table(heads: tuple[str, ...], rows: list[tuple[str, str, str]]) -> str:
    head = "".join(f"<th>{escape(head)}</th>" for head in heads)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<div><table><tr>{head}</tr>{cells}</table></div>"


def _fields(schema: dict[str, Any], whole: dict[str, Any]) -> str:
    described = "".join(
        f"<li><code>{escape(name)}</code>: {_prose(text)}</li>" for name, text in _texts(_resolved(schema, whole))
    )
    return f"{_json(_shape(schema, whole, _DEPTH))}<ul>{described}</ul>"


def _json(value: Any) -> str:
    return f"<pre tabindex='0'>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"


def _texts(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in schema.get("properties", {}).items():
        if "description" in value:
            yield name, value["description"]


def _resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    schemas: dict[str, Any] = whole["components"]["schemas"][name] if name else schema
    return schemas


def _shape(schema: dict[str, Any], whole: dict[str, Any], depth: int) -> Any:
    """Return the schema as an example of JSON whose values are the types."""
    schema = _resolved(schema, whole)
    if "enum" in schema or "const" in schema:
        return " | ".join(str(value) for value in schema.get("enum", [schema.get("const")]))
    if options := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        shapes = [_shape(option, whole, depth) for option in options if option.get("type") != "null"]
        if all(isinstance(shape, str) for shape in shapes):
            return " | ".join(dict.fromkeys([*shapes, *(["null"] if len(shapes) < len(options) else [])]))
        return shapes[0]
    if properties := schema.get("properties"):
        return {name: _shape(schema, whole, depth - 1) for name, schema in properties.items()} if depth else "object"
    if "items" in schema:
        return [_shape(schema["items"], whole, depth)] if depth else "array"
    return schema.get("format") or schema.get("type", "any")
