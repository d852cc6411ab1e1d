"""Paths of the data files that ship with the program.

They are inside the package in a wheel, at the top level of a checkout otherwise. `pyproject.toml` lists what a wheel
carries where.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _place(in_wheel: str, in_checkout: str) -> Path:
    packaged = _PACKAGE / in_wheel
    return packaged if packaged.exists() else _PACKAGE.parent / in_checkout


WEB_APP = _place("web", "frontend/dist")
"""The built web app."""

API_DESCRIPTION = _place("data/openapi.json", "frontend/openapi.json")
"""The API's OpenAPI description, as `portal openapi` prints it."""

MIGRATIONS = _place("migrations", "alembic")

AGENT = _place("data/agent", "agent")
"""Source of the agent, which its `build.py` makes into one file."""

DOOR = _place("data/door", "door")
"""Source of the door, likewise."""

TEMPLATES = _place("data/templates", "templates")
"""The notebook templates."""

REQUIREMENTS = _place("data/requirements", "requirements")
"""Lock files: of the portal itself, and of the sessions' environments."""

DOCS = _place("data/docs", "docs")
"""The documentation: Markdown and pictures."""

PROXY = _place("data/proxy", "demo/proxy")
"""package.json and package-lock.json of configurable-http-proxy."""

_WIDE_STREAMS = "import{setDefaultHighWaterMark}from'node:stream';setDefaultHighWaterMark(false,1048576)"
PROXY_NODE_OPTIONS = f"--import=data:text/javascript,{_WIDE_STREAMS}"
"""NODE_OPTIONS of configurable-http-proxy: buffers up to 1 MiB of a response.

With Node's own 64 KiB, which is one read, it pauses and resumes at each piece of a large response.
"""
