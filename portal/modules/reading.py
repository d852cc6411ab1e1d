"""Parses what Lmod and Environment Modules print about the available modules.

Lmod: `spider -o jsonSoftwarePage` (Lmod's documentation, "Using spider"). Environment Modules, from version 5 on:
`avail --json` and `whatis --json`, on standard error (module(1)).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

from portal.modules.schemas import ModuleOut

LONGEST_DESCRIPTION = 300


def from_lmod(text: str) -> list[ModuleOut]:
    """Parse Lmod's software page. Raises ValueError if it is invalid."""
    modules = []
    for package in _typed(json.loads(text), list):
        versions = [str(version["versionName"]) for version in package["versions"] if version.get("versionName")]
        default = package.get("defaultVersionName") or None
        modules.append(_module(str(package["package"]), versions, default, str(package.get("description") or "")))
    return _sorted(modules)


def from_environment_modules(avail: str, whatis: str) -> list[ModuleOut]:
    """Parse both lists. Raises ValueError if they are invalid."""
    described = _entries(whatis)
    versions: dict[str, list[str]] = defaultdict(list)
    defaults: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    for full, entry in _entries(avail).items():
        if entry.get("type", "modulefile") not in ("modulefile", "virtual"):
            continue
        name, _, version = full.rpartition("/")
        name, version = (name, version) if name else (version, "")
        versions[name] += [version] if version else []
        if "default" in entry.get("symbols", ()):
            defaults[name] = version
        words = described.get(full, {}).get("whatis") or []
        descriptions[name] = descriptions.get(name) or " ".join(str(word) for word in words)
    return _sorted([_module(name, versions[name], defaults.get(name), descriptions[name]) for name in descriptions])


def _module(name: str, versions: list[str], default: str | None, description: str) -> ModuleOut:
    newest_first = sorted(set(versions), key=_order, reverse=True)
    return ModuleOut(
        name=name,
        versions=newest_first,
        default=default or (newest_first[0] if newest_first else None),
        description=" ".join(description.split())[:LONGEST_DESCRIPTION],
    )


def _order(version: str) -> list[tuple[int, int, str]]:
    """Sort 10.2 after 9.8: numbers as numbers, and before words."""
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]


def _sorted(modules: list[ModuleOut]) -> list[ModuleOut]:
    return sorted(modules, key=lambda module: module.name.lower())


def _entries(text: str) -> dict[str, dict[str, Any]]:
    """Merge the folders' modules; the first folder of MODULEPATH that has a name wins."""
    entries: dict[str, dict[str, Any]] = {}
    for folder in _typed(json.loads(text, strict=False) if text.strip() else {}, dict).values():
        for name, entry in _typed(folder, dict).items():
            entries.setdefault(name, _typed(entry, dict))
    return entries


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{kind.__name__} expected")
    return value
