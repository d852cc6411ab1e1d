"""Adds to the wheel what portal/shipped.py looks for there; an editable installation finds it in the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "alembic": "portal/migrations",
    "frontend/dist": "portal/web",
    "frontend/openapi.json": "portal/data/openapi.json",
    "agent": "portal/data/agent",
    "door": "portal/data/door",
    "templates": "portal/data/templates",
    "requirements": "portal/data/requirements",
    "docs": "portal/data/docs",
    "demo/proxy/package.json": "portal/data/proxy/package.json",
    "demo/proxy/package-lock.json": "portal/data/proxy/package-lock.json",
}


class WheelData(BuildHookInterface):  # type: ignore[type-arg]
    """Requires the built web app: `./dev wheel` builds it first."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        for source, target in PLACES.items():
            files = [root / source] if (root / source).is_file() else sorted((root / source).rglob("*"))
            if not files:
                raise FileNotFoundError(f"{source} is not there. Build the wheel with: ./dev wheel")
            for file in files:
                if file.is_file() and "__pycache__" not in file.parts:
                    inside = file.relative_to(root / source).as_posix()
                    build_data["force_include"][str(file)] = target if inside == "." else f"{target}/{inside}"
